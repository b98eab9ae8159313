import { expect, test } from 'vitest'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError } from '../result.ts'
import { ifReadable, jsonResource } from './json-resource.ts'
import type { PackageContent } from './package-files.ts'

const bytes = (text: string) => Buffer.from(text)

const JSON_OBJECT = '{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}'

test.each<[string, string, PackageContent | undefined, number]>([
  ['a resource', 'a.json', bytes(JSON_OBJECT), 1],
  ['a resource in a file of YAML', 'a.yaml', bytes(JSON_OBJECT), 0],
  ['a missing file', 'a.json', undefined, 0],
  ['no JSON', 'a.json', bytes('apiVersion: v1\nkind: A\nmetadata: {name: a}\n'), 0],
  ['a byte order mark', 'a.json', bytes(`\uFEFF${JSON_OBJECT}`), 0],
  ['no kind', 'a.json', bytes('{"apiVersion": "v1", "metadata": {"name": "a"}}'), 0],
  ['no apiVersion', 'a.json', bytes('{"kind": "A", "metadata": {"name": "a"}}'), 0],
  ['no name', 'a.json', bytes('{"apiVersion": "v1", "kind": "A"}'), 0],
  ['a list', 'a.json', bytes('[1]'), 0],
])('a JSON file with %s', (_what, path, content, count) => {
  expect(jsonResource(path, content)).toHaveLength(count)
})

test('the resource of a JSON file is at the first line of its file', () => {
  const [object] = jsonResource('sub/a.json', bytes(JSON_OBJECT))
  expect(object?.file).toEqual({ path: 'sub/a.json', index: 0 })
  expect(object?.name).toBe('a')
  expect(object?.positionOf([])).toEqual({ line: 1, column: 1 })
})

test('a value that cannot be read is missing, and a fault of the tool is thrown', () => {
  const thrower = (error: Error) => () => {
    throw error
  }
  expect(ifReadable(() => 'read')).toBe('read')
  expect(ifReadable(thrower(new WireError('broken')))).toBeUndefined()
  expect(ifReadable(thrower(new FunctionError([])))).toBeUndefined()
  expect(() => ifReadable(thrower(new TypeError('a bug')))).toThrow('a bug')
})
