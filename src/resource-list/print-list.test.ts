import { expect, test } from 'vitest'
import type { Result } from '../result.ts'
import { KrmObject } from './krm-object.ts'
import { parseList } from './parse-list.ts'
import { type ListChanges, printInput, printList } from './print-list.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n'
const INFO: Result = { severity: 'info', message: 'b', tags: { rule: 'fan-out' } }
const ERROR: Result = { severity: 'error', message: 'a', tags: { rule: 'fan-out' } }
const WRITTEN = 'results:\n- message: b\n  severity: info\n  tags:\n    rule: fan-out\n'
const NOTHING: ListChanges = { removed: new Set(), added: new Map(), results: [] }

function printed(text: string, changes: Partial<ListChanges> = {}): string {
  return printList(parseList(text, 'any'), { ...NOTHING, ...changes }).join('')
}

/** Returns the text of a list with a new item at its end, or behind the item at a position. */
function withItem(text: string, after?: number): string {
  const list = parseList(text, 'any')
  const made = KrmObject.made('- kind: NEW\n', 'item')
  const added = new Map([[after === undefined ? undefined : list.items[after], [made]]])
  return printList(list, { ...NOTHING, added }).join('')
}

/** Returns the text of a list without the items at some positions. */
function withoutItems(text: string, ...at: readonly number[]): string {
  const list = parseList(text, 'any')
  return printList(list, { ...NOTHING, removed: new Set(list.items.filter((_, index) => at.includes(index))) }).join('')
}

test.each([
  `${HEAD}items:\n- kind: A\n`,
  `${HEAD}items:\n- kind: A`,
  `${HEAD}items: []\n`,
  `# head\n${HEAD}items: # all\n  - kind: A # one\n# end\n`,
  `{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"kind": "A"}]}`,
  `${HEAD}items:\n- kind: A\n...\n# behind\n`,
  `\ufeff${HEAD}items:\n- kind: A\n`,
])('an unchanged list keeps its bytes: %j', (text) => {
  expect(printed(text)).toBe(text)
  expect(printInput(parseList(text, 'any'), []).join('')).toBe(text)
})

test('results are in the order of compareResults, and replace those of the input at their place', () => {
  const list = `${HEAD}items:\n- kind: A\n`
  const both =
    'results:\n- message: a\n  severity: error\n  tags:\n    rule: fan-out\n- message: b\n  severity: info\n  tags:\n    rule: fan-out\n'
  expect(printed(list, { results: [INFO, ERROR] })).toBe(`${list}${both}`)
  expect(printed(`${HEAD}results:\n- message: old\nitems:\n- kind: A\n`, { results: [INFO] })).toBe(`${HEAD}${WRITTEN}items:\n- kind: A\n`)
  expect(printed(`${HEAD}items:\n- kind: A\nresults:\n- message: old\n`)).toBe(`${HEAD}items:\n- kind: A\nresults: []\n`)
})

test.each([
  {
    reason: 'a last line without a line break gets one',
    text: `${HEAD}items:\n- kind: A`,
    expected: `${HEAD}items:\n- kind: A\n${WRITTEN}`,
  },
  { reason: 'no items', text: HEAD, expected: `${HEAD}${WRITTEN}` },
  { reason: 'an empty list', text: `${HEAD}items: []\n`, expected: `${HEAD}items: []\n${WRITTEN}` },
  {
    reason: 'the end of the document stays behind',
    text: `${HEAD}items:\n- kind: A\n...\n`,
    expected: `${HEAD}items:\n- kind: A\n${WRITTEN}...\n`,
  },
  {
    reason: 'items in brackets are written as a list',
    text: `${HEAD}items: [{kind: A}]\n`,
    expected: `${HEAD}items:\n- {kind: A}\n${WRITTEN}`,
  },
  {
    reason: 'JSON gets keys',
    text: '{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "x y": 1, "items": [{"kind": "A"}]}',
    expected: `apiVersion: "config.kubernetes.io/v1"\nkind: "ResourceList"\n"x y": 1\nitems:\n- {"kind": "A"}\n${WRITTEN}`,
  },
  {
    reason: 'JSON of several lines is indented, so that its lines belong to the dash',
    text: '{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{\n"kind": "A"\n}]}',
    expected: `apiVersion: "config.kubernetes.io/v1"\nkind: "ResourceList"\nitems:\n- {\n  "kind": "A"\n  }\n${WRITTEN}`,
  },
])('results behind a list: $reason', ({ text, expected }) => {
  expect(printed(text, { results: [INFO] })).toBe(expected)
  expect(printInput(parseList(text, 'any'), [INFO]).join('')).toBe(expected)
})

