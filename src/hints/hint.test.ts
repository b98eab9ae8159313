import { expect, test } from 'vitest'
import { parse } from '../cel/parse/parse.ts'
import { advice, defaultOf, defaultOfText, writtenAs } from './hint.ts'

test.each([
  { expression: 'target.labels.region', written: 'target.labels.region' },
  { expression: "target.labels['region']", written: "target.labels['region']" },
  { expression: 'a[0]', written: 'a[0]' },
  { expression: '"text"', written: "'text'" },
  { expression: 'true', written: 'true' },
  { expression: '1.5', written: '1.5' },
  { expression: 'size(a)', written: 'size(a)' },
  { expression: 'f()', written: 'f()' },
  { expression: "a.startsWith('b')", written: "a.startsWith('b')" },
  { expression: 'f(a, b, c)', written: 'f(a, b, c)' },
  { expression: 'a + b', written: '…' },
  { expression: '!a', written: '…' },
  { expression: 'a ? b : c', written: '…' },
  { expression: 'has(a.b)', written: '…' },
  { expression: '[a]', written: '…' },
  { expression: 'f(a + b)', written: '…' },
  { expression: 'a[b + c]', written: '…' },
  { expression: '(a + b).c', written: '…' },
  { expression: '(a + b).f()', written: '…' },
  { expression: 'f(a, b + c)', written: '…' },
  { expression: '"it\'s"', written: '…' },
  { expression: '"a\\nb"', written: '…' },
  { expression: 'null', written: '…' },
])('the expression $expression is shown as $written', ({ expression, written }) => {
  expect(writtenAs(parse(expression))).toBe(written)
})

test('at most sixty characters are shown, and nothing of no expression', () => {
  expect(writtenAs(parse('a'.repeat(60)))).toBe('a'.repeat(60))
  expect(writtenAs(parse('a'.repeat(61)))).toBe('…')
  expect(writtenAs(undefined)).toBe('…')
})

test.each([
  { expression: 'target.labels.region', expected: "where it may be missing: has(target.labels.region) ? target.labels.region : 'none'" },
  { expression: "target.labels['a-b']", expected: "where it may be missing: 'a-b' in target.labels ? target.labels['a-b'] : 'none'" },
])('the default of $expression', ({ expression, expected }) => {
  expect(defaultOfText(parse(expression))).toEqual(advice(expected))
})

test('the default is the given value, and other expressions have none', () => {
  expect(defaultOfText(parse('a.b'), "'c'")).toEqual(advice("where it may be missing: has(a.b) ? a.b : 'c'"))
  for (const expression of ['a', 'has(a.b)', 'f(a)', '[a]', 'a + b']) expect(defaultOfText(parse(expression))).toBeUndefined()
  expect(defaultOfText(undefined)).toBeUndefined()
})

test('the default of an optional selection and of an optional index', () => {
  expect(defaultOf(parse('a.b'), 'c')).toEqual(advice("where it may be missing: has(a.b.c) ? a.b.c : 'none'"))
  expect(defaultOf(parse('a.b'), undefined)).toEqual(advice("where it may be missing: key in a.b ? a.b[key] : 'none'"))
})
