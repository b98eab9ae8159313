import { expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { objectOf } from '../crossplane/testing/objects.ts'
import { CUSTOM_RESOURCE_DEFINITION, servedKinds } from '../reading/served-kinds.ts'
import { checkImplied } from './implied.ts'

/** Returns what is said of some objects, without the places. */
function implied(objects: readonly KrmObject[]): readonly string[] {
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition')
  const kinds = servedKinds([], [{ apiVersion: 'served.io/v1', kind: 'Served' }], [])
  const found = checkImplied(objects, {
    kinds,
    definitions: definitions.length > 0 ? [CUSTOM_RESOURCE_DEFINITION] : [],
    isAppliedBefore: (group) => group === 'before.io',
  })
  return found.map(({ message, severity }) => `${severity ? `${severity}: ` : ''}${message.replaceAll(/ \(object\.yaml[^()]*\)/g, '')}`)
}

const at = (kind: string, name: string, rest: object = {}, apiVersion = 'v1') =>
  objectOf({ apiVersion, kind, metadata: { name, namespace: 'ns' }, ...rest })
const namespace = objectOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } })
const pod = (spec: object) => at('Pod', 'p', { spec })

/** Returns the objects that a pod needs. */
const neededBy = (spec: object, ...others: readonly KrmObject[]) =>
  implied([namespace, pod(spec), ...others]).map((message) => message.replace(' is not in the package; Pod ns/p needs it', ''))

test.each<[string, object, readonly string[]]>([
  ['a ServiceAccount', { serviceAccountName: 'a' }, ['ServiceAccount ns/a']],
  ['the ServiceAccount that is always there', { serviceAccountName: 'default' }, []],
  ['a Secret of images', { imagePullSecrets: [{ name: 's' }] }, ['Secret ns/s']],
  ['a volume of a claim', { volumes: [{ persistentVolumeClaim: { claimName: 'c' } }] }, ['PersistentVolumeClaim ns/c']],
  ['a volume of a Secret', { volumes: [{ secret: { secretName: 's' } }] }, ['Secret ns/s']],
  ['a volume of an optional Secret', { volumes: [{ secret: { secretName: 's', optional: true } }] }, []],
  ['a volume of a ConfigMap', { volumes: [{ configMap: { name: 'c' } }] }, ['ConfigMap ns/c']],
  ['the ConfigMap that is always there', { volumes: [{ configMap: { name: 'kube-root-ca.crt' } }] }, []],
  [
    'a projected volume',
    {
      volumes: [
        { projected: { sources: [{ secret: { name: 's' } }, { configMap: { name: 'c' } }, { configMap: { name: 'd', optional: true } }] } },
      ],
    },
    ['Secret ns/s', 'ConfigMap ns/c'],
  ],
  [
    'the environment of a container',
    { containers: [{ envFrom: [{ configMapRef: { name: 'c' } }, { secretRef: { name: 's' } }] }] },
    ['ConfigMap ns/c', 'Secret ns/s'],
  ],
  [
    'a variable of a container',
    {
      initContainers: [
        { env: [{ valueFrom: { configMapKeyRef: { name: 'c' } } }, { valueFrom: { secretKeyRef: { name: 's', optional: true } } }] },
      ],
    },
    ['ConfigMap ns/c'],
  ],
  [
    'a variable of a Secret',
    { containers: [{ env: [{ name: 'plain', value: '1' }, { valueFrom: { secretKeyRef: { name: 's' } } }] }] },
    ['Secret ns/s'],
  ],
  ['an empty name', { serviceAccountName: '' }, []],
])('a pod needs %s', (_, spec, expected) => {
  expect(neededBy(spec)).toEqual(expected)
})

test.each(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job'])(
  'the pods of a %s need what its template names',
  (kind) => {
    const spec = { template: { spec: { serviceAccountName: 'a' } } }
    expect(implied([namespace, at(kind, 'w', { spec }, 'apps/v1')])).toEqual([
      `ServiceAccount ns/a is not in the package; ${kind} ns/w needs it`,
    ])
    expect(implied([namespace, at('Other', 'w', { spec }, 'apps/v1')])).toEqual([])
  },
)

test('the pods of a CronJob need what the template of its Job names', () => {
  const spec = { jobTemplate: { spec: { template: { spec: { serviceAccountName: 'a' } } } } }
  expect(implied([namespace, at('CronJob', 'w', { spec }, 'batch/v1')])).toEqual([
    'ServiceAccount ns/a is not in the package; CronJob ns/w needs it',
  ])
})

