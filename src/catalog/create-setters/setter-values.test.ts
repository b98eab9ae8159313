import { expect, test } from 'vitest'
import { SetterValues, TooManyComparisons } from './setter-values.ts'

const pattern = (text: string, setters: Readonly<Record<string, string>>) =>
  new SetterValues(new Map(Object.entries(setters))).patternOf(text)

test.each([
  ['a text that is a value', 'nginx', { image: 'nginx' }, '${image}'],
  ['a text with several values', 'nginx:1.14', { image: 'nginx', tag: '1.14' }, '${image}:${tag}'],
  ['text around a value stays', 'a-nginx-b', { image: 'nginx' }, 'a-${image}-b'],
  ['a value may be there twice', 'x/x', { a: 'x' }, '${a}/${a}'],
  ['of two values at one place the longer one counts', 'abc', { short: 'ab', long: 'abc' }, '${long}'],
  ['whatever their names say', 'abc', { a: 'ab', b: 'abc' }, '${b}'],
  ['a longer value that does not fit leaves the shorter one', 'abd', { short: 'ab', long: 'abc' }, '${short}d'],
  ['of two setters with one value the first by name counts', 'x', { b: 'x', a: 'x' }, '${a}'],
  ['a value at the end that is cut is none', 'ngin', { image: 'nginx' }, undefined],
  ['a text without a value', 'web', { image: 'nginx' }, undefined],
  ['an empty text', '', { image: 'nginx' }, undefined],
])('%s', (_, text, setters, answer) => {
  expect(pattern(text, setters)).toBe(answer)
})

test('what is compared in a run has an end', () => {
  const values = new SetterValues(new Map([['a', `x${'y'.repeat(50_000)}`]]))
  expect(() => values.patternOf('x'.repeat(4_001))).toThrow(TooManyComparisons)
  expect(new SetterValues(new Map([['a', `x${'y'.repeat(49_999)}`]])).patternOf('x'.repeat(4_000))).toBeUndefined()
})
