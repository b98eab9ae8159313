import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { imageRewrites, readImageConfigs } from './image-configs.ts'
import { type CrossplaneOptions, contentName, findKnownPackages, isDefinition, metadataOfPackage } from './known.ts'
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

test('the package of an image has its tag, else its digest', () => {
  const versions = [
    { version: 'v1.0.0', digest: A, dependencies: [] },
    { version: 'v2.0.0', digest: B, dependencies: [] },
  ]
  const packages = known([], { id: HELM, versions })
  const ofImage = (tag: string, content: string) => packages.ofImage({ source: HELM, tag, digest: content })?.version
  expect([ofImage('v1.0.0', B), ofImage('', B), ofImage('v9.0.0', B), ofImage('v9.0.0', '')]).toEqual([
    'v1.0.0',
    'v2.0.0',
    'v2.0.0',
    undefined,
  ])
})

test('the first entry of a version with content counts, and its first digest', () => {
  const entry = (version: unknown) => ({ id: HELM, versions: [version] })
  const packages = known(
    [],
    entry('v1.0.0'),
    entry({ version: 'v1.0.0', digest: A, constraints: { crossplane: '>=v1' } }),
    { ...entry({ version: 'v1.0.0', digest: B }), repository: 'other' },
    { ...entry({ version: 'v9.0.0' }), ecosystem: 'glasskube' },
  )
  const found = packages.find(HELM, 'v1.0.0')
  expect(found && metadataOfPackage(found, collector()).platform?.constraint).toBe('>=v1')
  expect(packages.digestOf(HELM, 'v1.0.0')).toBe(A)
  expect(packages.tagsOf(HELM)).toEqual(['v1.0.0', A, B])
})

test('sources are those with a known version, from objects and catalogs', () => {
  const own = metadata({}, { 'krm-variants.dev/package': 'xpkg.example.org/acme/own:v1.0.0' })
  const packages = known(
    [own, metadata({})],
    { id: HELM, versions: ['v1.0.0'] },
    { id: 'xpkg.example.org/acme/empty', kind: 'Provider', versions: [] },
  )
  expect([...packages.sources()]).toEqual(['xpkg.example.org/acme/own', HELM])
  expect(packages.tagsOf('xpkg.example.org/acme/own')).toEqual(['v1.0.0'])
  expect(packages.tagsOf('xpkg.example.org/acme/empty')).toEqual([])
})

describe('the versions of a source that an ImageConfig rewrites', () => {
  const MIRROR = 'mirror.example.org/acme/helm'
  const config = objectOf({
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: { name: 'mirror' },
    spec: { matchImages: [{ prefix: 'xpkg.example.org' }], rewriteImage: { prefix: 'mirror.example.org' } },
  })
  const rewritten = (...entries: readonly object[]) =>
    findKnownPackages([], catalogOf(...entries), { crossplaneSemantics: 'current' }, imageRewrites(readImageConfigs([config])))
  const own = { id: HELM, kind: 'Function', versions: [{ version: 'v9.0.0', digest: B, dependencies: [] }] }
  const mirror = { id: MIRROR, kind: 'Provider', versions: [{ version: 'v1.0.0', digest: A, dependencies: [] }] }

  test('are those of the place that it is pulled from', () => {
    for (const packages of [rewritten(mirror), rewritten(own, mirror)]) {
      expect(packages.tagsOf(HELM)).toEqual(['v1.0.0', A])
      expect(packages.find(HELM, 'v1.0.0')?.id).toBe(MIRROR)
      expect([packages.digestOf(HELM, 'v1.0.0'), packages.digestOf(HELM, 'v9.0.0')]).toEqual([A, ''])
    }
  })

  test('are its own where no version of that place is known', () => {
    const packages = rewritten(own)
    expect([packages.tagsOf(HELM), packages.find(HELM, 'v9.0.0')?.id, packages.digestOf(HELM, 'v9.0.0')]).toEqual([['v9.0.0', B], HELM, B])
  })

  test('are of its own kind, else of the kind of that place', () => {
    expect([rewritten(own, mirror).kindOf(HELM), rewritten(mirror).kindOf(HELM)]).toEqual(['Function', 'Provider'])
  })
})

describe('the range of Crossplane that a version runs on', () => {
  const platform = (objects: readonly KrmObject[], options: Partial<CrossplaneOptions>, ...entries: readonly object[]) => {
    const [found] = findKnownPackages(objects, catalogOf(...entries), { crossplaneSemantics: 'current', ...options }).all
    return found && metadataOfPackage(found, collector()).platform?.constraint
  }

  test('is in the metadata, or in a catalog', () => {
    expect(platform([metadata({ crossplane: { version: '>=v1.14' } })], {})).toBe('>=v1.14')
    expect(platform([metadata({})], {})).toBeUndefined()
    const listed = (constraints: object) => platform([], {}, { id: HELM, versions: [{ version: 'v1.0.0', constraints }] })
    expect([listed({ crossplane: '>=v1.14' }), listed({ crossplane: '' }), listed({})]).toEqual(['>=v1.14', undefined, undefined])
  })

  test('is an item of dependsOn in the seed', () => {
    const dependencies = [{ package: HELM }, { crossplane: '>=v0.11' }]
    const seed: Partial<CrossplaneOptions> = { crossplaneSemantics: 'seed' }
    expect(platform([metadata({ dependsOn: dependencies })], seed)).toBe('>=v0.11')
    expect(platform([], seed, { id: HELM, versions: [{ version: 'v1.0.0', dependencies }] })).toBe('>=v0.11')
    expect(platform([metadata({ dependsOn: dependencies })], {})).toBeUndefined()
  })
})

