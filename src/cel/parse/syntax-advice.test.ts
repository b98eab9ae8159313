import { expect, test } from 'vitest'
import { reservedAdvice, syntaxAdvice } from './syntax-advice.ts'
import { tokenize } from './tokens.ts'

/** Returns the advice about the word at an offset, which is marked with `»`. */
function adviceAt(marked: string): string | undefined {
  const offset = marked.indexOf('»')
  const tokens = tokenize(marked.replace('»', ''))
  return syntaxAdvice(
    tokens,
    tokens.findIndex((token) => token.offset === offset),
  )
}

const QUOTES = 'write a text between \' or "'

test.each([
  ['a »= b', "'==' compares"],
  ['a »and b', "'&&' is the operator"],
  ['a »or b', "'||' is the operator"],
  ['»not a', "'!' is the operator"],
  ['a »& b', "'&&' is the operator"],
  ['a »| b', "'||' is the operator; there are no pipes"],
  ['»${a}', 'write variables as they are: target.name, not ${target.name}'],
  ['{{ a.b »}}', 'write variables as they are: target.name, not {{ target.name }}'],
  ['»“a”', QUOTES],
  ['»‘a’', QUOTES],
  ["a »'b'", 'texts are joined with +'],
  ["'a' »'b'", 'texts are joined with +'],
  ["1 »'b'", undefined],
  ['a »b', undefined],
  ['a »toString', undefined],
])('%s', (marked, advice) => {
  expect(adviceAt(marked)).toBe(advice)
})

test.each([
  ["a.b ?»? 'c'", "where it may be missing: has(a.b) ? a.b : 'c'"],
  ['a.b ?»? c', "where it may be missing: has(a.b) ? a.b : 'none'"],
  ["a ?»? 'c'", "where it may be missing: has(a.b) ? a.b : 'c'"],
  ['a?».b', "where it may be missing: has(a.b) ? a.b : 'none'"],
  ['a.b?».c', "where it may be missing: has(a.b.c) ? a.b.c : 'none'"],
  ["a['b'].d?».c", "where it may be missing: has(a.b) ? a.b : 'none'"],
  ["a['b']?».c", "where it may be missing: has(a.b) ? a.b : 'none'"],
])('a value that may be missing: %s', (marked, advice) => {
  expect(adviceAt(marked)).toBe(advice)
})

test('a choice without blanks is no value that may be missing', () => {
  expect(adviceAt("a ? »? 'b'")).toBeUndefined()
  expect(adviceAt('a.b?».1')).toBeUndefined()
})

test('a word that CEL keeps has advice of its own, or needs quotes', () => {
  expect(reservedAdvice('if')).toBe("a choice is written test ? 'a' : 'b'")
  expect(reservedAdvice('package')).toBe('the package that a target gives by default is packageDefault')
  expect(reservedAdvice('loop')).toBe("CEL keeps the word for later; a text needs quotes: 'loop'")
})
