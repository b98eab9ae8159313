import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { findingsOf } from '../result.ts'
import { kustomizePlaces, refuseInfinity, renamedFields } from './kustomize-fields.ts'

const object = writtenObject('kind: A\nspec:\n  list:\n  - {name: a, deep: [{x: 1}, {}]}\n  - {name: b}\n  none: ~\n  text: t\n')

const places = (path: string, create = false) => kustomizePlaces(object, { path, create }).map((place) => place.join('.'))
const faults = (act: () => unknown) =>
  findingsOf(() => {
    act()
    return []
  }).map(({ message, tags }) => `${message} [${tags.rule}]`)

// As kustomize's fieldspec filter.
test.each([
  ['spec/text', false, ['spec.text']],
  ['spec/list/name', false, ['spec.list.0.name', 'spec.list.1.name']],
  ['spec/list[]/name', false, ['spec.list.0.name', 'spec.list.1.name']],
  ['spec/list/deep/x', false, ['spec.list.0.deep.0.x']],
  ['spec/list/deep/x', true, ['spec.list.0.deep.0.x', 'spec.list.0.deep.1.x', 'spec.list.1.deep.x']],
  ['spec/missing/x', false, []],
  ['spec/missing/x', true, ['spec.missing.x']],
  ['spec/none/x', true, ['spec.none.x']],
  ['spec/missing[]/x', true, []],
  ['spec/missing/x[]/y', true, []],
])('%s, made: %s', (path, create, found) => {
  expect(places(path, create)).toEqual(found)
})

test('a text on the way is an error', () => {
  expect(faults(() => places('spec/text/x'))).toEqual(["`spec.text` must be a map or a list, got 't' [wrong-type]"])
})

const config = (fields: string) => writtenObject(`apiVersion: fn.kpt.dev/v1alpha1\nkind: SetLabels\nmetadata: {name: c}\n${fields}`)
const FIELD = '[{kind: A, path: spec/x, create: true}]'

test('fields are added under the name of the function or under the old one, and not under both', () => {
  for (const name of ['additionalLabelFields', 'fieldSpecs'])
    expect(renamedFields(config(`${name}: ${FIELD}\n`), 'additionalLabelFields')).toMatchObject([
      { kind: 'A', path: 'spec/x', create: true },
    ])
  expect(renamedFields(config(''), 'additionalLabelFields')).toEqual([])
  expect(renamedFields(writtenObject(`kind: ConfigMap\nfieldSpecs: ${FIELD}\n`), 'additionalLabelFields')).toEqual([])
  expect(faults(() => renamedFields(config(`additionalLabelFields: ${FIELD}\nfieldSpecs: ${FIELD}\n`), 'additionalLabelFields'))).toEqual([
    '`fieldSpecs` must not be set beside `additionalLabelFields`, of which it is the old name [exclusive-fields]',
  ])
})

test('a number that JSON does not have is an error, each at its place, and a text that looks like it is none', () => {
  const numbers = writtenObject('kind: A\na: .inf\nb: [-.Inf, 1]\nc: .NaN\nd: ".inf"\n')
  expect(faults(() => refuseInfinity([object, numbers]))).toEqual([
    '`a` must be a number of JSON, got .inf [wrong-type]',
    '`b[0]` must be a number of JSON, got -.Inf [wrong-type]',
    '`c` must be a number of JSON, got .NaN [wrong-type]',
  ])
  expect(() => refuseInfinity([object, writtenObject('kind: A\nd: ".inf"\n')])).not.toThrow()
})
