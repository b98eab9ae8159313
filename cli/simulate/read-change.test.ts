import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FunctionError, formatResult } from '../../src/result.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { readChange } from './read-change.ts'

/** Returns the names of the objects of a change, or what is wrong with them. */
function read(text: string): readonly string[] {
  const file = join(testFolder(), 'change.yaml')
  writeFileSync(file, text)
  try {
    return readChange(file, { locate: (path) => path }).objects.map(({ name = '' }) => name)
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map((result) => formatResult(result).replace(/^.*change\.yaml/, ''))
    if (error instanceof Error) return [error.message.replace(/'.*change\.yaml'/, 'the file')]
    throw error
  }
}

const STORE = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'

test('a change holds every resource of its file', () => {
  expect(read(`${STORE}---\n${STORE.replace('name: a', 'name: b, namespace: n')}`)).toEqual(['a', 'b'])
})

test('a file without resources is refused', () => {
  expect(read('')).toEqual(['the file must hold resources to apply, or parts of them'])
})

test.each([
  ['no name', STORE.replace('{name: a}', '{}'), 'metadata.name` must be set'],
  ['an empty kind', STORE.replace('ConfigMap', '""'), 'kind` must be set'],
  ['a name that is no text', STORE.replace('name: a', 'name: 5'), 'metadata.name` must be a string, got the number 5'],
  ['a namespace that is no text', STORE.replace('name: a', 'name: a, namespace: [b]'), 'metadata.namespace` must be a string, got'],
])('a resource with %s is refused, since it names no object', (_, text, message) => {
  expect(read(text).join('\n')).toContain(message)
})

test('a kind that is nearly one of a package manager is an error', () => {
  expect(read('apiVersion: pkg.crossplane.io/v1\nkind: Providr\nmetadata: {name: a}\n').join('\n')).toMatch(/error: .*Provider/)
})
