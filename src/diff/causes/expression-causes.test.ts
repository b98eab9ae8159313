import { expect, test } from 'vitest'
import { CelError } from '../../cel/cel-error.ts'
import { compile } from '../../cel/program.ts'
import { readsOf } from '../../cel/reads.ts'
import { prepareVariables, replaceField } from '../../cel/variables.ts'
import type { ExplainedExpression, FieldSource } from '../../fleet/templates/field-sources.ts'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { causeOfExpression, causeOfKey, partsBetween, type ValueFate } from './expression-causes.ts'

const TARGET = KrmObject.fromDocument('a: 1\nb: 2\nc: 3\n', { path: 'target.yaml', index: 0, line: 1 })

/** Returns an expression of a template for a target with some fields, each at its line of target.yaml. */
function explained(text: string, target: JsonRecord): ExplainedExpression {
  const variables = prepareVariables(new Map([['target', target]]))
  const reads = (of: string) =>
    readsOf(of, variables).map((read) => ({
      ...read,
      source: read.value === undefined ? undefined : { object: TARGET, path: read.path.slice(1) },
    }))
  const evaluate: ExplainedExpression['valueOf'] = (of, replaced = []) => {
    try {
      return compile(of, ['target']).evaluate(replaced.reduce(replaceField, variables))
    } catch (error) {
      if (error instanceof CelError) return undefined
      throw error
    }
  }
  return { expression: { text, path: [] }, value: evaluate(text) ?? '', reads: reads(text), readsOf: reads, valueOf: evaluate }
}

type State = readonly [text: string, target: JsonRecord]

/** Returns what led from the value of one state to that of the other: `text`, and the fields that are read. */
function parts([old, before]: State, [present, after]: State, fate: ValueFate = 'changed'): readonly string[] {
  const { texts, reads } = partsBetween(explained(old, before), explained(present, after), fate, [{ before: old, after: present }])
  return [...texts.map(() => 'text'), ...reads.map(({ path }) => path.slice(1).join('.'))]
}

test.each<[string, State, State, readonly string[]]>([
  ['an equal value has no cause, whatever changed', ['target.a', { a: 'x', b: 'y' }], ['target.b', { a: 'y', b: 'x' }], []],
  ['a field with another value', ['target.a', { a: 'x' }], ['target.a', { a: 'y' }], ['a']],
  ['a field that is not read does not count', ['target.a', { a: 'x', b: '1' }], ['target.a', { a: 'y', b: '2' }], ['a']],
  ['another text', ['target.a', { a: 'x', b: 'y' }], ['target.b', { a: 'x', b: 'y' }], ['text']],
  [
    'a branch that is not taken does not count',
    ["target.a == 'x' ? target.b : target.c", { a: 'x', b: '1', c: '1' }],
    ["target.a == 'x' ? target.b : target.c", { a: 'x', b: '2', c: '2' }],
    ['b'],
  ],
  [
    'two fields, of which both are needed',
    ['target.a + target.b', { a: 'x', b: 'x' }],
    ['target.a + target.b', { a: 'y', b: 'y' }],
    ['a', 'b'],
  ],
  ['a field that is needed and one that is enough', ['target.a', { a: 'a', b: 'a' }], ['target.b', { a: 'b', b: 'b' }], ['b', 'a']],
  [
    'any two of three are all three',
    ["[target.a, target.b, target.c, target.d].filter(x, x == 'y').size() > 1 ? 'most' : 'few'", { a: 'x', b: 'x', c: 'x', d: 'x' }],
    ["[target.a, target.b, target.c, target.d].filter(x, x == 'y').size() > 1 ? 'most' : 'few'", { a: 'y', b: 'y', c: 'y', d: 'x' }],
    ['a', 'b', 'c'],
  ],
])('the cause of a value: %s', (_, from, to, expected) => {
  expect([...parts(from, to)].sort()).toEqual([...expected].sort())
})

test('the cause of a value that only one state has is what it takes to have the value, or to have it no more', () => {
  const [from, to] = [
    { a: 'x', b: 'x' },
    { a: 'y', b: 'y' },
  ]
  const causes = (text: string) => (['changed', 'gained', 'lost'] as const).map((fate) => parts([text, from], [text, to], fate).join())
  // Field b alone gives another value, but not that of TO.
  expect(causes("target.a == 'y' ? 'on' : target.b")).toEqual(['a,b', 'a', 'a,b'])
  // Without field b the value is not that of FROM any more.
  expect(causes("target.a == 'x' ? 'x' : target.b == 'x' ? 'half' : 'full'")).toEqual(['a,b', 'a,b', 'a'])
})

test('of a text in several parts only those count that change the value', () => {
  const written = [
    { before: "'a' + ", after: "'b' + " },
    { before: "'c'", after: "'c'" },
    { before: " + ''", after: '' },
  ]
  const [was, is] = [explained("'a' + 'c' + ''", {}), explained("'b' + 'c'", {})]
  expect(partsBetween(was, is, 'changed', written).texts).toEqual([written[0]])
})

