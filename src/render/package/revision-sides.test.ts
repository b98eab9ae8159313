import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { asWritten } from './revision-sides.ts'

function inBraces(...names: readonly string[]): readonly KrmObject[] {
  return names.map((name) => KrmObject.fromDocument(`{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n`))
}

function written(content: readonly string[], others: readonly string[]): readonly (string | undefined)[] {
  return asWritten(inBraces(...content), inBraces(...others), []).map(({ name }) => name)
}

test('an object in braces that functions renamed is the one at its place', () => {
  expect(written(['a', 'b'], ['a2', 'b'])).toEqual(['a2', 'b'])
})

test('an object at the place of another one is not taken for it if it has a name of its own', () => {
  expect(written(['a', 'b'], ['b', 'a2'])).toEqual(['a', 'b'])
})
