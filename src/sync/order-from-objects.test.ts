import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { DeployedPackage } from './deployed-packages.ts'
import type { DraftDeployment } from './options.ts'
import { orderFromObjects } from './order-from-objects.ts'

interface TestPackage {
  readonly packageName: string | undefined
  readonly objects: readonly JsonRecord[]
  readonly repository?: string
  readonly namespace?: string
}

/** Returns what the packages of the cluster `one` need, a line each: `dns needs certs: the definition of Certificate`. */
function orderOf(packages: readonly TestPackage[], catalogs: readonly KrmObject[] = []): readonly string[] {
  const drafts = packages.map(({ packageName, objects, repository = 'one', namespace = 'default' }): DraftDeployment => {
    const applied = objects.map((object, index) => writtenObject(JSON.stringify(object), `${packageName}/${index}.yaml`))
    const content: DeployedPackage = {
      packageName: packageName ?? '',
      isRendered: true,
      isKustomized: false,
      isBuilt: false,
      applied,
      local: [],
      strange: new Map(),
      folder: '',
      inGit: undefined,
    }
    return {
      ...DRAFT,
      repository,
      namespace,
      packageName,
      contents: [content],
    }
  })
  return [...orderFromObjects(drafts, catalogs)].flatMap(([name, needs]) =>
    [...needs].map(([needed, reason]) => `${name} needs ${needed}: ${reason}`),
  )
}

const DRAFT: DraftDeployment = {
  name: '',
  fullName: '',
  namespace: 'default',
  rank: 0,
  set: '',
  repository: '',
  repositoryObject: writtenObject('kind: Repository\n'),
  packageName: undefined,
  isBuilt: false,
  contents: [],
  url: '',
  isOci: false,
  branch: 'main',
  tag: undefined,
  folder: '',
  secret: undefined,
  project: undefined,
  destination: undefined,
  targetNamespace: undefined,
}

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'c' },
  spec: { group: 'certs.io', names: { kind: 'Certificate' } },
}
const CERTIFICATE = { apiVersion: 'certs.io/v1', kind: 'Certificate', metadata: { name: 'a' } }
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
const map = (metadata: JsonRecord) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata } })
const after = (text: string) => map({ annotations: { 'config.kubernetes.io/depends-on': text } })
const DATABASE = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'db', namespace: 'shop' } }

const pkg = (packageName: string, ...objects: readonly JsonRecord[]): TestPackage => ({ packageName, objects })

test('the definition of a kind comes before objects of the kind', () => {
  expect(orderOf([pkg('dns', CERTIFICATE), pkg('certs', CRD)])).toEqual(['dns needs certs: the definition of Certificate'])
})

test('a definition of another group or kind is none', () => {
  const other = { ...CERTIFICATE, apiVersion: 'other.io/v1' }
  expect(orderOf([pkg('dns', other, { ...CERTIFICATE, kind: 'Issuer' }), pkg('certs', CRD)])).toEqual([])
})

test('a Namespace comes before what is in it', () => {
  expect(orderOf([pkg('app', map({ namespace: 'shop' })), pkg('base', NAMESPACE)])).toEqual(["app needs base: Namespace 'shop'"])
  expect(orderOf([pkg('app', map({ namespace: 'other' }), map({})), pkg('base', NAMESPACE)])).toEqual([])
  expect(orderOf([pkg('app', map({ namespace: 'shop' })), pkg('base', { ...NAMESPACE, apiVersion: 'k.io/v1' })])).toEqual([])
})

test('what depends-on names comes first, with and without a namespace', () => {
  const name = 'apps/namespaces/shop/Deployment/db'
  expect(orderOf([pkg('app', after(` /ConfigMap/nope , ${name}`)), pkg('base', DATABASE)])).toEqual([
    `app needs base: ${name}, which config.kubernetes.io/depends-on names`,
  ])
  expect(orderOf([pkg('app', after('/Namespace/shop')), pkg('base', NAMESPACE)])).toEqual([
    'app needs base: /Namespace/shop, which config.kubernetes.io/depends-on names',
  ])
  expect(orderOf([pkg('app', after('apps/Deployment/db')), pkg('base', DATABASE)])).toEqual([])
})

test('a package does not wait for itself, and of two packages with an object for neither', () => {
  expect(orderOf([pkg('certs', CRD, CERTIFICATE)])).toEqual([])
  expect(orderOf([pkg('dns', CERTIFICATE), pkg('certs', CRD), pkg('more', CRD)])).toEqual([])
})

test('of several reasons for one package the first is named, and of several packages each', () => {
  const certificate = { ...CERTIFICATE, metadata: { name: 'a', namespace: 'shop' } }
  expect(orderOf([pkg('dns', certificate, certificate), pkg('certs', CRD, NAMESPACE)])).toEqual([
    'dns needs certs: the definition of Certificate',
  ])
  expect(orderOf([pkg('dns', certificate), pkg('certs', CRD), pkg('base', NAMESPACE)])).toEqual([
    'dns needs certs: the definition of Certificate',
    "dns needs base: Namespace 'shop'",
  ])
})

test('a package of another cluster or namespace comes before nothing, and a whole Repository has no order', () => {
  expect(orderOf([pkg('dns', CERTIFICATE), { ...pkg('certs', CRD), repository: 'two' }])).toEqual([])
  expect(orderOf([pkg('dns', CERTIFICATE), { ...pkg('certs', CRD), namespace: 'other' }])).toEqual([])
  expect(orderOf([pkg('dns', CERTIFICATE), { packageName: undefined, objects: [CRD] }])).toEqual([])
})

test('what a package manager requires comes first', () => {
  const provider = crossplane('Provider', 'p')
  const versions = [{ version: 'v1.0.0', dependencies: [{ provider: 'r.io/acme/p', version: '>=v1.0.0' }] }]
  const packages = [{ ecosystem: 'crossplane', id: 'r.io/acme/c', kind: 'Configuration', versions }]
  const value = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'k' }, spec: { packages } }
  const catalogs = [writtenObject(JSON.stringify(value), 'catalog.yaml')]
  const app = pkg('app', crossplane('Configuration', 'c'))
  expect(orderOf([app, pkg('base', provider)], catalogs)).toEqual(['app needs base: r.io/acme/p, which r.io/acme/c v1.0.0 requires'])
  expect(orderOf([app, pkg('base', provider)])).toEqual([])
  expect(orderOf([pkg('app', crossplane('Configuration', 'c'), provider)], catalogs)).toEqual([])
})

function crossplane(kind: string, name: string): JsonRecord {
  return { apiVersion: 'pkg.crossplane.io/v1', kind, metadata: { name }, spec: { package: `r.io/acme/${name}:v1.0.0` } }
}
