import { expect, test } from 'vitest'
import { answered, known } from '../../pipeline/calls.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { ChangeCause, ChangedField, FieldStep } from '../report.ts'
import { byCauses, partOf } from './parts-by-cause.ts'

const field = (path: string, steps: readonly FieldStep[] = path.split('.'), more: Partial<ChangedField> = {}): ChangedField => ({
  path,
  steps,
  before: 1,
  after: 2,
  ...more,
})
const cause = (text: string, detail?: string): ChangeCause => ({
  kind: 'upstream',
  text,
  ...(detail !== undefined && { details: [{ text: detail }] }),
})

/** Returns the parts of changed fields: the paths, and the causes with their details. */
function parts(fields: readonly ChangedField[], causesOf: (path: string) => readonly ChangeCause[]) {
  const object = KrmObject.fromDocument('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}')
  const found = answered(
    byCauses(fields, {
      names: {},
      pair: { after: object },
      causesOf: (change) => known(causesOf(change.field?.path ?? '')),
    }),
  )
  return found.map((part) => [
    part.fields.map(({ path }) => path),
    part.causes.map(({ text, details = [] }) => [text, ...details.map((detail) => detail.text)].join(' ')),
  ])
}

test('fields of one cause are one part, fields of another cause another part', () => {
  expect(parts([field('a'), field('b'), field('c')], (path) => [cause(path === 'b' ? 'set' : 'upstream')])).toEqual([
    [['a', 'c'], ['upstream']],
    [['b'], ['set']],
  ])
})

test('the details of a cause divide nothing, and are printed once', () => {
  expect(parts([field('a'), field('b'), field('c')], (path) => [cause('upstream', path === 'c' ? 'a' : path)])).toEqual([
    [['a', 'b', 'c'], ['upstream a b']],
  ])
})

test('entries that are added to or removed from one list, and its order, have all their causes together', () => {
  const { before: _, ...added } = field('list[x]', ['list', { name: 'x' }])
  const { after: __, ...removed } = field('list[y]', ['list', { name: 'y' }])
  const order = field('list', ['list'], { isOrder: true })
  expect(parts([removed, added, order, field('list[z].a', ['list', { name: 'z' }, 'a'])], (path) => [cause(path)])).toEqual([
    [
      ['list[y]', 'list[x]', 'list'],
      ['list[y]', 'list[x]', 'list'],
    ],
    [['list[z].a'], ['list[z].a']],
  ])
})

test('two entries of one list are enough to have their causes together', () => {
  const { before: _, ...added } = field('list[x]', ['list', { name: 'x' }])
  const { after: __, ...removed } = field('list[y]', ['list', { name: 'y' }])
  expect(parts([removed, added], (path) => [cause(path)])).toEqual([
    [
      ['list[y]', 'list[x]'],
      ['list[y]', 'list[x]'],
    ],
  ])
})

test('one cause of several entries of a list is one cause with the details of all', () => {
  const { before: _, ...added } = field('list[x]', ['list', { name: 'x' }])
  const { after: __, ...removed } = field('list[y]', ['list', { name: 'y' }])
  const causesOf = (path: string) => [cause('upstream', path === 'list[z].a' ? 'z' : path)]
  expect(parts([removed, added, field('list[z].a', ['list', { name: 'z' }, 'a'])], causesOf)).toEqual([
    [['list[y]', 'list[x]', 'list[z].a'], ['upstream list[y] list[x] z']],
  ])
})

test('entries of two lists, and an entry that changes, keep their own causes', () => {
  const { before: _, ...added } = field('list[x]', ['list', { name: 'x' }])
  const { before: __, ...other } = field('more[x]', ['more', { name: 'x' }])
  expect(parts([added, other, field('list[z]', ['list', { name: 'z' }])], (path) => [cause(path)])).toHaveLength(3)
})

test('a danger belongs to the part with its field, the field above it or a field below it', () => {
  const found = answered(
    byCauses([field('spec.a'), field('spec.b.c')], {
      names: {},
      pair: {},
      causesOf: ({ field: changed }) => known([cause(changed?.path ?? '')]),
    } as Parameters<typeof byCauses>[1]),
  )
  const at = (path?: string) => partOf({ rule: 'r', text: 't', ...(path !== undefined && { path }) }, found)
  expect([at('spec.a'), at('spec.b'), at('spec.b.c'), at('spec.b.c.d'), at('other'), at()]).toEqual([0, 1, 1, 1, 0, 0])
})