test('a field that comes or goes is a change between its value and none', () => {
  const text = "has(target.a) ? target.a : 'none'"
  const readsBetween = (before: JsonRecord, after: JsonRecord) =>
    partsBetween(explained(text, before), explained(text, after), 'changed', [{ before: text, after: text }]).reads
  expect(readsBetween({}, { a: 'x' })).toMatchObject([{ path: ['target', 'a'], before: undefined, after: 'x', source: { path: ['a'] } }])
  expect(readsBetween({ a: 'x' }, {})).toMatchObject([{ path: ['target', 'a'], before: 'x', after: undefined, source: { path: ['a'] } }])
})

const SET = 'labelExprs:\n- key: size\n  valueExpr: target.a\n- key: tier\n  valueExpr: target.b\n'
const setOf = (text: string) => KrmObject.fromDocument(text, { path: 'set.yaml', index: 0, line: 1 })

function sourceOf(...expressions: readonly ExplainedExpression[]): FieldSource {
  return { type: 'expression', object: setOf(SET), path: ['labelExprs', 0, 'valueExpr'], expressions }
}

test('the cause of an expression shows both texts if the text changed, and the fields if they did', () => {
  const cause = (is: State, was?: State) =>
    causeOfExpression(sourceOf(explained(...is)), was && sourceOf(explained(...was)), 'label size: ')
  const place = { kind: 'expression', file: 'set.yaml', line: 3 }
  expect(cause(['target.a', { a: 'y' }], ['target.a', { a: 'x' }])).toEqual({
    ...{ ...place, text: 'label size: expression target.a', expression: 'target.a' },
    inputs: [{ text: 'target.a: x → y', file: 'target.yaml', line: 1 }],
  })
  expect(cause(["'y'", {}], ["'x'", {}])).toEqual({ ...place, text: "label size: expression 'x' → 'y'", expression: "'y'" })
  const both = cause(['target.b + target.c', { b: 'y', c: 'y' }], ['target.b', { b: 'x', c: 'y' }])
  expect(both).toMatchObject({ text: 'label size: expression target.b → target.b + target.c', inputs: [{ text: 'target.b: x → y' }] })
  expect(cause(['target.a', { a: 'y' }])).toEqual({
    ...{ ...place, text: 'label size: expression target.a', expression: 'target.a' },
    inputs: [{ text: 'target.a: none → y', file: 'target.yaml', line: 1 }],
  })
})

test('of two expressions of an entry, one that changed is enough to show both texts', () => {
  const [key, old, present] = [explained("'size'", {}), explained("'x'", {}), explained("'y'", {})]
  const cause = causeOfExpression(sourceOf(key, present), sourceOf(key, old), '')
  expect(cause.text).toBe("expression 'size', 'x' → 'size', 'y'")
})

test('an entry that got an expression for its key has another expression, without a field', () => {
  const [key, value] = [explained("'size'", {}), explained('target.a', { a: 'x' })]
  const cause = causeOfExpression(sourceOf(key, value), sourceOf(value), '')
  expect(cause).toMatchObject({ text: "expression target.a → 'size', target.a", expression: "'size', target.a" })
  expect(cause).not.toHaveProperty('inputs')
})

test.each<[string, string, boolean, string | undefined, number?]>([
  ['a key that both have', SET, false, undefined],
  ['a new key', SET.replace('- key: size\n  valueExpr: target.a\n', ''), false, 'p: key size is new', 2],
  ['a key that is gone', SET.replace('- key: size\n  valueExpr: target.a\n', ''), true, 'p: key size is gone', 2],
  ['a key with another name now', SET.replace('size', 'length'), false, 'p: key: length → size', 2],
  ['a key that got another name', `# one line\n${SET.replace('size', 'length')}`, true, 'p: key: size → length', 3],
  ['another entry at its place', SET.replace('size', 'length').replace('target.a', 'target.z'), false, 'p: key size is new', 2],
])('the cause of a value that only one state has: %s', (_, other, isGone, text, line) => {
  const cause = causeOfKey(sourceOf(explained('target.a', {})), { own: setOf(SET), other: setOf(other), isGone }, 'p: ')
  expect(cause && [cause.text, cause.file, cause.line]).toEqual(text && [text, 'set.yaml', line])
})

test('a value that no expression gives, or whose key has an expression, has no key for a cause', () => {
  const sets = { own: setOf(SET), other: undefined, isGone: false }
  const source = sourceOf(explained('target.a', {}))
  expect(causeOfKey(source, sets, '')).toMatchObject({ text: 'key size is new' })
  expect(causeOfKey({ ...source, type: 'static' }, sets, '')).toBeUndefined()
  expect(causeOfKey(source, { ...sets, own: setOf(SET.replace('key: size', 'keyExpr: "\'size\'"')) }, '')).toBeUndefined()
})
