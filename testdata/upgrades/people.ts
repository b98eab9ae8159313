import type { Texts } from '../package-of-texts.ts'

/** Somebody's edits of a package: the texts of its files before and after. */
export interface Person {
  readonly name: string
  readonly edit: (files: Texts) => Texts
}

const inFile = (path: string, files: Texts, edit: (text: string) => string): Texts =>
  files[path] === undefined ? files : { ...files, [path]: edit(files[path]) }

const OWN_CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: of-the-site\ndata:\n  owner: people\n'
const OWN_FUNCTION = '  - image: ghcr.io/site/set-labels:v0.2 # ours\n    name: our-labels\n    configMap:\n      site: ham-01\n'
const UNNAMED_FUNCTION = '  - image: ghcr.io/site/audit:v0.1 # audited\n    configMap:\n      strict: "true"\n'

/** Values, with comments behind them; in the pipeline too. */
function tune(files: Texts): Texts {
  const tuned = inFile('settings.yaml', files, (text) => text.replace('queue: small', 'queue: large # for Christmas'))
  const scaled = inFile('web.yaml', tuned, (text) => text.replace('replicas: 1', 'replicas: 5').replace('memory: 1Gi', 'memory: 4Gi'))
  const shaped = inFile('palette.yaml', scaled, (text) => text.replace('depth: 3', 'depth: 9'))
  return inFile('Kptfile', shaped, (text) => text.replace('setting: two', 'setting: ours # measured'))
}

/** A function with a name in front of those of upstream, behind that of the variant, and one without a name behind them. */
function extendPipeline(files: Texts): Texts {
  return inFile('Kptfile', files, (text) =>
    text.replace(
      /^( {2}mutators:\n {2}- name: PackageVariant.*\n(?: {4}.*\n)*)((?: {2}[- ].*\n)*)/m,
      (_, variants: string, functions: string) => [variants, OWN_FUNCTION, functions, UNNAMED_FUNCTION].join(''),
    ),
  )
}

/** Files, labels and list entries of their own, and things that they do not want. */
function restructure(files: Texts): Texts {
  const left = Object.fromEntries(Object.entries(files).filter(([path]) => path !== 'admin.yaml'))
  const labelled = inFile('web.yaml', { ...left, 'of-the-site.yaml': OWN_CONFIG }, (text) =>
    text
      .replace('        - name: REGION\n', '        - name: SITE\n          value: ham-01\n        - name: REGION\n')
      .replace('      serviceAccountName: web\n', ''),
  )
  const second = inFile(
    'settings.yaml',
    labelled,
    (text) => `${text.replace("  cache: 'on'\n", '')}---\n${OWN_CONFIG.replace('of-', 'more-of-')}`,
  )
  return inFile('members.yaml', second, (text) => text.replace('external: shop', 'external: shop-ham-01'))
}

/** Comments alone, and a value that upstream changes as well. */
function comment(files: Texts): Texts {
  const noted = inFile('settings.yaml', files, (text) =>
    text.replace('  # how many\n', '  # how many\n  # asked for by the store\n').replace(/release: "\d"/, 'release: "ours"'),
  )
  const probed = inFile('till.yaml', noted, (text) => text.replace('scope: Namespaced', 'scope: Namespaced # not Cluster'))
  return inFile('service.yaml', probed, (text) => text.replace('type: ClusterIP', 'type: NodePort # until there is a gateway'))
}

/** Five ways in which people use a package. */
export const PEOPLE: readonly Person[] = [
  { name: 'nobody', edit: (files) => files },
  { name: 'tunes', edit: tune },
  { name: 'adds functions', edit: extendPipeline },
  { name: 'adds and deletes', edit: restructure },
  { name: 'comments', edit: comment },
]