test('a metadata object without dependsOn is read for a misspelt one', () => {
  const messages = (spec: object) => {
    const found = collector()
    for (const each of known([metadata(spec)]).all) each.read(found)
    return found.findings.map(({ message }) => message)
  }
  expect(messages({ dependOn: [] })).toEqual(["`spec.dependOn` is not a field of spec; did you mean 'dependsOn'?"])
  expect(messages({ dependOn: [], dependsOn: [] })).toEqual([])
})

describe('the contents of a version', () => {
  const reference = { 'krm-variants.dev/package': `${HELM}:v1.0.0` }
  const contents = (...objects: readonly KrmObject[]) => known(objects).all.flatMap((each) => each.contents().map(({ object }) => object))

  test('are not those of a package that is being written, and of no folder that only begins as its own does', () => {
    const crd = definition('charts.acme.org', 'helm/crd.yaml')
    expect(contents(metadata({}), crd)).toEqual([])
    expect(contents(metadata({}, reference), crd, definition('tables.acme.org', 'helm-more/crd.yaml'))).toEqual([
      'CustomResourceDefinition charts.acme.org',
    ])
  })

  test('of a package at the root are all definitions', () => {
    expect(contents(metadata({}, reference, 'crossplane.yaml'), definition('charts.acme.org', 'deep/below/crd.yaml'))).toHaveLength(1)
  })

  test('are listed by a catalog, with the kinds that the version provides', () => {
    const provides = [{ apiVersion: 'acme.org/v1', kind: 'Chart' }]
    const [found] = known([], { id: HELM, versions: [{ version: 'v1.0.0', provides, brings: [{ kind: 'Composition', name: 'net' }] }] }).all
    expect(found?.provides()).toEqual(provides)
    expect(found?.contents()).toMatchObject([{ object: 'Composition net', kinds: [] }])
    expect(found?.contents()[0]?.written).toBeUndefined()
    expect([found?.place().path, found?.contents()[0]?.place.path]).toEqual([
      ['value', 0, 'versions', 0],
      ['value', 0, 'versions', 0, 'brings', 0],
    ])
  })

  test('are types in a PackageRevision of the seed: three lists of definitions, and compositions, which define no kind', () => {
    const type = (kind: string) => [{ apiVersion: 'acme.org/v1', kind }]
    const spec = {
      package: `${HELM}:v1.0.0`,
      compositions: type('Net'),
      customResourceDefinitions: type('Chart'),
      infrastructureDefinitions: type('Table'),
      infrastructurePublications: type('Row'),
    }
    const revision = objectOf({
      apiVersion: 'packages.crossplane.io/v1alpha1',
      kind: 'PackageRevision',
      metadata: { name: 'helm-1' },
      spec,
    })
    const [found] = known([revision]).all
    expect(found?.contents().map(({ object }) => object)).toEqual([
      'CustomResourceDefinition acme.org/v1 Chart',
      'CustomResourceDefinition acme.org/v1 Table',
      'CustomResourceDefinition acme.org/v1 Row',
      'Composition acme.org/v1 Net',
    ])
    expect(found?.provides().map(({ kind }) => kind)).toEqual(['Chart', 'Table', 'Row'])
  })

  test('are Compositions of Crossplane with a name', () => {
    const composition = (apiVersion: string, metadata: object) => contentName(objectOf({ apiVersion, kind: 'Composition', metadata }))
    expect(composition('apiextensions.crossplane.io/v1', { name: 'net' })).toBe('Composition net')
    expect(composition('apiextensions.crossplane.io/v1', {})).toBeUndefined()
    expect(composition('example.org/v1', { name: 'net' })).toBeUndefined()
  })
})

test.each([
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', true],
  ['apiextensions.crossplane.io/v2', 'CompositeResourceDefinition', true],
  ['apiextensions.crossplane.io/v1', 'CustomResourceDefinition', false],
  ['apiextensions.k8s.io/v1', 'CompositeResourceDefinition', false],
  ['apiextensions.crossplane.io/v1', 'Composition', false],
])('a %s %s is a definition: %s', (apiVersion, kind, expected) => {
  expect(isDefinition(objectOf({ apiVersion, kind, metadata: { name: 'a' } }))).toBe(expected)
})