test('results have the line breaks of the first line of the list', () => {
  const text = `${HEAD}items:\n- kind: A\n`.replaceAll('\n', '\r\n')
  expect(printed(text, { results: [INFO] })).toBe(`${text}${WRITTEN.replaceAll('\n', '\r\n')}`)
})

test.each([
  { reason: 'at the end', text: `${HEAD}items:\n- kind: A\n- kind: B\n`, expected: `${HEAD}items:\n- kind: A\n- kind: B\n- kind: NEW\n` },
  {
    reason: 'behind an item',
    text: `${HEAD}items:\n- kind: A\n- kind: B\n`,
    after: 0,
    expected: `${HEAD}items:\n- kind: A\n- kind: NEW\n- kind: B\n`,
  },
  { reason: 'behind an item without a line break', text: `${HEAD}items:\n- kind: A`, expected: `${HEAD}items:\n- kind: A\n- kind: NEW\n` },
  {
    reason: 'into an empty list',
    text: `${HEAD}items: []\nfunctionConfig: {}\n`,
    expected: `${HEAD}items:\n- kind: NEW\nfunctionConfig: {}\n`,
  },
  { reason: 'into a list without items', text: HEAD, expected: `${HEAD}items:\n- kind: NEW\n` },
  {
    reason: 'the comment of the key stays',
    text: `${HEAD}items: # all\n- kind: A\n`,
    expected: `${HEAD}items: # all\n- kind: A\n- kind: NEW\n`,
  },
  { reason: 'into a list in brackets', text: `${HEAD}items: [{kind: A}]\n`, expected: `${HEAD}items:\n- {kind: A}\n- kind: NEW\n` },
])('a new item: $reason', ({ text, after, expected }) => {
  expect(withItem(text, after)).toBe(expected)
})

test.each([
  { reason: 'the first', at: [0], expected: `${HEAD}items:\n- kind: B\n` },
  { reason: 'the last', at: [1], expected: `${HEAD}items:\n- kind: A\n` },
])('a removed item: $reason', ({ at, expected }) => {
  expect(withoutItems(`${HEAD}items:\n- kind: A\n- kind: B\n`, ...at)).toBe(expected)
})

test('a list of which all items are removed keeps its key', () => {
  expect(withoutItems(`${HEAD}items:\n- kind: A\nfunctionConfig: {}\n`, 0)).toBe(`${HEAD}items:\nfunctionConfig: {}\n`)
  expect(withoutItems('{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"kind": "A"}]}', 0)).toBe(
    'apiVersion: "config.kubernetes.io/v1"\nkind: "ResourceList"\nitems: []\n',
  )
})

test('comments behind a removed item that are not deeper than its dash stay, deeper ones go', () => {
  const text = `${HEAD}items:\n  - kind: A\n    # of A\n  # of the next\n# of the list\n\n  - kind: B\n`
  expect(withoutItems(text, 0)).toBe(`${HEAD}items:\n  # of the next\n# of the list\n\n  - kind: B\n`)
  expect(withoutItems(`${HEAD}items:\n  - kind: A\n    # of A\n  - kind: B\n`, 0)).toBe(`${HEAD}items:\n  - kind: B\n`)
})

test('the input with results has its items without their changes', () => {
  const list = parseList(`${HEAD}items:\n- kind: A\n- kind: B\n`, 'any')
  list.items[0]?.set(['kind'], 'CHANGED')
  expect(printList(list, NOTHING).join('')).toBe(`${HEAD}items:\n- kind: CHANGED\n- kind: B\n`)
  expect(printInput(list, [INFO]).join('')).toBe(`${HEAD}items:\n- kind: A\n- kind: B\n${WRITTEN}`)
  const withOld = parseList(`${HEAD}items:\n- kind: A\n- kind: B\nresults: []\n`, 'any')
  expect(printInput(withOld, [INFO]).join('')).toBe(`${HEAD}items:\n- kind: A\n- kind: B\n${WRITTEN}`)
})
