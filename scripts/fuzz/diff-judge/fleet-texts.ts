import type { Random } from '../random.ts'

export const STORES = ['ham-01', 'ber-01', 'muc-01', 'cgn-01']
const REGIONS = ['north', 'south']

/**
 * The kinds of targets: objects of a fleet, objects of two lists, listed repositories, the repositories of a matrix with rings and
 * overrides, and those of a matrix that names a PackageRevisionSet.
 */
export type Targets = 'objects' | 'two-lists' | 'listed' | 'matrix' | 'revision-set'

/** Returns the files of a fleet and of its upstream packages, by path. */
export function randomFiles(random: Random, targets: Targets): readonly (readonly [string, readonly string[]])[] {
  const stores = STORES.slice(0, 1 + random.below(STORES.length))
  return [
    ['fleet/set.yaml', set(random, targets, stores)],
    ...(targets === 'revision-set' ? [['fleet/upstreams.yaml', revisionSet(random)] as const] : []),
    ...stores.map((name) => [`fleet/stores/${name}.yaml`, store(random, name, targets)] as const),
    ...(targets === 'listed' ? [['fleet/stores/fra-01.yaml', store(random, 'fra-01', targets)] as const] : []),
    ...REGIONS.map((region) => [`fleet/${region}.yaml`, endpoints(random, region)] as const),
    ...upstream(random, 1),
    ...upstream(random, 2),
  ]
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}

const KIND_OF_TARGETS = {
  objects: ['retail.example.com/v1', 'Store'],
  repositories: ['config.porch.kpt.dev/v1alpha1', 'Repository'],
} as const

/** Returns the lines of a target's file. */
export function store(random: Random, name: string, targets: Targets): readonly string[] {
  const [apiVersion, kind] = KIND_OF_TARGETS[hasStores(targets) ? 'objects' : 'repositories']
  return linesOf(`apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  name: ${name}
  namespace: fleet
  labels:
    region: ${random.pick(REGIONS)}
    tier: ${random.pick(['hub', 'store'])}
    status: ${random.oneIn(3) ? 'closed' : 'open'}
    ${random.pick(['zone', 'area'])}: a
`)
}

function hasStores(targets: Targets): boolean {
  return targets === 'objects' || targets === 'two-lists'
}

function endpoints(random: Random, region: string): readonly string[] {
  return linesOf(`apiVersion: retail.example.com/v1
kind: Endpoints
metadata:
  name: ${region}-endpoints
  namespace: fleet
spec:
  metrics: https://${random.pick(['m', 'n'])}.example.com
`)
}

function set(random: Random, targets: Targets, stores: readonly string[]): readonly string[] {
  const upstream = upstreamOf(random)
  const template = templateOf(random, targets).map((line) => (targets === 'listed' ? line.replaceAll('target.', 'repository.') : line))
  const selector = ['matchLabels:', '  status: open']
  if (targets === 'matrix' || targets === 'revision-set')
    return [
      ...['apiVersion: fleet.krm-variants.dev/v1alpha1', 'kind: PackageVariantMatrix', 'metadata:', '  name: tills', '  namespace: fleet'],
      ...['spec:', '  upstreams:', ...entry('    ', targets === 'matrix' ? upstream : ['packageRevisionSet: base'])],
      ...['  targets:', '    - repositorySelector:', ...indented(8, selector), '  template:', ...indented(4, template)],
      ...['  overrides:', '    - name: special', `      where: target.labels.tier == 'hub'`, '      template:'],
      ...['        pipeline:', '          mutators:', '            - name: labels'],
      ...['              image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1'],
      ...['              configMap:', `                team: special`],
      ...(random.oneIn(3) ? FAR : []),
      ...(random.oneIn(2) ? RINGS : []),
    ]
  const objects = (clause: readonly string[]) => [
    ...['objectSelector:', '  apiVersion: retail.example.com/v1', '  kind: Store', ...indented(2, selector), ...indented(4, clause)],
  ]
  const criteria =
    targets === 'objects'
      ? objects([])
      : targets === 'two-lists'
        ? objects(['region: north'])
        : ['repositories:', ...stores.flatMap((name) => [`  - name: ${name}`, ...(random.oneIn(2) ? ['    packageNames: [tills]'] : [])])]
  return [
    ...['apiVersion: config.porch.kpt.dev/v1alpha2', 'kind: PackageVariantSet', 'metadata:', '  name: tills', '  namespace: fleet'],
    ...['spec:', '  upstream:', ...indented(4, upstream), '  targets:'],
    ...entry('    ', [...criteria, 'template:', ...indented(2, template)]),
    ...(targets === 'two-lists' ? entry('    ', [...objects(['region: south']), 'template:', ...indented(2, SECOND_TEMPLATE)]) : []),
  ]
}

