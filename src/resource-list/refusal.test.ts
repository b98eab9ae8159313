import { expect, test } from 'vitest'
import { FunctionError } from '../result.ts'
import { KrmObject } from './krm-object.ts'
import { requireFile, requireItem, requireObject, requirePath, thrownValue, unchangeableItems } from './refusal.ts'

const OBJECT = KrmObject.fromDocument('apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {b: 1}\n', { path: 'a.yaml', index: 0, line: 1 })

test.each([
  { reason: 'a text', path: 'spec.replicas', shown: '["spec","replicas"], got "spec.replicas"' },
  { reason: 'a number', path: 1, shown: '["spec","replicas"], got 1' },
  { reason: 'nothing', path: undefined, shown: '["spec","replicas"], got undefined' },
])('a path must be a list, got $reason', ({ path, shown }) => {
  // @ts-expect-error
  const ask = () => requirePath(path, OBJECT)
  expect(ask).toThrow(FunctionError)
  expect(ask).toThrow(`the path must be a list of keys and indexes, such as ${shown}`)
})

test('a list is a path, and the fault of another path names the object and its file', () => {
  expect(() => requirePath([], OBJECT)).not.toThrow()
  try {
    // @ts-expect-error
    requirePath('a', OBJECT)
  } catch (error) {
    expect(error instanceof FunctionError && error.results).toMatchObject([
      { resourceRef: { kind: 'A', name: 'a' }, file: { path: 'a.yaml' }, tags: { rule: 'field-path' } },
    ])
  }
  expect.assertions(2)
})

test('the file of a new object is a text', () => {
  expect(() => requireFile('a.yaml')).not.toThrow()
  expect(() => requireFile(undefined)).toThrow(
    "the second argument must be the file of the object, such as 'configmap.yaml', got undefined",
  )
})

test.each([
  { item: 'web', shown: '"web"' },
  { item: null, shown: 'object' },
  { item: undefined, shown: 'undefined' },
  { item: {}, shown: 'object' },
])('what is to be removed is an item of the list, not $item', ({ item, shown }) => {
  expect(() => requireItem(item)).toThrow(`the first argument must be an item of the list, got ${shown}`)
})

test('an item of the list can be removed', () => {
  expect(() => requireItem(OBJECT)).not.toThrow()
})

test.each([
  { value: {}, shown: 'an object without apiVersion and kind' },
  { value: { apiVersion: 'v1' }, shown: 'an object without kind' },
  { value: { apiVersion: '', kind: 'A' }, shown: 'an object without apiVersion' },
  { value: { apiVersion: 'v1', kind: 1 }, shown: 'an object without kind' },
  { value: undefined, shown: 'undefined' },
  { value: 'a', shown: 'string' },
])('a new object has an apiVersion and a kind: $value', ({ value, shown }) => {
  expect(() => requireObject(value)).toThrow(`the first argument must be an object with apiVersion and kind, got ${shown}`)
})

test('a new object needs no name', () => {
  expect(() => requireObject({ apiVersion: 'v1', kind: 'A' })).not.toThrow()
})

test('the items of a list can be read, and every change of them is refused', () => {
  const items = [1, 2]
  const view = unchangeableItems(items)
  expect([...view, view.length, view[1]]).toEqual([1, 2, 2, 2])
  const changes = [
    () => Reflect.set(view, 0, 3),
    () => Reflect.defineProperty(view, 0, { value: 3 }),
    () => Reflect.deleteProperty(view, 0),
    () => Reflect.setPrototypeOf(view, null),
  ]
  for (const change of changes) expect(change).toThrow('`items` must not be changed itself')
  expect(items).toEqual([1, 2])
})

test.each(['apiVersion', 'kind', 'name', 'namespace', 'labels', 'annotations'])('the member %s of an item is not assigned to', (member) => {
  const path = member.startsWith('a') && member !== 'annotations' ? [member] : member === 'kind' ? [member] : ['metadata', member]
  expect(() => Reflect.set(OBJECT, member, 'x')).toThrow(
    `\`${member}\` must not be assigned to: \`item.set(${JSON.stringify(path)}, value)\` writes the field`,
  )
})

test.each(['metadata', 'spec', 'status', 'data', 'stringData'])(
  'the field %s is no member of an item, neither to read nor to write',
  (field) => {
    const message = `\`${field}\` is no member of an item: \`item.get(["${field}","KEY"])\` reads a field of it`
    expect(() => Reflect.get(OBJECT, field)).toThrow(message)
    expect(() => Reflect.set(OBJECT, field, {})).toThrow(message)
  },
)

test.each([
  { thrown: 'text', shown: "'text'" },
  { thrown: null, shown: 'null' },
  { thrown: undefined, shown: 'undefined' },
  { thrown: {}, shown: 'object' },
])('a thrown value that is no error is a result: $shown', ({ thrown, shown }) => {
  expect(thrownValue(thrown)).toEqual({
    severity: 'error',
    message: `a function must throw a FunctionError with its results, or an Error, got ${shown}`,
    tags: { rule: 'function-misuse' },
  })
})
