import { expect, test } from 'vitest'
import { EMPTY_FOLDER, fileInMemory } from '../folder/whole-folder.ts'
import { gitTreeIdOf } from '../git/git-snapshot.ts'
import { idOfValues } from './values-id.ts'

test('the id of values is that of objects and paths: comments, order of keys, modes and other files do not count', () => {
  const idOf = (files: Readonly<Record<string, string>>, mode = 0o644) =>
    idOfValues({
      ...EMPTY_FOLDER,
      files: new Map(Object.entries(files).map(([path, text]) => [path, fileInMemory(Buffer.from(text), mode)])),
    })
  const one = idOf({ 'a.yaml': 'kind: A\nspec: {b: [1, {d: 1, c: 2}], a: 2}\n' })
  expect(idOf({ 'a.yaml': '# text\nspec: {a: 2, b: [1, {c: 2, d: 1}]}\nkind: A\n', 'README.md': 'kind: B\n' }, 0o755)).toBe(one)
  expect(idOf({ 'a.yaml': 'kind: A\nspec: {b: [{d: 1, c: 2}, 1], a: 2}\n' })).not.toBe(one)
  expect(idOf({ 'b.yaml': 'kind: A\nspec: {b: [1, {d: 1, c: 2}], a: 2}\n' })).not.toBe(one)
  expect(idOf({ 'a.yaml': 'kind: A\nspec: {b: [1, {d: 1, c: 3}], a: 2}\n' })).not.toBe(one)
  expect(idOf({ 'a.yaml': 'kind: A\nsize: 12345678901234567890\n' })).not.toBe(idOf({ 'a.yaml': 'kind: A\nsize: 12345678901234567891\n' }))
  const json = Buffer.from('[{"kind":"A"}]')
  expect(idOf({ 'a.yaml': 'kind: A\n' })).toBe(gitTreeIdOf(new Map([['a.yaml', fileInMemory(json, 0o644)]])))
})
