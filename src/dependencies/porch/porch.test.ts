import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { readCatalogEntries } from '../reading/catalog.ts'
import { fieldAt, itemFields } from '../reading/field.ts'
import { PORCH } from './porch.ts'

const objectOf = (value: object, path = 'object.yaml') => writtenObject(JSON.stringify(value), path)
const variant = (name: string, downstream: string, path = `${name}.yaml`, upstream: object = { workspaceName: 'v1' }) =>
  objectOf(
    {
      apiVersion: 'config.porch.kpt.dev/v1alpha1',
      kind: 'PackageVariant',
      metadata: { name, namespace: 'default' },
      spec: { upstream: { repo: 'up', package: 'p', ...upstream }, downstream: { repo: 'eu', package: downstream } },
    },
    path,
  )
const revision = objectOf({
  apiVersion: 'porch.kpt.dev/v1alpha1',
  kind: 'PackageRevision',
  metadata: { name: 'up.p.v1', namespace: 'default' },
  spec: { repository: 'up', packageName: 'p', revision: 1, workspaceName: 'v1', lifecycle: 'Published' },
})
const kptfile = (tag: string) =>
  objectOf(
    { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'p' }, pipeline: { mutators: [{ image: 'ghcr.io/a/b', tag }] } },
    'Kptfile',
  )

/** Returns the rules that are found among objects; the Catalog has some tags of ghcr.io/a/b. */
function rulesOf(objects: readonly KrmObject[], { tags = [] as readonly string[], closed = true } = {}) {
  const catalog = objectOf({ spec: { packages: [{ ecosystem: 'kpt', id: 'ghcr.io/a/b', versions: tags }] } })
  const listed = tags.length === 0 ? [] : readCatalogEntries(itemFields(fieldAt(catalog, ['spec', 'packages']))).packages
  const read = PORCH.read(objects, listed, { closed })
  expect(read.faults()).toEqual(read.findings())
  expect([read.provided, read.brought, read.index, read.controller]).toEqual([[], [], undefined, undefined])
  return read.findings().map(({ rule, severity }) => (severity === undefined ? rule : `${rule} (${severity})`))
}

test('variants with their own upstreams and downstreams have no findings', () => {
  expect(rulesOf([revision, variant('a', 'a'), variant('b', 'b')])).toEqual([])
})

test('two variants with one downstream are found', () => {
  expect(rulesOf([revision, variant('a', 'a'), variant('b', 'a')])).toEqual(['downstream-duplicate'])
})

test('a missing upstream is found in a closed universe', () => {
  expect(rulesOf([variant('a', 'a')])).toEqual(['upstream-missing'])
  expect(rulesOf([variant('a', 'a')], { closed: false })).toEqual([])
})

test('Porch ignores the number of a revision, and `render` does not', () => {
  const rendered = objectOf({ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'RenderVariants', metadata: { name: 'r' } })
  const numbered = variant('a', 'a', 'a.yaml', { revision: 1 })
  expect(rulesOf([revision, numbered])).toEqual(['upstream-revision-ignored'])
  expect(rulesOf([revision, numbered, rendered])).toEqual([])
})

test('variants in a folder of a revision are the content of an upstream, not of the fleet', () => {
  const set = objectOf(
    {
      apiVersion: 'config.porch.kpt.dev/v1alpha2',
      kind: 'PackageVariantSet',
      metadata: { name: 's' },
      spec: { upstream: { repo: 'up', package: 'p', revision: 1 } },
    },
    'set.yaml',
  )
  const inRevision = (name: string) => variant(name, 'a', `up/p@v1/${name}.yaml`)
  const root = objectOf({ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'p' } }, 'up/p@v1/Kptfile')
  expect(rulesOf([set, revision, root, inRevision('a'), inRevision('b')])).toEqual([])
})

test('a range of tags is checked as a constraint, and for a known tag in it', () => {
  expect(rulesOf([kptfile('>=1.0.0, <2.0.0')], { tags: ['v1.5.0'] })).toEqual([])
  expect(rulesOf([kptfile('>=1.0.0, <2.0.0')], { tags: ['v2.5.0'] })).toEqual(['function-tag-unresolved'])
  expect(rulesOf([kptfile('~0.0.0')], { tags: ['v2.5.0'] })).toEqual(['constraint-suspect'])
  expect(rulesOf([kptfile('v1.5.0')])).toEqual([])
  expect(rulesOf([kptfile('^1.0.0')], { closed: false })).toEqual(['function-tag-unresolved (warning)'])
})

test('a suspect range is a finding of kpt, at the tag', () => {
  const [found] = PORCH.read([kptfile('~0.0.0')], [], { closed: false }).findings()
  expect([found?.tags.ecosystem, found?.place.path]).toEqual(['kpt', ['pipeline', 'mutators', 0, 'tag']])
})

test.each([
  ['kpt.dev', true],
  ['porch.kpt.dev', true],
  ['config.porch.kpt.dev', true],
  ['notkpt.dev', false],
  ['kpt.dev.example.org', false],
  ['kptxdev', false],
])('objects of the group %s are read: %s', (group, expected) => {
  expect(PORCH.groups.test(group)).toBe(expected)
})

test('the configs of our own functions are read, too, as objects of kpt', () => {
  expect([PORCH.id, [...(PORCH.groupsBeside ?? [])]]).toEqual(['kpt', ['fn.krm-variants.dev']])
})
