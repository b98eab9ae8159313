import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'

/** Returns a text after a value is set. */
function withValue(text: string, path: readonly (string | number)[], value: string | number): string {
  const object = KrmObject.fromDocument(text)
  object.set(path, value)
  return object.toText()
}

const MERGED = 'base: &b {replicas: 1}\nspec:\n  <<: *b\n'

test('a key of its own is set to the value that the merge key brings in, and stays', () => {
  expect(withValue(`${MERGED}  replicas: 3\n`, ['spec', 'replicas'], 1)).toBe(`${MERGED}  replicas: 1\n`)
})

test('a value that the merge key brings in already is not written', () => {
  expect(withValue(MERGED, ['spec', 'replicas'], 1)).toBe(MERGED)
})

test('a value that the merge key brings in goes, and the other values of the merge key stay', () => {
  const object = KrmObject.fromDocument('base: &b {replicas: 1, paused: true}\nspec:\n  <<: *b\n')
  object.delete(['spec', 'replicas'])
  expect(object.toText()).toBe('base: &b {replicas: 1, paused: true}\nspec:\n  paused: true\n')
})

test('a value is written where the merge key brings in the same text with a tag', () => {
  const text = 'base: &b {image: !Ref web}\nspec:\n  <<: *b\n'
  expect(withValue(text, ['spec', 'image'], 'web')).toBe(`${text}  image: web\n`)
})
