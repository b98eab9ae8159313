import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import { kptfileText, writtenObject } from '../../../testdata/written-objects.ts'
import { decodePackageVariant } from '../../kinds/package-variant.ts'
import { VARIANT_KEYS_ANNOTATION } from '../../lifecycle/owner-annotation.ts'
import { FunctionError, type Result } from '../../result.ts'
import { keysOfVariant, readVariantKeys, recordVariantKeys, unitedKeys } from './variant-keys.ts'

const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
    - image: set-labels:v0.2.0
      configMap:
        team: x
`
const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop\n'

function newFleet(kptfile: string): OneVariantFleet {
  const fleet = new OneVariantFleet({ v1: { Kptfile: kptfile, 'shop.yaml': CONFIG } })
  fleet.spec = '  packageContext: {data: {site: edge}}\n  labels: {tier: core}\n  annotations: {approval: auto}\n'
  fleet.render(1)
  return fleet
}

/** Returns the rules of the errors of a removal of the package, after an edit of one of its files. */
function removalAfter(fleet: OneVariantFleet, path: string, before: string, after: string): readonly string[] {
  fleet.editPackage(path, before, after)
  return removal(fleet).flatMap(({ severity, message, tags }) => (severity === 'error' ? [`${tags.rule} ${message}`] : []))
}

function removal(fleet: OneVariantFleet): readonly Result[] {
  fleet.hasVariant = false
  try {
    return fleet.render(1, { options: { allowEmpty: true } }).results
  } catch (error) {
    if (error instanceof FunctionError) return error.results
    throw error
  }
}

const EDITS = [
  {
    what: 'a key in the data of the package context',
    path: 'package-context.yaml',
    before: '  site: edge',
    after: '  site: edge\n  mine: a',
  },
  { what: 'a key __proto__ in the data', path: 'package-context.yaml', before: '  site: edge', after: '  site: edge\n  __proto__: a' },
  { what: 'a comment in a document of its own', path: 'shop.yaml', before: 'apiVersion', after: '# mine\n---\napiVersion' },
  { what: 'a comment behind a separator', path: 'shop.yaml', before: 'apiVersion', after: '--- # mine\napiVersion' },
  { what: 'a label of the Kptfile', path: 'Kptfile', before: '    tier: core', after: '    tier: core\n    mine: a' },
  { what: 'an annotation of the Kptfile', path: 'Kptfile', before: '    approval: auto', after: '    approval: auto\n    mine: a' },
  { what: 'a function', path: 'Kptfile', before: 'pipeline:\n', after: 'pipeline:\n  validators:\n    - image: example.com/mine:1\n' },
]

test.each(EDITS)('a package is not removed with $what that people added', ({ path, before, after }) => {
  expect(removalAfter(newFleet(KPTFILE), path, before, after)).toEqual([expect.stringMatching(`^discard-edits .*'${path}'`)])
})

test.each(EDITS.slice(0, -1))('a package without functions is not removed with $what that people added', ({ path, before, after }) => {
  const kptfile = KPTFILE.slice(0, KPTFILE.indexOf('pipeline'))
  expect(removalAfter(newFleet(kptfile), path, before, after)).toEqual([expect.stringMatching(`^discard-edits .*'${path}'`)])
})

test('a package is removed with what its variant and its functions wrote, also if the variant stopped to ask for it', () => {
  const fleet = newFleet(KPTFILE)
  fleet.spec = '  packageContext: {data: {zone: b}}\n'
  fleet.render(1)
  expect(fleet.readPackage('Kptfile')).toContain('krm-variants.dev/variant-keys: data.site data.zone labels.tier annotations.approval\n')
  expect(removal(fleet).map(({ tags }) => tags.rule)).toEqual(['package-removed'])
})

test('a label with the name of a label of the variant counts if people had it before the variant did', () => {
  const fleet = newFleet(KPTFILE)
  fleet.editPackage('Kptfile', '    tier: core', '    tier: mine')
  fleet.editPackage('Kptfile', 'labels.tier ', '')
  fleet.render(1)
  expect(removal(fleet).map(({ tags }) => tags.rule)).toEqual(['discard-edits'])
})

/** Returns a variant with lines of its spec. */
function variantWith(spec: string) {
  return decodePackageVariant(
    writtenObject(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: edge-shop}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  downstream: {repo: edge, package: shop}
${spec}`),
  ).variant
}

const WRITES = variantWith('  packageContext: {data: {site: edge, area: b}}\n  labels: {tier: core}\n  annotations: {approval: auto}\n')

const NO_KEYS = { data: new Set(), labels: new Set(), annotations: new Set() }

test('the keys of a variant are those of each of its three maps', () => {
  expect(keysOfVariant(WRITES)).toEqual({ data: new Set(['site', 'area']), labels: new Set(['tier']), annotations: new Set(['approval']) })
  expect(keysOfVariant(variantWith(''))).toEqual(NO_KEYS)
})

test.each([
  ['', {}],
  ['data.region labels.team', { data: new Set(['region']), labels: new Set(['team']) }],
  ['  data.a.b\n data.c  annotations.x.y/z ', { data: new Set(['a.b', 'c']), annotations: new Set(['x.y/z']) }],
  ['database.a data labelsb.c mydata.d', {}],
])('the record %j of a Kptfile names keys by their map', (record, keys) => {
  expect(readVariantKeys({ annotations: new Map([[VARIANT_KEYS_ANNOTATION, record]]) })).toEqual({ ...NO_KEYS, ...keys })
})

test('a Kptfile without a record has no keys of a variant', () => {
  expect(readVariantKeys({ annotations: new Map([['other', 'data.region']]) })).toEqual(NO_KEYS)
})

test('the keys of two records are united map by map', () => {
  const some = { data: new Set(['a']), labels: new Set(['b']), annotations: new Set(['c']) }
  const others = { data: new Set(['a', 'd']), labels: new Set(['e']), annotations: new Set(['f']) }
  expect(unitedKeys(some, others)).toEqual({
    data: new Set(['a', 'd']),
    labels: new Set(['b', 'e']),
    annotations: new Set(['c', 'f']),
  })
})

test.each([
  [
    'the values of the variant',
    '  labels: {tier: core}\n  annotations: {approval: auto}\n',
    'data.area data.site labels.tier annotations.approval',
  ],
  ['another label', '  labels: {tier: mine}\n  annotations: {approval: auto}\n', 'data.area data.site annotations.approval'],
  ['another annotation', '  labels: {tier: core}\n  annotations: {approval: hand}\n', 'data.area data.site labels.tier'],
  ['neither', '', 'data.area data.site'],
  [
    'an earlier record',
    `  annotations: {${VARIANT_KEYS_ANNOTATION}: labels.old data.zone data.site}\n`,
    'data.area data.site data.zone labels.old',
  ],
])('the keys that the variant wrote are recorded in a Kptfile with %s', (_what, metadata, record) => {
  const kptfile = writtenObject(kptfileText('shop', metadata), 'Kptfile')
  recordVariantKeys(kptfile, WRITES)
  expect(kptfile.annotations.get(VARIANT_KEYS_ANNOTATION)).toBe(record)
})

test('a Kptfile in which a variant wrote no key has no record', () => {
  const kptfile = writtenObject(kptfileText('shop', '  labels: {tier: mine}\n'), 'Kptfile')
  recordVariantKeys(kptfile, variantWith('  labels: {tier: core}\n'))
  expect(kptfile.toText()).toBe(kptfileText('shop', '  labels: {tier: mine}\n'))
})
