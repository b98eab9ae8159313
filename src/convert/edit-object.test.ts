import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { alignedValue, changedPaths, editObject, shownName } from './edit-object.ts'

const TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data: # what it holds
  one: '1' # the first
  two: '2'
ports:
  - name: x
    port: 80 # web
  - name: y
    port: 81
args: [a, b]
`

/** Returns the changed paths and the lines that are new. */
function edited(change: (wanted: Record<string, JsonValue>) => void) {
  const object = KrmObject.fromDocument(TEXT)
  const wanted = JSON.parse(JSON.stringify(object.toJson()))
  change(wanted)
  const paths = editObject(object, wanted).map((path) => path.join('.'))
  expect(object.toJson()).toEqual(wanted)
  const lines = TEXT.split('\n')
  return [
    paths,
    object
      .toText()
      .split('\n')
      .filter((line) => !lines.includes(line)),
  ]
}

test('an edit changes the lines that differ and keeps the others with their comments', () => {
  expect(edited(() => undefined)).toEqual([[], []])
  expect(edited((wanted) => Object.assign(wanted.data as object, { one: '3' }))).toEqual([['data.one'], ["  one: '3' # the first"]])
  expect(edited((wanted) => Object.assign((wanted.ports as object[])[0] ?? {}, { port: 8080 }))).toEqual([
    ['ports.0.port'],
    ['    port: 8080 # web'],
  ])
})

test('a field that the other value lacks is removed, and one that it has is added', () => {
  expect(edited((wanted) => delete (wanted.data as Record<string, JsonValue>).two)).toEqual([['data.two'], []])
  expect(edited((wanted) => Object.assign(wanted.data as object, { three: '3' }))[0]).toEqual(['data.three'])
})

test('a list of another length, and a list of texts, is written as a whole', () => {
  expect(edited((wanted) => (wanted.ports as JsonValue[]).pop())[0]).toEqual(['ports'])
  expect(edited((wanted) => Object.assign(wanted, { args: ['a', 'c'] }))[0]).toEqual(['args'])
})

const containers = (...entries: readonly JsonValue[]) => ({ list: entries })
const web = { name: 'web', image: 'web:1' }
const api = { name: 'api', image: 'api:1' }

test('entries of lists are aligned by their name', () => {
  const image = ['list', 0, 'image']
  expect(alignedValue(containers(api, { ...web, image: 'web:2' }), containers(web, api), image)).toBe('web:2')
  expect(alignedValue(containers(api), containers(web, api), image)).toBeUndefined()
  expect(alignedValue(containers(api, { name: 'new' }), containers(web, api), image)).toBeUndefined()
})

test('entries without a name are aligned by their position', () => {
  expect(alignedValue(containers('x', 'y'), containers('a', 'b'), ['list', 1])).toBe('y')
  expect(alignedValue(containers({ port: 2 }), containers({ port: 1 }), ['list', 0, 'port'])).toBe(2)
})

test('a reference with another name is aligned by its position, if its kind is the same and its name is new', () => {
  const subject = (name: string, kind = 'ServiceAccount') => ({ kind, name })
  const path = ['list', 0, 'name']
  expect(alignedValue(containers(subject('prod-web')), containers(subject('web')), path)).toBe('prod-web')
  expect(alignedValue(containers(subject('prod-web', 'User')), containers(subject('web')), path)).toBeUndefined()
  expect(alignedValue(containers(subject('api'), subject('x')), containers(subject('web'), subject('api')), path)).toBeUndefined()
  expect(alignedValue(containers(subject('x'), subject('y')), containers(subject('web')), path)).toBeUndefined()
})

test('a path that one of the two values does not have is aligned with nothing', () => {
  expect(alignedValue({ a: 'text' }, { a: { b: 1 } }, ['a', 'b'])).toBeUndefined()
  expect(alignedValue({ a: { b: 1 } }, { a: 'text' }, ['a', 'b'])).toBeUndefined()
  expect(alignedValue({ a: [1] }, { a: { b: 1 } }, ['a', 0])).toBeUndefined()
})

test('the changed paths are those of the deepest values, with a list of texts as one', () => {
  const own = { a: 1, b: { c: 2, d: [1, 2] }, list: [web, api] }
  const other = { a: 1, b: { c: 3, d: [1] }, list: [api, { ...web, image: 'web:2' }], more: 1 }
  expect(changedPaths(own, other).map((path) => path.join('.'))).toEqual(['b.c', 'b.d', 'list.0.image'])
  expect(changedPaths(own, own)).toEqual([])
})

test('an object is shown by its kind, its namespace if it has one, and its name', () => {
  const of = (metadata: object) => shownName(KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata })))
  expect([of({ name: 'a', namespace: 'n' }), of({ name: 'a' })]).toEqual(['Service n/a', 'Service a'])
})

test('an entry that is added, removed or moved in a list with names leaves the comments of the others', () => {
  const added = edited((wanted) => Object.assign(wanted, { ports: [{ name: 'z', port: 79 }, ...(wanted.ports as JsonValue[])] }))
  expect(added).toEqual([['ports'], ['  - name: z', '    port: 79']])
  expect(edited((wanted) => Object.assign(wanted, { ports: [{ name: 'x', port: 80 }] }))).toEqual([['ports'], []])
  const moved = edited((wanted) => Object.assign(wanted, { ports: (wanted.ports as JsonValue[]).toReversed() }))
  expect(moved).toEqual([['ports'], []])
})

test('an entry without the name of another keeps its own value, and a scalar entry is aligned by its position', () => {
  const at = (own: readonly JsonValue[], other: readonly JsonValue[]) => alignedValue(containers(...other), containers(...own), ['list', 0])
  expect(at([{ name: 'a', v: 1 }], [{ name: 'b', v: 2 }])).toBeUndefined()
  expect(at([{ kind: 'A', name: 'a' }], ['text'])).toBeUndefined()
  expect(at([{ kind: 1, name: 'a' }], [{ kind: 1, name: 'b' }])).toBeUndefined()
  expect(at(['a'], [{ name: 'b' }])).toEqual({ name: 'b' })
})

test('a list in which two entries have one name, or one has none, is edited in place', () => {
  const ports = (...entries: readonly JsonValue[]) => edited((wanted) => Object.assign(wanted, { ports: entries }))
  expect(ports({ name: 'x', port: 80 }, { name: 'x', port: 81 })[0]).toEqual(['ports.1.name'])
  expect(ports({ name: 'x', port: 80 }, { port: 81 })[0]).toEqual(['ports.1.name'])
  expect(ports({ name: 'x', port: 80 }, { port: 81 }, { port: 82 })[0]).toEqual(['ports'])
  expect(ports({ name: 'new', port: 80 }, { name: 'other', port: 81 })[0]).toEqual(['ports.0.name', 'ports.1.name'])
})

test('entries that are removed, added and moved at once are those of the other value, each with its change', () => {
  const [paths, lines] = edited((wanted) =>
    Object.assign(wanted, {
      ports: [
        { name: 'z', port: 1 },
        { name: 'y', port: 9 },
        { name: 'w', port: 2 },
      ],
    }),
  )
  expect(paths).toEqual(['ports', 'ports.1.port'])
  expect(lines).toEqual(expect.arrayContaining(['    port: 9', '  - name: z', '  - name: w']))
})

test('a value of another kind is written as a whole', () => {
  expect(edited((wanted) => Object.assign(wanted, { data: ['a'] }))[0]).toEqual(['data'])
  expect(edited((wanted) => Object.assign(wanted, { args: { a: 'b' } }))[0]).toEqual(['args'])
})

test('a list without maps is one value, a list with a map is not', () => {
  expect(changedPaths({ l: [1, { a: 1 }] }, { l: [2, { a: 2 }] }).map((path) => path.join('.'))).toEqual(['l.0', 'l.1.a'])
  expect(changedPaths({ l: [], m: {} }, { l: [1], m: { a: 1 } }).map((path) => path.join('.'))).toEqual(['l'])
})
