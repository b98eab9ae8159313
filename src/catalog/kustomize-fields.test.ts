import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { findingsOf } from '../result.ts'
import { refuseInfinity, renamedFields } from './kustomize-fields.ts'

const object = writtenObject('kind: A\nspec:\n  text: t\n')

const faults = (act: () => unknown) =>
  findingsOf(() => {
    act()
    return []
  }).map(({ message, tags }) => `${message} [${tags.rule}]`)

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
