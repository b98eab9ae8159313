import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { JsonValue } from '../json.ts'
import { withoutOverridden } from './merge-key-overrides.ts'
import { INFERRED } from './merge-rule.ts'

const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'
const anchor = (value: string) => `common: &l {x: ${value}, y: ${value}}\n`
const merging = (...lines: readonly string[]) => `data:\n  <<: *l\n${lines.map((line) => `  ${line}\n`).join('')}`

interface Sides {
  readonly base: string
  readonly theirs: string
  readonly ours: string
}

/** Returns upstream's `data` without the changes that the downstream overrides, and asserts that upstream's value is not changed. */
function dataOf({ base, theirs, ours }: Sides): JsonValue | undefined {
  const [one, two, three] = [base, theirs, ours].map((text) => writtenObject(`${HEAD}${text}`).written().node)
  const value = writtenObject(`${HEAD}${theirs}`).toJson()
  const before = JSON.stringify(value)
  const found = withoutOverridden(value, { base: one, theirs: two, ours: three }, INFERRED)
  expect(JSON.stringify(value)).toBe(before)
  return typeof found === 'object' && found !== null && 'data' in found ? found.data : undefined
}

const base = `${anchor('1')}${merging()}`
const theirs = `${anchor('2')}${merging()}`

test.each<{ rule: string; sides: Sides; data: JsonValue }>([
  {
    rule: 'a key that people override beside the merge key keeps what it inherited before',
    sides: { base, theirs, ours: `${anchor('1')}${merging('x: mine')}` },
    data: { x: 1, y: 2 },
  },
  { rule: 'without an override upstream’s value is as it is', sides: { base, theirs, ours: base }, data: { x: 2, y: 2 } },
  {
    rule: 'a key that upstream writes itself is upstream’s',
    sides: { base, theirs: `${anchor('1')}${merging('x: 3')}`, ours: `${anchor('1')}${merging('x: mine')}` },
    data: { x: 3, y: 1 },
  },
  {
    rule: 'a key that base writes itself is upstream’s',
    sides: { base: `${anchor('1')}${merging('x: 3')}`, theirs, ours: `${anchor('1')}${merging('x: mine')}` },
    data: { x: 2, y: 2 },
  },
  {
    rule: 'a key that upstream does not have stays missing',
    sides: { base, theirs, ours: `${anchor('1')}${merging('own: mine')}` },
    data: { x: 2, y: 2 },
  },
  {
    rule: 'where one side has no merge key upstream’s value is as it is',
    sides: { base, theirs: `${anchor('2')}data: {x: 2, y: 2}\n`, ours: `${anchor('1')}${merging('x: mine')}` },
    data: { x: 2, y: 2 },
  },
  {
    rule: 'a map below is looked into, and so are lists whose entries have names',
    sides: {
      base: `${anchor('1')}data: {deep: {<<: *l}, list: [{name: a, <<: *l}, {name: b, <<: *l}]}\n`,
      theirs: `${anchor('2')}data: {deep: {<<: *l}, list: [{name: new, <<: *l}, {name: b, <<: *l}, {name: a, <<: *l}]}\n`,
      ours: `${anchor('1')}data: {deep: {<<: *l, x: mine}, list: [{name: a, <<: *l, y: mine}, {name: b, <<: *l}]}\n`,
    },
    data: {
      deep: { x: 1, y: 2 },
      list: [
        { name: 'new', x: 2, y: 2 },
        { name: 'b', x: 2, y: 2 },
        { name: 'a', x: 2, y: 1 },
      ],
    },
  },
  {
    rule: 'a list whose entries have no names is as it is',
    sides: {
      base: `${anchor('1')}data: {list: [{<<: *l}]}\n`,
      theirs: `${anchor('2')}data: {list: [{<<: *l}]}\n`,
      ours: `${anchor('1')}data: {list: [{<<: *l, x: mine}]}\n`,
    },
    data: { list: [{ x: 2, y: 2 }] },
  },
])('$rule', ({ sides, data }) => {
  expect(dataOf(sides)).toEqual(data)
})

test('a value that is a map on some sides only, and a side that is missing, leave upstream’s value as it is', () => {
  const node = (text: string) => writtenObject(`${HEAD}${text}`).written().node
  const value = { data: 'x' }
  expect(withoutOverridden(value, { base: undefined, theirs: node(theirs), ours: node(base) }, INFERRED)).toBe(value)
  expect(withoutOverridden('x', { base: node(base), theirs: node(theirs), ours: node(base) }, INFERRED)).toBe('x')
})
