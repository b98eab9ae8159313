import { expect, test } from 'vitest'
import { CelError } from '../cel/cel-error.ts'
import { formatType, listOf, openRecordOf, recordOf, STRING, type Type } from '../cel/check/types.ts'
import { compileTyped } from '../cel/program.ts'
import { policyTypes, type TypeOfKind } from './policy-types.ts'

/** Returns the type of an expression of a policy; `fault` if the expression does not compile. */
function typeOf(text: string, forEach: string, where?: string, typeOfKind: TypeOfKind = () => undefined): string {
  try {
    return formatType(compileTyped(text, policyTypes(forEach, where, typeOfKind)).type)
  } catch (error) {
    if (error instanceof CelError) return 'fault'
    throw error
  }
}

const PLACE = ['apiVersion', 'kind', 'name', 'namespace', 'labels.a', 'annotations.a']
const VARIANT = ['apiVersion', 'kind', 'metadata.name', 'metadata.namespace', 'metadata.labels.a', 'metadata.annotations.a', 'ring']
  .concat(['spec.upstream.repo', 'spec.downstream.package'])
  .concat(PLACE.flatMap((field) => [`target.${field}`, `repository.${field}`]))

test.each([
  ['targets', PLACE],
  ['variants', VARIANT],
  ['packages', ['name', 'labels.a', 'annotations.a', ...VARIANT.map((field) => `variant.${field}`), 'repository.name']],
])('an item of %s has the fields of the documentation, which are texts, and no other', (forEach, fields) => {
  for (const field of fields) expect([field, typeOf(`item.${field}`, forEach)]).toEqual([field, 'string'])
  for (const field of ['nme', 'metadata.nme', 'target.variants', 'spec.upstrem'])
    expect([field, typeOf(`item.${field}`, forEach)]).toEqual([field, 'fault'])
})

test('the lists of items are lists of variants, and of objects of any fields', () => {
  expect(typeOf('item.variants[0].ring', 'targets')).toBe('string')
  expect(typeOf('item.variants[0].rings', 'targets')).toBe('fault')
  expect(typeOf('item.objects[0].spec', 'packages')).toBe('dyn')
  expect(typeOf('item.spec', 'objects')).toBe('dyn')
  expect(typeOf('item.size()', 'objects')).toBe('int')
})

test('the lists of the whole fleet are there whatever a policy looks at, an unknown thing too', () => {
  for (const forEach of ['objects', 'moons']) {
    expect(typeOf('variants[0].ring', forEach)).toBe('string')
    expect(typeOf('packages[0].objects[0].spec', forEach)).toBe('dyn')
    expect(typeOf('packages[0].variant.ring', forEach)).toBe('string')
    expect(typeOf('repositories[0].variants[0].ring', forEach)).toBe('string')
    expect(typeOf('repositories[0].nme', forEach)).toBe('fault')
    expect(typeOf('targets', forEach)).toBe('fault')
  }
  expect(typeOf('item', 'moons')).toBe('dyn')
})

const REGION = recordOf('Region', { spec: recordOf('spec', { zones: listOf(STRING) }) })
const typeOfRegion =
  (type: Type): TypeOfKind =>
  (apiVersion, kind) =>
    apiVersion === 'a.io/v1' && kind === 'Region' ? type : undefined
const ONE_KIND = "item.apiVersion == 'a.io/v1' && item.kind == 'Region'"

test.each([
  ['names one kind with a schema', 'objects', ONE_KIND, ['string', 'fault']],
  ['names one kind among other terms', 'objects', `${ONE_KIND} && item.spec.size() > 0`, ['string', 'fault']],
  ['names the version alone', 'objects', "item.apiVersion == 'a.io/v1'", ['dyn', 'dyn']],
  ['names the kind alone', 'objects', "item.kind == 'Region'", ['dyn', 'dyn']],
  ['names another kind', 'objects', "item.apiVersion == 'a.io/v1' && item.kind == 'Zone'", ['dyn', 'dyn']],
  ['lets other kinds through', 'objects', `${ONE_KIND} || true`, ['dyn', 'dyn']],
  ['is missing', 'objects', undefined, ['dyn', 'dyn']],
  ['is about something else', 'variants', ONE_KIND, ['fault', 'fault']],
])('a condition that %s gives items their type', (_what, forEach, where, types) => {
  const known = typeOfRegion(REGION)
  expect(['item.spec.zones[0]', 'item.spec.moons'].map((text) => typeOf(text, forEach, where, known))).toEqual(types)
})

test('an object of a known kind has its package, and fields that the schema leaves open', () => {
  expect(typeOf('item.package.variant.ring', 'objects', ONE_KIND, typeOfRegion(REGION))).toBe('string')
  expect(typeOf('item.other', 'objects', ONE_KIND, typeOfRegion(REGION))).toBe('fault')
  const open = openRecordOf('Region', { spec: STRING })
  expect(typeOf('item.other', 'objects', ONE_KIND, typeOfRegion(open))).toBe('dyn')
  expect(typeOf('item.spec', 'objects', ONE_KIND, typeOfRegion(open))).toBe('string')
  expect(typeOf('item.spec', 'objects', ONE_KIND, typeOfRegion(STRING))).toBe('dyn')
})
