import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { FunctionError } from '../../result.ts'
import { configuredNamespace } from './namespace-config.ts'

/** Returns the namespace that a functionConfig names, or the messages of its errors. */
function read(text: string): string | readonly string[] {
  try {
    return configuredNamespace(writtenObject(text))
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(({ message }) => message)
    throw error
  }
}

test.each([
  ['kind: SetNamespace\nnamespace: a\ndata: {namespace: b}\n', 'a'],
  ['kind: SetNamespace\nmetadata: {name: kptfile.kpt.dev}\ndata: {name: b}\n', ['`namespace` must be set']],
  ['kind: ConfigMap\nnamespace: a\ndata: {namespace: b, name: c}\n', 'b'],
  ['kind: ConfigMap\ndata: {name: c}\n', ['`data.namespace` must be set']],
  ['kind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}\ndata: {name: c}\n', 'c'],
  ['kind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}\ndata: {namespace: b, name: c}\n', 'b'],
  ['kind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}\ndata: {namespace: "", name: c}\n', 'c'],
  ['kind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}\ndata: {}\n', ['`data.name` must be set']],
  [
    'kind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}\ndata: {namespace: 5, name: c}\n',
    ['`data.namespace` must be a string, got the number 5'],
  ],
])('the functionConfig %j names the namespace %j', (text, expected) => {
  expect(read(text)).toEqual(expected)
})
