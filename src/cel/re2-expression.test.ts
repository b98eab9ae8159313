import { expect, test } from 'vitest'
import { compileRegularExpression } from './re2-expression.ts'
import { RegularExpressionError } from './regular-expression.ts'

// What Go's regexp.FindStringSubmatch returns, without the whole match.
test.each<[string, string, readonly string[] | undefined]>([
  ['nginx:(.*)', 'nginx:1.14.2', ['1.14.2']],
  ['(.*)-(.*)', 'a-b-c', ['a-b', 'c']],
  ['(.*?)-(.*)', 'a-b-c', ['a', 'b-c']],
  ['(a|ab)(c|bcd)', 'abcd', ['a', 'bcd']],
  ['(a+)(b+)?', 'xaac', ['aa', '']],
  ['(a)|(b)', 'b', ['', 'b']],
  ['^(\\w+)\\b', 'till one', ['till']],
  ['(?m)^b(.*)$', 'a\nbc\nd', ['c']],
  ['(?i)(NGINX)', 'my nginx', ['nginx']],
  ['(.)(.)', '😀x', ['😀', 'x']],
  ['(a*)*b', 'aab', ['aa']],
  ['(x)', 'abc', undefined],
  ['abc', 'xabc', []],
])('the groups of %s in %s', (pattern, text, groups) => {
  expect(compileRegularExpression(pattern).groups(text)).toEqual(groups)
  expect(compileRegularExpression(pattern).test(text)).toBe(groups !== undefined)
})

test.each(['(', 'a**', '(?=a)', '(a{1000}){1000}'])('%s is refused', (pattern) => {
  expect(() => compileRegularExpression(pattern)).toThrow(RegularExpressionError)
})

test('texts that cost too much together are refused', () => {
  const expression = compileRegularExpression('(a|b){100}c')
  const text = 'ab'.repeat(500_000)
  expect(() => {
    for (let n = 0; n < 20; n++) expression.test(text)
  }).toThrow('must cost less')
})
