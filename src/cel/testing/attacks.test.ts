import { expect, test } from 'vitest'
import { unitsOf } from '../../../testdata/processor-time.ts'
import { CelError } from '../cel-error.ts'
import { compile } from '../program.ts'
import { prepareVariables } from '../variables.ts'

const VARIABLES = prepareVariables(new Map([['target', { name: 'edge' }]]))

/** Units of processor time that a bad expression may take: three times what the worst of them needs, which is about a second. */
const PATIENCE = 75

function outcome(expression: string): { message: string; units: number } {
  const { units, value: message } = unitsOf(() => messageOf(expression))
  return { message, units }
}

function messageOf(expression: string): string {
  try {
    return `no error: ${compile(expression, ['target']).evaluate(VARIABLES)}`
  } catch (error) {
    if (error instanceof CelError) return error.message
    throw error
  }
}

const numbers = (count: number) => `[${Array.from({ length: count }, (_, i) => i).join(',')}]`
const chain = (start: string, step: string, times: number) => start + step.repeat(times)

/** Macros inside each other, each over the same list. */
function nest(macro: string, depth: number, list: string, body: string): string {
  const loops = Array.from({ length: depth }, (_, i) => `${list}.${macro}(x${i}, `)
  return loops.join('') + body + ')'.repeat(depth)
}

const DOUBLED = chain("['aaaaaaaaaaaaaaaa']", '.map(x, x + x)', 15)
const THOUSAND = numbers(1_000)

test.each([
  { reason: 'parentheses', expression: `${'('.repeat(5_000)}'a'${')'.repeat(5_000)}`, error: 'recursion limit' },
  { reason: 'brackets that never close', expression: '['.repeat(49_000), error: 'recursion limit' },
  { reason: 'operators', expression: chain("'a'", " + 'a'", 10_000), error: 'recursion depth' },
  { reason: 'selections', expression: chain('target', '.a', 40_000), error: 'recursion depth' },
  { reason: 'a literal of a megabyte', expression: `'${'a'.repeat(1_000_000)}'`, error: 'code point size' },
  { reason: 'calls of nothing', expression: `f(${'1,'.repeat(40_000)}1)`, error: 'undeclared' },
  { reason: 'four nested maps', expression: `string(size(${nest('map', 4, numbers(50), '1')}))`, error: 'units of work' },
  { reason: 'five nested quantifiers', expression: `${nest('all', 5, numbers(50), 'true')} ? 'a' : 'b'`, error: 'evaluation limit' },
  { reason: '249 nested quantifiers', expression: `${nest('all', 249, '[1,2]', 'true')} ? 'a' : 'b'`, error: 'units of work' },
  { reason: 'an error in every step', expression: `${nest('all', 2, THOUSAND, 'target.nope == x0')} ? 'a' : 'b'`, error: 'units of work' },
  {
    reason: 'errors that pass many operators',
    expression: `${nest('all', 2, THOUSAND, `${'('.repeat(60)}target.nope${' && true)'.repeat(60)}`)} ? 'a' : 'b'`,
    error: 'units of work',
  },
  {
    reason: 'a string doubled 27 times, then measured',
    expression: `string(${chain("['aaaaaaaaaaaaaaaa']", '.map(x, x + x)', 27)}[0].size())`,
    error: 'characters in one string',
  },
  { reason: 'a string doubled 40 times', expression: `${chain("['a']", '.map(x, x + x)', 40)}[0]`, error: 'characters in one string' },
  {
    reason: 'bytes doubled',
    expression: `string(${chain("[b'aaaaaaaaaaaaaaaa']", '.map(x, x + x)', 30)}[0].size())`,
    error: 'characters in one string',
  },
  { reason: 'a list doubled', expression: `string(${chain('[[1, 2, 3]]', '.map(x, x + x)', 30)}[0].size())`, error: 'units of work' },
  { reason: 'a type doubled', expression: chain('[[1]]', '.map(x, {x: x})', 60), error: 'type size limit' },
  { reason: 'a type of a variable doubled', expression: `${chain('[]', '.map(x, {x: x})', 40)}[0]`, error: 'type size limit' },
  {
    reason: 'a value doubled, then compared',
    expression: `string(${chain('[dyn([1])]', '.map(x, dyn([x, x]))', 28)}.all(y, y == y))`,
    error: 'units of work',
  },
  {
    reason: 'maps that stay in memory',
    expression: `string(size(${THOUSAND}.map(x, ${THOUSAND}.map(y, {'a': x, 'b': y}))))`,
    error: 'units of work',
  },
  {
    reason: 'times that stay in memory',
    expression: `string(size(${THOUSAND}.map(x, ${THOUSAND}.map(y, timestamp(y)))))`,
    error: 'units of work',
  },
  {
    reason: 'time zones',
    expression: `string(${nest('map', 2, THOUSAND, "timestamp(x1).getHours('America/New_York')")}.size())`,
    error: 'units of work',
  },
  {
    reason: 'a long string searched for half of itself',
    expression: `${DOUBLED}.map(s, string(s.contains('b' + s)))[0]`,
    error: 'units of work',
  },
  {
    reason: 'a long string matched again and again',
    expression: `${DOUBLED}.map(s, string(${THOUSAND}.all(i, s.matches('(a+)+$'))))[0]`,
    error: 'units of work',
  },
  { reason: 'a long string as a pattern', expression: `${DOUBLED}.map(s, string('a'.matches(s)))[0]`, error: 'regular expression limit' },
  { reason: 'a long pattern', expression: `'a'.matches('${'x'.repeat(90_000)}') ? 'a' : 'b'`, error: 'regular expression limit' },
  { reason: 'repetitions of repetitions', expression: "'a'.matches('((a{30}){30}){30}') ? 'a' : 'b'", error: 'regular expression limit' },
  {
    reason: 'an automaton with too many states',
    expression: `${chain("['abbabaabbaabab']", '.map(x, x + x)', 12)}.map(s, string(s.matches('(a|b)*a(a|b){200}$')))[0]`,
    error: 'units of work',
  },
  {
    reason: 'digits without end',
    expression: `${chain("['1111111111111111']", '.map(x, x + x)', 15)}.map(s, string(int(s)))[0]`,
    error: 'type conversion error',
  },
])('$reason: an error, and soon', ({ expression, error }) => {
  const { message, units } = outcome(expression)
  expect(message).toContain(error)
  expect(units).toBeLessThan(PATIENCE)
})

test.each([
  {
    reason: 'an exponential pattern of JavaScript is linear here',
    expression: `${chain("['aaaaaaaaaaaaaaaa']", '.map(x, x + x)', 12)}.map(s, string((s + 'b').matches('(a+)+$')))[0]`,
    expected: 'no error: false',
  },
  { reason: 'signs do not nest', expression: `${'!'.repeat(10_000)}true ? 'a' : 'b'`, expected: 'no error: a' },
  {
    reason: 'a long list is walked twice',
    expression: `string(size([${'1,'.repeat(5_000)}].map(x, x + 1).map(x, x + 1)))`,
    expected: 'no error: 5000',
  },
  { reason: 'three nested maps are allowed', expression: `string(size(${nest('map', 3, numbers(50), '1')}))`, expected: 'no error: 50' },
])('$reason', ({ expression, expected }) => {
  const { message, units } = outcome(expression)
  expect(message).toBe(expected)
  expect(units).toBeLessThan(PATIENCE)
})
