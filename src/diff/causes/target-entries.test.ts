import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { TargetEntries } from './target-entries.ts'

function setOf(entries: readonly object[]): KrmObject {
  return KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind: 'Set', metadata: { name: 'a' }, spec: { targets: entries } }))
}

/** Returns the position in TO of each entry of FROM. */
function laterPositions(from: readonly object[], to: readonly object[]): readonly unknown[] {
  const [sets, entries] = [[setOf(from), setOf(to)] as const, new TargetEntries()]
  return from.map((_, at) => entries.otherPath(['spec', 'targets', at], sets, 'later')?.at(-1))
}

const [NORTH, SOUTH, WEST] = ['north', 'south', 'west'].map((region) => ({ a: { region }, template: { package: region } }))

test('equal entries are one entry, also if others were added, removed or moved', () => {
  if (NORTH === undefined || SOUTH === undefined || WEST === undefined) throw new Error('three entries')
  expect(laterPositions([NORTH, SOUTH], [WEST, NORTH, SOUTH])).toEqual([1, 2])
  expect(laterPositions([NORTH, SOUTH, WEST], [SOUTH, WEST])).toEqual([undefined, 0, 1])
  expect(laterPositions([NORTH, SOUTH], [SOUTH, NORTH])).toEqual([1, 0])
  expect(laterPositions([NORTH, NORTH, SOUTH], [NORTH, NORTH])).toEqual([0, 1, undefined])
})

test('of changed entries those with the fewest changed fields are one entry', () => {
  expect(laterPositions([{ ...NORTH, more: '1' }, SOUTH ?? {}], [WEST ?? {}, NORTH ?? {}, SOUTH ?? {}])).toEqual([1, 2])
  expect(laterPositions([{ a: '1' }, { a: '2' }], [{ a: '3' }, { a: '4' }])).toEqual([0, 1])
})

test('of several entries that differ in as many fields the nearest by position is the same', () => {
  expect(laterPositions([{ a: '1' }, { a: '2' }], [{ b: '1', c: '2', d: '3' }, { a: '3' }])).toEqual([0, 1])
  expect(laterPositions([{ a: '1' }], [{ b: '1', c: '2' }, { a: '2' }, { a: '3' }])).toEqual([1])
})

test('two lists of thousands of changed entries are paired at once', () => {
  const [from, to] = ['old', 'new'].map((text) => Array.from({ length: 5_000 }, (_, at) => ({ a: `${text}-${at}` })))
  expect(laterPositions((from ?? []).slice(0, 5_000), [{ a: 'first' }, ...(to ?? [])])[4_999]).toBe(4_999)
})