const SECOND_TEMPLATE = [...['downstream:', `  repoExpr: "'store-' + target.name"`], ...['packageContext:', '  data:', '    mode: slow']]

function upstreamOf(random: Random): readonly string[] {
  return ['repo: catalog', 'package: tills', `revision: ${random.pick([1, 2])}`]
}

function revisionSet(random: Random): readonly string[] {
  return [
    ...['apiVersion: fleet.krm-variants.dev/v1alpha1', 'kind: PackageRevisionSet', 'metadata:', '  name: base', '  namespace: fleet'],
    ...['spec:', '  upstreams:', ...entry('    ', upstreamOf(random))],
  ]
}

/** The override that gives the packages of some targets another name. */
const FAR: readonly string[] = [
  '    - name: far',
  `      where: target.labels.region == 'south'`,
  '      template:',
  '        downstream:',
  '          package: far',
]

const RINGS = [
  ...['  rings:', '    - name: canary', `      where: target.labels.region == 'north'`, '      revisions:', '        tills: 2'],
  '    - name: world',
]

function indented(spaces: number, lines: readonly string[]): readonly string[] {
  return lines.map((line) => ' '.repeat(spaces) + line)
}

/** Returns the lines of an entry of a list. */
function entry(indent: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => `${indent}${at === 0 ? '- ' : '  '}${line}`)
}

function templateOf(random: Random, targets: Targets): readonly string[] {
  const repo = hasStores(targets) ? `  repoExpr: "'store-' + target.name"\n` : ''
  const name = random.oneIn(2) ? `  packageExpr: "'p-' + target.labels.region"\n` : ''
  return linesOf(`${repo + name === '' ? '' : `downstream:\n${repo}${name}`}packageContext:
  data:
    mode: fast
  dataExprs:
    - key: host
      valueExpr: "'till.' + target.name"
injectors:
  - kind: Endpoints
    nameExpr: "target.labels.region + '-endpoints'"
${
  random.oneIn(4)
    ? ''
    : `pipeline:
  mutators:
    - name: labels
      image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1
      configMap:
        team: payments
    - name: setters
      image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2.1
      configMap:
        size: small
      configMapExprs:
        - key: replicas
          valueExpr: "{'hub': '3', 'store': '2'}[target.labels.tier]"`
}
`)
}

function upstream(random: Random, revision: number): readonly (readonly [string, readonly string[]])[] {
  const folder = `catalog/tills@${revision}`
  const image = random.pick(['1.0', '1.1'])
  return [
    [
      `${folder}/Kptfile`,
      linesOf(`apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: tills
${
  random.oneIn(2)
    ? `pipeline:
  mutators:
    - image: ghcr.io/kptdev/krm-functions-catalog/set-annotations:v0.1.4
      configMap:
        from: upstream`
    : ''
}
`),
    ],
    [
      `${folder}/endpoints.yaml`,
      linesOf(`apiVersion: retail.example.com/v1
kind: Endpoints
metadata:
  name: endpoints
  annotations:
    kpt.dev/config-injection: optional
spec:
  metrics: none
`),
    ],
    [
      `${folder}/till.yaml`,
      linesOf(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: till
spec:
  replicas: ${random.pick([1, 5])} # kpt-set: \${replicas}
  template:
    spec:
      containers:
        - name: till
          image: registry.example.com/till:${image}
          args:
            - --verbose
`),
    ],
    [
      `${folder}/settings.yaml`,
      linesOf(`apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  colour: red
  size: small # kpt-set: \${size}
  app.conf: |
    retries = 3
    wait = 5
    more = 1
`),
    ],
    ...(random.oneIn(2) ? [[`${folder}/part.yaml`, more('part')] as const] : []),
    ...(random.oneIn(3) ? subpackage(folder) : []),
  ]
}

function subpackage(folder: string): readonly (readonly [string, readonly string[]])[] {
  return [
    [`${folder}/printer/Kptfile`, ['apiVersion: kpt.dev/v1', 'kind: Kptfile', 'metadata:', '  name: printer']],
    [`${folder}/printer/paper.yaml`, more('paper')],
  ]
}

export function more(name = 'more'): readonly string[] {
  return linesOf(`apiVersion: example.com/v1
kind: Part
metadata:
  name: ${name}
spec:
  colour: red
  replicas: 1
`)
}
