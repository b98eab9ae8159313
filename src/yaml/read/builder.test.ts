import { expect, test } from 'vitest'
import { linkAliases } from './alias-targets.ts'
import { FlowTexts, isTextMap, KEYS, NO_TEXTS, NODES, TEXTS, type Texts, textsOf, VALUES } from './builder.ts'
import { readFast } from './fast-reader.ts'
import type { ScalarNode } from './node.ts'
import { wantedKeys } from './wanted.ts'
import { readYaml } from './yaml-reader.ts'

const scalar = (text: string): ScalarNode => ({ type: 'scalar', style: 'plain', text, start: 0, end: text.length })

test.each([1, 15, 16, 17, 40])('a builder of nodes, keys, values or texts knows each of %i keys of a map, and no other', (count) => {
  const keys = Array.from({ length: count }, (_, at) => `k${at}`)
  const nodes = NODES.openMap()
  const [names, values, texts] = [KEYS.openMap(), VALUES.openMap(), TEXTS.openMap()]
  for (const key of keys) {
    expect([NODES.hasKey(nodes, key), KEYS.hasKey(names, key), VALUES.hasKey(values, key), TEXTS.hasKey(texts, key)]).toEqual(
      Array(4).fill(false),
    )
    NODES.addEntry(nodes, scalar(key), scalar('1'))
    KEYS.addEntry(names, scalar(key), true)
    VALUES.addEntry(values, scalar(key), null)
    TEXTS.addEntry(texts, scalar(key), '1')
    expect([NODES.hasKey(nodes, key), KEYS.hasKey(names, key), VALUES.hasKey(values, key), TEXTS.hasKey(texts, key)]).toEqual(
      Array(4).fill(true),
    )
  }
  const { length } = NODES.closeMap(nodes, { flow: false, start: 0, end: 1 }).type === 'map' ? nodes.entries : []
  expect([length, names.size, Object.keys(values).length, texts.size]).toEqual([count, count, count, count])
  expect(VALUES.hasKey(values, 'constructor')).toBe(false)
})

test.each([0, 1, 15, 16, 17])('a list of %i values has them all', (count) => {
  const list = VALUES.openList()
  for (let at = 0; at < count; at++) VALUES.addItem(list, at, at)
  expect(VALUES.closeList(list, { flow: false, start: 0, end: 0 })).toEqual(Array.from({ length: count }, (_, at) => at))
})

/** Returns texts as a value: a map as a record, that of braces with a mark. */
function shown(texts: Texts | undefined): unknown {
  if (!(texts instanceof Map)) return texts
  const entries = [...texts].map(([key, each]) => [key, shown(each)])
  return texts === NO_TEXTS
    ? 'no texts'
    : texts instanceof FlowTexts
      ? { braces: Object.fromEntries(entries) }
      : Object.fromEntries(entries)
}

const TEXT = 'a: 0x10\nb: {c: yes, d: {}}\nl: [1]\ne:\nf: ""\ng: ~\nh:\n- 1\n'
const EXPECTED = { a: '0x10', b: { braces: { c: 'yes', d: { braces: {} } } }, l: 'no texts', e: null, f: '', g: null, h: 'no texts' }

test('texts have the spelling of the file, null for a null, and nothing of a list', () => {
  expect(shown(readFast(TEXT, TEXTS, { frame: 'document' }))).toEqual(EXPECTED)
  expect(shown(textsOf(readYaml(TEXT)))).toEqual(EXPECTED)
})

test('the texts of a map are one, those of a list or scalar are none', () => {
  const texts = ['{a: 1}', '{}', 'a: 1', '[1]', 'x', '~'].map((text) => textsOf(readYaml(text)))
  expect(texts.map(isTextMap)).toEqual([true, true, true, false, false, false])
})

test('only the wanted keys are in the texts, at every depth', () => {
  const wanted = new Map([
    ['b', wantedKeys(['c'])],
    ['a', undefined],
  ])
  expect(shown(textsOf(readYaml(TEXT), wanted))).toEqual({ a: '0x10', b: { braces: { c: 'yes' } } })
})

test('two maps of one key are joined, and otherwise the last of repeated keys counts', () => {
  const text = 'm:\n  a: 1\n  b: {c: 2}\nn: x\nm:\n  a: 3\n  b: {d: 4}\nn: y\nm:\n  e: 5\n'
  const expected = { m: { a: '3', b: { c: '2', d: '4' }, e: '5' }, n: 'y' }
  expect(shown(textsOf(readYaml(text)))).toEqual(expected)
  expect(shown(readFast(text, TEXTS, { frame: 'document', unusual: () => undefined }))).toEqual(expected)
  expect(shown(textsOf(readYaml('m: {a: 1}\nm: x\n')))).toEqual({ m: 'x' })
  expect(shown(textsOf(readYaml('m: x\nm: {a: 1}\n')))).toEqual({ m: { braces: { a: '1' } } })
})

test('an alias has the texts of its value, and none without a value', () => {
  const root = readYaml('a: &x {b: 1}\nc: *x\nd: *y\ne: {<<: *x}\n')
  linkAliases(root)
  expect(shown(textsOf(root))).toMatchObject({ c: { braces: { b: '1' } }, d: 'no texts', e: { braces: { b: '1' } } })
})
