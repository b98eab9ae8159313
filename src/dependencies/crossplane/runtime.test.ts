import { expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { currentRevisionName } from './revisions.ts'
import { digest, objectOf, packageObject, read, revisionObject } from './testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const SQL = 'xpkg.example.org/acme/sql'
const NAME = currentRevisionName('helm', digest('a'), undefined)
const OLD = currentRevisionName('helm', digest('b'), undefined)
const SQL_NAME = currentRevisionName('sql', digest('c'), undefined)
const NAMESPACE = 'crossplane-system'

const CATALOG = [
  {
    id: HELM,
    versions: [
      { version: 'v1.0.0', digest: digest('a'), dependencies: [] },
      { version: 'v0.9.0', digest: digest('b'), dependencies: [] },
    ],
  },
  { id: SQL, versions: [{ version: 'v1.0.0', digest: digest('c'), dependencies: [] }] },
]

const helm = (spec: object = {}, kind = 'Provider') => packageObject('helm', `${HELM}:v1.0.0`, spec, kind)
const revision = (name = NAME, state = 'Active', image = `${HELM}:v1.0.0`, uid = `uid ${name}`, parent = 'helm') =>
  revisionObject(parent, name, { image, revision: state === 'Active' ? 2 : 1, desiredState: state }, { uid })

/** Returns an owner that controls its object: a revision of a Provider. */
const owner = (name: string) => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'ProviderRevision',
  name,
  uid: `uid ${name}`,
  controller: true,
})
const ofCluster = (kind: string, name: string, by: string | undefined, rest: object = {}, namespace: string | undefined = NAMESPACE) =>
  objectOf({
    apiVersion: { Deployment: 'apps/v1', ClusterRoleBinding: 'rbac.authorization.k8s.io/v1' }[kind] ?? 'v1',
    kind,
    metadata: { name, ...(namespace && { namespace }), ...(by && { ownerReferences: [owner(by)] }) },
    ...rest,
  })
const pod = (serviceAccountName: string, image: string, container = 'package-runtime') => ({
  spec: { template: { spec: { serviceAccountName, containers: [{ name: 'sidecar' }, { name: container, image }] } } },
})
const deployment = (by: string | undefined, account = NAME, image = `${HELM}:v1.0.0`, name = NAME, container?: string) =>
  ofCluster('Deployment', name, by, pod(account, image, container))
const binding = (name: string) =>
  ofCluster('ClusterRoleBinding', `crossplane:provider:${name}:system`, name, { subjects: [{ kind: 'ServiceAccount', name }] }, '')
const beside = (by: string | undefined) => [ofCluster('ServiceAccount', NAME, by), ofCluster('Service', 'helm', by)]
const config = (name: string, spec: object) =>
  objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'DeploymentRuntimeConfig', metadata: { name }, spec })

/** Returns the steps on what runs packages, each with its edits in words. */
function after(objects: readonly KrmObject[], options: object = {}) {
  const done = read(objects, CATALOG, { crossplaneVersion: 'v2.3.4', ...options }).controller?.reconcile?.(NO_KINDS)
  const steps = (done?.clusterSteps ?? []).map(({ what, edits }) => [what, ...edits.map(describe)])
  const findings = [...(done?.findings ?? []), ...(done?.clusterFindings ?? [])].map(({ rule, message }) => `${rule}: ${message}`)
  return { steps, findings }
}

type Edit = NonNullable<
  ReturnType<NonNullable<NonNullable<ReturnType<typeof read>['controller']>['reconcile']>>['clusterSteps']
>[number]['edits'][number]

function describe(edit: Edit): string {
  if (edit.type === 'add') return `add ${JSON.stringify(Reflect.get(edit.object, 'kind'))}`.replaceAll('"', '')
  const name = `${edit.object.kind} ${edit.object.name}`
  if (edit.type !== 'set') return `${edit.type} ${name}`
  return `set ${name} ${edit.fields.map(({ path, value }) => `${path.join('.')}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ')}`
}

const RUNS = 'add ServiceAccount, add Service, add Deployment'.split(', ')
const BINDS = [`ClusterRoleBinding crossplane:provider:${NAME}:system binds ServiceAccount ${NAMESPACE}/${NAME}`, 'add ClusterRoleBinding']

test('an Active revision of a Provider gets a Deployment with what is beside it, and a binding', () => {
  const made = [`Deployment ${NAMESPACE}/${NAME} is made with ServiceAccount ${NAME} and Service helm`, ...RUNS]
  expect(after([helm(), revision()])).toEqual({ steps: [made, BINDS], findings: [] })
})