test('what is in the package is not missing, in its own namespace', () => {
  const spec = { serviceAccountName: 'a', volumes: [{ configMap: { name: 'c' } }] }
  expect(neededBy(spec, at('ServiceAccount', 'a'), at('ConfigMap', 'c'))).toEqual([])
  const elsewhere = objectOf({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a', namespace: 'ns' } })
  const other = objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' } })
  expect(neededBy(spec, elsewhere, other)).toEqual(['ConfigMap ns/c'])
  expect(neededBy({ serviceAccountName: 'a' }, at('ServiceAccount', 'a', {}, 'apps/v1'))).toEqual(['ServiceAccount ns/a'])
})

test('a Secret that a SealedSecret or an ExternalSecret makes is not missing', () => {
  const spec = { imagePullSecrets: [{ name: 's' }] }
  const sealed = (kind: string, name: string, own: object = {}) => at(kind, name, { spec: own }, 'served.io/v1')
  const secrets = (object: KrmObject) => neededBy(spec, object).filter((message) => message.startsWith('Secret'))
  expect(secrets(sealed('SealedSecret', 's'))).toEqual([])
  expect(secrets(sealed('ExternalSecret', 's'))).toEqual([])
  expect(secrets(sealed('ExternalSecret', 'x', { target: { name: 's' } }))).toEqual([])
  expect(secrets(sealed('ExternalSecret', 's', { target: { name: 'x' } }))).toEqual(['Secret ns/s'])
  expect(secrets(sealed('SealedSecret', 'x'))).toEqual(['Secret ns/s'])
  expect(secrets(sealed('OtherSecret', 's'))).toEqual(['Secret ns/s'])
})

test('a missing object is named once, with the first three that need it', () => {
  const pods = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    at('Pod', name, { spec: { serviceAccountName: 'x', imagePullSecrets: [{ name: 's' }, { name: 's' }] } }),
  )
  expect(implied([namespace, ...pods])).toEqual([
    'ServiceAccount ns/x is not in the package; Pod ns/a, Pod ns/b, Pod ns/c and 2 more need it',
    'Secret ns/s is not in the package; Pod ns/a, Pod ns/b, Pod ns/c and 2 more need it',
  ])
  expect(implied([namespace, ...pods.slice(0, 2)])[0]).toBe('ServiceAccount ns/x is not in the package; Pod ns/a and Pod ns/b need it')
})

test('a namespace must be in the package, but for those that are always there', () => {
  const configOf = (name?: string) =>
    objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ...(name && { namespace: name }) } })
  expect(implied([configOf('ns')])).toEqual(['Namespace ns is not in the package; ConfigMap ns/c needs it'])
  for (const name of [undefined, 'default', 'kube-system']) expect(implied([configOf(name)])).toEqual([])
  expect(implied([configOf('ns'), namespace])).toEqual([])
})

const custom = (kind = 'Site', apiVersion = 'x.io/v1') => objectOf({ apiVersion, kind, metadata: { name: 's' } })
const definition = objectOf({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.x.io' },
  spec: { group: 'x.io', names: { kind: 'Site' }, versions: [{ name: 'v1', served: true }] },
})

test('a custom resource needs its definition, which a user may say that the cluster has', () => {
  expect(implied([custom()])).toEqual([
    'warning: CustomResourceDefinition of x.io/Site is not in the package, and nothing else brings it; Site s needs it; if the cluster has it, list `{apiVersion: x.io/v1, kind: Site}` under `provided` of a CheckDependencies',
  ])
  expect(implied([custom(), definition])).toEqual([])
  expect(implied([custom('Other'), definition])).toHaveLength(1)
  expect(implied([custom('Served', 'served.io/v1')])).toEqual([])
  expect(implied([custom('Any', 'apps/v1')])).toEqual([])
})

test('beside the objects of a fleet, a custom resource is what the fleet is made from', () => {
  const fleet = objectOf({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'PackageVariant', metadata: { name: 'v' } })
  expect(implied([custom(), fleet])[0]).toBe('CustomResourceDefinition of x.io/Site is not in the package; Site s needs it')
})

test('objects of tools, local ones, and those that are applied before a package need nothing', () => {
  const local = objectOf({
    apiVersion: 'x.io/v1',
    kind: 'Site',
    metadata: { name: 's', annotations: { 'config.kubernetes.io/local-config': 'true' } },
  })
  expect(
    implied([local, custom('Any', 'fn.krm-variants.dev/v1'), custom('Any', 'before.io/v1'), custom('Any', 'kustomize.config.k8s.io/v1')]),
  ).toEqual([])
})
