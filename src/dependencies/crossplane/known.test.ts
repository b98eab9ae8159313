import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { contentName, findKnownPackages, metadataOfPackage } from './known.ts'
import { catalogOf, collector, digest, objectOf } from './testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const A = digest('a')
const B = digest('b')

function metadata(spec: object, annotations: object = {}, path = 'helm/crossplane.yaml'): KrmObject {
  return objectOf({ apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'helm', annotations }, spec }, path)
}

function known(objects: readonly KrmObject[], ...entries: readonly object[]) {
  return findKnownPackages(objects, catalogOf(...entries), { crossplaneSemantics: 'current' })
}

function definition(name: string, path: string): KrmObject {
  const spec = {
    group: 'acme.org',
    names: { kind: 'Chart' },
    versions: [
      { name: 'v1', served: true },
      { name: 'v2', served: false },
    ],
  }
  return objectOf({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name }, spec }, path)
}

describe('the known versions', () => {
  test('a version of a catalog is found by its tag and by its digest', () => {
    const packages = known([], { id: HELM, versions: [{ version: 'v1.0.0', digest: A, dependencies: [] }] })
    expect(packages.find(HELM, 'v1.0.0')).toBe(packages.find(HELM, A))
    expect(packages.find(HELM, 'v1.0.0')).toBeDefined()
    expect(packages.find(HELM, 'v2.0.0')).toBeUndefined()
    expect([packages.digestOf(HELM, 'v1.0.0'), packages.digestOf(HELM, 'v2.0.0')]).toEqual([A, ''])
  })

  test('a version that a catalog only names has a tag, and no requirements are known', () => {
    const packages = known([], { id: HELM, versions: ['v1.0.0'] })
    expect(packages.tagsOf(HELM)).toEqual(['v1.0.0'])
    expect(packages.find(HELM, 'v1.0.0')).toBeUndefined()
  })

  test('a metadata object whose annotation names its reference is the version of that reference, before a catalog', () => {
    const object = metadata({ dependsOn: [] }, { 'krm-variants.dev/package': `${HELM}:v1.0.0@${A}` })
    const packages = known([object], { id: HELM, versions: [{ version: 'v1.0.0', digest: B, dependencies: [{ provider: 'x/y' }] }] })
    const found = packages.find(HELM, 'v1.0.0')
    expect(found?.place().ref.name).toBe('helm')
    expect(packages.digestOf(HELM, 'v1.0.0')).toBe(A)
    expect(packages.written).toEqual([])
  })

  test('a metadata object without that annotation is a package being written', () => {
    const packages = known([metadata({ dependsOn: [] })])
    expect(packages.written.map(({ known: { id, version } }) => [id, version])).toEqual([['helm', '']])
  })

  test('the first kind that a catalog lists is the kind of the source', () => {
    const packages = known([], { id: HELM, kind: 'Function', versions: [] }, { id: HELM, kind: 'Provider', versions: [] })
    expect([packages.kindOf(HELM), packages.kindOf('xpkg.example.org/other')]).toEqual(['Function', ''])
  })

  test('dependencies that a catalog leaves out are not known, an empty list requires nothing', () => {
    const packages = known([], { id: HELM, versions: [{ version: 'v1.0.0' }, { version: 'v2.0.0', dependencies: [] }] })
    const dependsOn = (version: string) => {
      const found = packages.find(HELM, version)
      return found && metadataOfPackage(found, collector()).dependsOn
    }
    expect([dependsOn('v1.0.0'), dependsOn('v2.0.0')]).toEqual([undefined, []])
  })

  test('faults of a metadata object are reported by the reading that asks for them, once', () => {
    const [found] = known([metadata({ dependsOn: [{}] })]).all
    const silent = collector()
    const loud = collector()
    if (found !== undefined) metadataOfPackage(found, silent)
    found?.read(loud)
    expect([silent.findings.length, loud.findings.length]).toEqual([0, 1])
  })
})

describe('the contents of a package', () => {
  test('are the definitions and compositions in the folder of its metadata and below', () => {
    const composition = { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', metadata: { name: 'net' } }
    const objects = [
      metadata({}, { 'krm-variants.dev/package': `${HELM}:v1.0.0` }),
      definition('charts.acme.org', 'helm/crds/charts.yaml'),
      objectOf(composition, 'helm/composition.yaml'),
      objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }, 'helm/config.yaml'),
      definition('tables.acme.org', 'sql/tables.yaml'),
    ]
    const found = known(objects).find(HELM, 'v1.0.0')
    expect(found?.contents().map(({ object }) => object)).toEqual(['CustomResourceDefinition charts.acme.org', 'Composition net'])
    expect(found?.provides()).toEqual([{ apiVersion: 'acme.org/v1', kind: 'Chart' }])
  })

  test('are listed in the catalog', () => {
    const brings = [{ kind: 'CustomResourceDefinition', name: 'charts.acme.org' }]
    const found = known([], { id: HELM, versions: [{ version: 'v1.0.0', brings }] }).find(HELM, 'v1.0.0')
    expect(found?.contents().map(({ object }) => object)).toEqual(['CustomResourceDefinition charts.acme.org'])
  })

  test('a definition of Crossplane shares its name with the CustomResourceDefinition that it becomes', () => {
    const xrd = { apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition', metadata: { name: 'charts.acme.org' } }
    expect(contentName(objectOf(xrd))).toBe(contentName(definition('charts.acme.org', 'a.yaml')))
    expect(contentName(objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }))).toBeUndefined()
  })
})