test('a Function gets no roles, and a Configuration nothing', () => {
  const of = (kind: string) =>
    objectOf({
      apiVersion: 'pkg.crossplane.io/v1',
      kind: `${kind}Revision`,
      metadata: { name: NAME, uid: 'u', labels: { 'pkg.crossplane.io/package': 'helm' } },
      spec: { image: `${HELM}:v1.0.0`, revision: 1, desiredState: 'Active' },
    })
  expect(after([helm({}, 'Function'), of('Function')]).steps.map(([what]) => what)).toEqual([
    `Deployment ${NAMESPACE}/${NAME} is made with ServiceAccount ${NAME} and Service helm`,
  ])
  expect(after([helm({}, 'Configuration'), of('Configuration')]).steps).toEqual([])
})

test('nothing is made for a revision that no cluster has yet', () => {
  expect(after([helm(), revision(NAME, 'Active', `${HELM}:v1.0.0`, '')]).steps).toEqual([])
})

test('nothing is made for a package that lacks a dependency', () => {
  const versions = [{ version: 'v1.0.0', digest: digest('a'), dependencies: [{ provider: SQL, version: '>=v1.0.0' }] }]
  const done = read([helm(), revision()], [{ id: HELM, versions }], { crossplaneVersion: 'v2.3.4' }).controller?.reconcile?.(NO_KINDS)
  expect(done?.clusterSteps).toEqual([])
})

test('what is there and as it must be is left alone', () => {
  expect(after([helm(), revision(), deployment(NAME), ...beside(NAME), binding(NAME)]).steps).toEqual([])
})

test.each<[string, readonly KrmObject[], readonly string[]]>([
  [
    'another image',
    [deployment(NAME, NAME, 'old'), ...beside(NAME)],
    [`set Deployment ${NAME} spec.template.spec.containers.1.image=${HELM}:v1.0.0`],
  ],
  [
    'another ServiceAccount',
    [deployment(NAME, 'old'), ...beside(NAME)],
    [`set Deployment ${NAME} spec.template.spec.serviceAccountName=${NAME}`],
  ],
  [
    'both',
    [deployment(NAME, 'old', 'old'), ...beside(NAME)],
    [`set Deployment ${NAME} spec.template.spec.serviceAccountName=${NAME}, spec.template.spec.containers.1.image=${HELM}:v1.0.0`],
  ],
  ['no Service beside it', [deployment(NAME), ofCluster('ServiceAccount', NAME, NAME)], ['add Service']],
])('a Deployment with %s is changed', (_, cluster, edits) => {
  const what = `Deployment ${NAMESPACE}/${NAME} runs ${HELM}:v1.0.0 as ServiceAccount ${NAME}`
  expect(after([helm(), revision(), binding(NAME), ...cluster]).steps).toEqual([[what, ...edits]])
})

test('a Deployment without the container of the program is not changed', () => {
  const other = deployment(NAME, 'old', 'old', NAME, 'mine')
  expect(after([helm(), revision(), binding(NAME), other, ...beside(NAME)]).steps).toEqual([])
})

test('a Service without a controller gets the revision as its owner', () => {
  const [account, service] = [ofCluster('ServiceAccount', NAME, NAME), ofCluster('Service', 'helm', undefined)]
  const [step] = after([helm(), revision(), binding(NAME), deployment(NAME), account, service]).steps
  expect(step?.[1]).toBe(`set Service helm metadata.ownerReferences=${JSON.stringify([{ ...owner(NAME), blockOwnerDeletion: true }])}`)
})

const own = (spec: object, more: object = {}) => [helm({ runtimeConfigRef: { name: 'own' }, ...more }), revision(), config('own', spec)]

test.each<[string, object, string, readonly string[]]>([
  ['nothing', {}, `Deployment ${NAMESPACE}/${NAME} is made with ServiceAccount ${NAME} and Service helm`, RUNS],
  [
    'the Deployment',
    { deploymentTemplate: { metadata: { name: 'prog' } } },
    `Deployment ${NAMESPACE}/prog is made with ServiceAccount ${NAME} and Service helm`,
    RUNS,
  ],
  [
    'the Service',
    { serviceTemplate: { metadata: { name: 'serve' } } },
    `Deployment ${NAMESPACE}/${NAME} is made with ServiceAccount ${NAME} and Service serve`,
    RUNS,
  ],
  [
    'the ServiceAccount',
    { serviceAccountTemplate: { metadata: { name: 'acc' } } },
    `Deployment ${NAMESPACE}/${NAME} is made with ServiceAccount acc and Service helm`,
    RUNS,
  ],
  [
    'a ServiceAccount of the user',
    { deploymentTemplate: { spec: { template: { spec: { serviceAccountName: 'mine' } } } } },
    `Deployment ${NAMESPACE}/${NAME} is made as ServiceAccount mine, with Service helm`,
    ['add Service', 'add Deployment'],
  ],
])('a DeploymentRuntimeConfig may name %s', (_, spec, what, edits) => {
  expect(after(own(spec)).steps[0]).toEqual([what, ...edits])
})

