import { expect, test } from 'vitest'
import { FunctionError } from '../result.ts'
import { EditError } from '../yaml/edit/edit-fault.ts'
import { AliasError } from '../yaml/read/alias-targets.ts'
import { KrmObject } from './krm-object.ts'
import { changedItems, refusalOf, requireFile, requireItem, requireObject, requirePath, thrownValue, unchangeableItems } from './refusal.ts'

const OBJECT = KrmObject.fromDocument('apiVersion: v1\nkind: A\nmetadata: {name: a}\nspec: {b: 1}\n', { path: 'a.yaml', index: 0, line: 1 })

test.each<{ readonly reason: string; readonly path: unknown; readonly shown: string }>([
  { reason: 'a text', path: 'spec.replicas', shown: '["spec","replicas"], got "spec.replicas"' },
  { reason: 'a number', path: 1, shown: '["spec","replicas"], got 1' },
  { reason: 'nothing', path: undefined, shown: '["spec","replicas"], got undefined' },
  { reason: 'a list with a variable that is not set', path: ['spec', undefined], shown: '["spec","replicas"], got a list with undefined' },
  { reason: 'a list with nothing', path: [null], shown: '["spec","replicas"], got a list with null' },
  { reason: 'a list in a list', path: [['spec', 'replicas']], shown: '["spec","replicas"], got a list with spec,replicas' },
])('a path must be a list, got $reason', ({ path, shown }) => {
  // @ts-expect-error
  const ask = () => requirePath(path, OBJECT)
  expect(ask).toThrow(FunctionError)
  expect(ask).toThrow(`the path must be a list of keys and indexes, such as ${shown}`)
})

test('a list of keys and indexes is a path, and the fault of another path names the object and its file', () => {
  for (const path of [[], ['spec', 0, 'b']]) expect(() => requirePath(path, OBJECT)).not.toThrow()
  try {
    // @ts-expect-error
    requirePath('a', OBJECT)
  } catch (error) {
    expect(error instanceof FunctionError && error.results).toMatchObject([
      { resourceRef: { kind: 'A', name: 'a' }, file: { path: 'a.yaml' }, tags: { rule: 'field-path' } },
    ])
  }
  expect.assertions(3)
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

/** Returns the results of the error that is thrown for another one. */
function resultsOf(error: Error, object: KrmObject): unknown {
  const refused = refusalOf(error, ['spec', 'asked'], object)
  return refused instanceof FunctionError ? refused.results : refused
}

test('a refused edit or alias is a result of the object at its field, every other error is thrown as it is', () => {
  const edit = new EditError({ rule: 'explicit-key', path: ['spec', 'b'], message: 'no' })
  const place = { severity: 'error', resourceRef: { kind: 'A', name: 'a' }, file: { path: 'a.yaml', index: 0 } }
  const field = { path: ['spec', 'b'] }
  expect(resultsOf(edit, OBJECT)).toMatchObject([
    { ...place, message: 'no', field, position: { line: 4, column: 11 }, tags: { rule: 'explicit-key' } },
  ])
  const alias = { ...place, field, tags: { rule: 'alias' }, message: '`spec.b` must be written out: the alias *x is not expanded' }
  expect(resultsOf(new AliasError('x', ['spec', 'b']), OBJECT)).toMatchObject([alias])
  expect(resultsOf(new AliasError('x', []), OBJECT)).toMatchObject([{ field: { path: ['spec', 'asked'] } }])
  const other = new Error('a bug')
  expect(refusalOf(other, [], OBJECT)).toBe(other)
  expect(refusalOf('text', [], OBJECT)).toBe('text')
})

test('the result of an object without a file names none', () => {
  const [result] = [resultsOf(new AliasError('x', ['a']), KrmObject.fromDocument('a: *x\n'))].flat()
  expect(result).not.toHaveProperty('file')
})

test('the error for a changed list names the members that change a list', () => {
  expect(changedItems().results).toMatchObject([{ severity: 'error', tags: { rule: 'function-misuse' } }])
  expect(changedItems().message).toContain("`list.upsert(object, 'file.yaml')` adds or updates an object, `list.remove(item)` removes one")
})