test('a DeploymentRuntimeConfig may name the image of the program, and of no other container', () => {
  const image = (name: string) => ({ deploymentTemplate: { spec: { template: { spec: { containers: [{ name, image: 'mine' }] } } } } })
  const cluster = [deployment(NAME), ...beside(NAME), binding(NAME)]
  expect(after([...own(image('package-runtime')), ...cluster]).steps).toEqual([
    [
      `Deployment ${NAMESPACE}/${NAME} runs mine as ServiceAccount ${NAME}`,
      `set Deployment ${NAME} spec.template.spec.containers.1.image=mine`,
    ],
  ])
  expect(after([...own(image('sidecar')), ...cluster]).steps).toEqual([])
})

test('a DeploymentRuntimeConfig that is missing is named, and the package runs nothing; Crossplane makes the default one', () => {
  const with_ = (name: string) => after([helm({ runtimeConfigRef: { name } }), revision(), config('own', {})])
  expect(with_('onw')).toEqual({
    steps: [],
    findings: [`revision-unhealthy: Provider helm runs nothing: no DeploymentRuntimeConfig is named "onw"; did you mean 'own'?`],
  })
  expect(with_('default').findings).toEqual([])
  expect(with_('default').steps).toHaveLength(2)
})

test('an Inactive revision loses its Deployment and the subjects of its binding, and keeps the rest', () => {
  const old = [
    revision(OLD, 'Inactive', `${HELM}:v0.9.0`),
    deployment(OLD, OLD, 'x', OLD),
    binding(OLD),
    ofCluster('ServiceAccount', OLD, OLD),
  ]
  const current = [helm(), revision(), deployment(NAME), ...beside(NAME), binding(NAME)]
  expect(after([...current, ...old]).steps).toEqual([
    [
      `Deployment ${NAMESPACE}/${OLD} is deleted`,
      `remove Deployment ${OLD}`,
      `set ClusterRoleBinding crossplane:provider:${OLD}:system subjects=[]`,
    ],
  ])
  const others = old.map((object) => (object.kind === 'Deployment' ? deployment('another', OLD, 'x', OLD) : object))
  expect(after([...current, ...others]).steps).toEqual([])
  expect(after([...current, ...old.filter(({ kind }) => kind !== 'Deployment')]).steps).toEqual([])
})

test('in seed 003 an Inactive revision loses all that it controls, but for the Service', () => {
  const seed = { crossplaneSemantics: 'seed' }
  const [name, old] = ['a', 'b'].map((letter) => digest(letter).replace('sha256:', ''))
  if (name === undefined || old === undefined) throw new Error('no names')
  const of = (by: string) => [deployment(by, by, `${HELM}:v1.0.0`, by), binding(by), ofCluster('ServiceAccount', by, by)]
  const objects = [
    helm(),
    revision(name),
    revision(old, 'Inactive', `${HELM}:v0.9.0`),
    ...of(name),
    ...of(old),
    ofCluster('Service', 'helm', name),
    ofCluster('Service', 'old', old),
  ]
  expect(after(objects, seed).steps.map(([what]) => what)).toEqual([
    `Deployment ${NAMESPACE}/${old} is deleted`,
    `ClusterRoleBinding crossplane:provider:${old}:system is deleted`,
    `ServiceAccount ${NAMESPACE}/${old} is deleted`,
  ])
})

test('two packages whose DeploymentRuntimeConfig names one Deployment or Service fight for it, and share a ServiceAccount in peace', () => {
  const sql = [
    packageObject('sql', `${SQL}:v1.0.0`, { runtimeConfigRef: { name: 'own' } }),
    revision(SQL_NAME, 'Active', `${SQL}:v1.0.0`, undefined, 'sql'),
  ]
  const one = { deploymentTemplate: { metadata: { name: 'prog' } }, serviceTemplate: { metadata: { name: 'serve' } } }
  const cluster = [
    deployment(SQL_NAME, SQL_NAME, `${SQL}:v1.0.0`, 'prog'),
    ofCluster('Service', 'serve', SQL_NAME),
    ofCluster('ServiceAccount', SQL_NAME, SQL_NAME),
  ]
  const again = (what: string) =>
    `controllers-fight: Provider helm and Provider sql both write ${what}, again and again: each gives it its own content. DeploymentRuntimeConfig own must not name it for several packages`
  const { findings, steps } = after([...own(one), ...sql, ...cluster])
  expect(findings).toEqual([again(`Deployment ${NAMESPACE}/prog`), again(`Service ${NAMESPACE}/serve`)])
  expect(steps.flat().filter((line) => line.includes('prog'))).toEqual([])
  const account = { serviceAccountTemplate: { metadata: { name: 'acc' } } }
  expect(after([...own(account), ...sql, ofCluster('ServiceAccount', 'acc', SQL_NAME)]).findings).toEqual([])
})
