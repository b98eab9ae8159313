import { expect, test } from 'vitest'
import { CelError } from '../cel-error.ts'
import { compile, compileExtendedCondition } from '../program.ts'
import { prepareVariables } from '../variables.ts'
import { EXTENSION_SIGNATURES } from './extensions.ts'

/** Returns the value of a condition on no resources, or the message of its error. */
function holds(expression: string, resources: readonly string[] = []): boolean | string {
  try {
    return compileExtendedCondition(expression, ['resources']).holds(prepareVariables(new Map([['resources', [...resources]]])))
  } catch (error) {
    if (error instanceof CelError) return error.message
    throw error
  }
}

// The examples of cel-go's documentation of ext.Strings, ext.Sets and ext.Lists.
test.each([
  "'hello'.charAt(4) == 'o'",
  "'hello'.charAt(5) == ''",
  "'hello mellow'.indexOf('') == 0",
  "'hello mellow'.indexOf('ello') == 1",
  "'hello mellow'.indexOf('jello') == -1",
  "'hello mellow'.indexOf('', 2) == 2",
  "'hello mellow'.indexOf('ello', 2) == 7",
  "'hello mellow'.indexOf('ello', 20) == -1",
  "['hello', 'mellow'].join() == 'hellomellow'",
  "['hello', 'mellow'].join(' ') == 'hello mellow'",
  "[].join() == ''",
  "[].join('/') == ''",
  "'hello mellow'.lastIndexOf('') == 12",
  "'hello mellow'.lastIndexOf('ello') == 7",
  "'hello mellow'.lastIndexOf('jello') == -1",
  "'hello mellow'.lastIndexOf('ello', 6) == 1",
  "'TacoCat'.lowerAscii() == 'tacocat'",
  "'TacoCÆt Xii'.lowerAscii() == 'tacocÆt xii'",
  'strings.quote(\'single-quote with "double quote"\') == \'"single-quote with \\\\"double quote\\\\""\'',
  "'hello hello'.replace('he', 'we') == 'wello wello'",
  "'hello hello'.replace('he', 'we', -1) == 'wello wello'",
  "'hello hello'.replace('he', 'we', 1) == 'wello hello'",
  "'hello hello'.replace('he', 'we', 0) == 'hello hello'",
  "'hello hello'.replace('', '_') == '_h_e_l_l_o_ _h_e_l_l_o_'",
  "'hello hello'.replace('h', '') == 'ello ello'",
  "'ab'.replace('', '-', 2) == '-a-b'",
  "'hello hello hello'.split(' ') == ['hello', 'hello', 'hello']",
  "'hello hello hello'.split(' ', 0) == []",
  "'hello hello hello'.split(' ', 1) == ['hello hello hello']",
  "'hello hello hello'.split(' ', 2) == ['hello', 'hello hello']",
  "'hello hello hello'.split(' ', -1) == ['hello', 'hello', 'hello']",
  "'añb'.split('') == ['a', 'ñ', 'b']",
  "'tacocat'.substring(4) == 'cat'",
  "'tacocat'.substring(0, 4) == 'taco'",
  "'😀b'.substring(1) == 'b'",
  "'  \\ttrim\\n    '.trim() == 'trim'",
  "'   '.trim() == ''",
  "'TacoCat'.upperAscii() == 'TACOCAT'",
  "'TacoCÆt Xii'.upperAscii() == 'TACOCÆT XII'",
  'sets.contains([], [])',
  '!sets.contains([], [1])',
  'sets.contains([1, 2, 3, 4], [2, 3])',
  'sets.contains([dyn(1), dyn(2.0), dyn(3u)], [dyn(1.0), dyn(2u), dyn(3)])',
  'sets.equivalent([], [])',
  'sets.equivalent([1], [1, 1])',
  'sets.equivalent([dyn(1)], [dyn(1u), dyn(1.0)])',
  '!sets.equivalent([1, 2], [1])',
  '!sets.equivalent([1], [1, 2])',
  '!sets.contains([1], [1, 2])',
  '!sets.intersects([1], [2, 3])',
  '!sets.intersects([1], [])',
  'sets.intersects([1], [1, 2])',
  'sets.intersects([dyn([1]), dyn([2, 3])], [dyn([1, 2]), dyn([2, 3.0 == 3.0 ? 3 : 0])])',
  '[1, 2, 2, 3, 3, 3].distinct() == [1, 2, 3]',
  "['b', 'b', 'c', 'a', 'c'].distinct() == ['b', 'c', 'a']",
  'lists.range(5) == [0, 1, 2, 3, 4]',
  '[5, 3, 1, 2].reverse() == [2, 1, 3, 5]',
  '[1, 2, 3, 4].slice(1, 3) == [2, 3]',
  '[1, 2, 3, 4].slice(2, 4) == [3, 4]',
  '[dyn(1), dyn([2, 3]), dyn([4])].flatten() == [dyn(1), dyn(2), dyn(3), dyn(4)]',
  '[[1], [], [3, 4]].flatten() == [1, 3, 4]',
  '[dyn(1), dyn([dyn(2), dyn([3, 4])])].flatten() == [dyn(1), dyn(2), dyn([3, 4])]',
  '[dyn(1), dyn([dyn(2), dyn([dyn(3), dyn([4])])])].flatten(2) == [dyn(1), dyn(2), dyn(3), dyn([4])]',
  '[3, 2, 1].sort() == [1, 2, 3]',
  "['b', 'c', 'a'].sort() == ['a', 'b', 'c']",
  "[{'name': 'foo', 'rank': '2'}, {'name': 'bar', 'rank': '1'}].sortBy(e, e.rank).map(e, e.name) == ['bar', 'foo']",
  "resources.distinct().sort().join(',') == 'a,b'",
  'dyn(1) < 2.0',
  '1 < 1.5',
])('%s', (expression) => {
  expect(holds(expression, ['b', 'a', 'b'])).toBe(true)
})

test.each([
  ["'hello'.charAt(6) == ''", 'index out of range: 6'],
  ["'hello'.charAt(-1) == ''", 'index out of range: -1'],
  ["'hello mellow'.indexOf('ello', -1) == 0", 'index out of range: -1'],
  ["'hello mellow'.lastIndexOf('ello', -1) == 0", 'index out of range: -1'],
  ["'tacocat'.substring(8) == ''", 'index out of range: 8'],
  ["'tacocat'.substring(2, 1) == ''", 'invalid substring range. start: 2, end: 1'],
  ['[1].slice(0, 2) == [1]', 'cannot slice(0, 2), list is length 1'],
  ['[1].slice(-1, 1) == [1]', 'cannot slice(-1, 1), negative indexes not supported'],
  ['[1].slice(1, 0) == [1]', 'cannot slice(1, 0), start index must be less than or equal to end index'],
  ['[dyn(1), dyn([2])].flatten(-1) == []', 'level must be non-negative'],
  ["[dyn(1), dyn('b')].sort() == []", 'list elements must have the same type'],
  ['[dyn([1, 2, 3])].sort() == []', 'list elements must be comparable'],
  ['lists.range(10000000).size() == 0', 'evaluation limit exceeded'],
  [
    "'a'.replace('', 'b'.replace('', 'bbbbbbbbbbbb')).size() == resources.map(r, r.replace('', 'x')).join().trim()",
    'found no matching overload',
  ],
  [
    "resources.map(r, lists.range(2000).map(i, 'aaaaaaaaaa').join()).join().replace('', 'bbbbbbbbbbbbbbbbbbbbbbb').size() > 0",
    'evaluation limit exceeded',
  ],
  ["resources[0].replace('a', 1) == ''", 'found no matching overload'],
  ["dyn(1).lowerAscii() == ''", 'no such overload: lowerAscii(int)'],
  ['sets.unknown([1], [1])', "undeclared reference to 'sets'"],
  ['[1].sortBy(1, 1) == [1]', 'argument is not an identifier'],
])('%s is an error', (expression, message) => {
  expect(holds(expression, ['b', 'a', 'b'])).toContain(message)
})

test('templates, whose environment is that of Porch, have no extension library', () => {
  for (const name of Object.keys(EXTENSION_SIGNATURES).filter((each) => /^[a-z]+$/i.test(each)))
    expect(() => compile(`'a'.${name}()`, ['target']), name).toThrow(`undeclared reference to '${name}'`)
  expect(() => compile("sets.contains(['a'], ['a']) ? 'a' : 'b'", ['target'])).toThrow("undeclared reference to 'sets'")
  expect(() => compile("['b'].sortBy(e, e)[0]", ['target'])).toThrow("undeclared reference to 'sortBy'")
})

/** Returns an expression that takes a value through a step many times: `x` is the value before the step. */
function repeated(start: string, times: number, step: string): string {
  return Array.from({ length: times }).reduce<string>((expression) => `[${expression}].map(x, ${step})[0]`, start)
}

const LONG = repeated("'abcdefghijklmnop'", 15, 'x + x')
const TOO_LONG = 'evaluation limit exceeded: 1000000 characters in one string'

test.each([
  ['replace', repeated("'abcdefghij'", 8, "x.replace('', x)")],
  ['join', repeated("['aaaaaaaaaa']", 20, "[x.join('bbbb'), x.join('cc')]")],
  ['quote', repeated(`''`, 30, 'strings.quote(x)')],
  ['+', repeated("'aaaaaaaaaa'", 30, 'x + x')],
  ['format with many texts', `['%s%s%s'].map(f, f.format([${LONG}, ${LONG}, ${LONG}]))[0]`],
  ['format with a list that holds another one often', `'%s'.format([${repeated("['aaaa']", 22, '[x, x]')}])`],
  ['format with a map that holds another one often', `'%s'.format([${repeated("{'a': 'bbbb'}", 22, "{'a': x, 'b': x}")}])`],
  ['format in hex', `'%x'.format([${LONG}])`],
  ['format with a precision', "'%.999999f'.format([1.5e300])"],
])('the text of %s is refused before it is made', (_, expression) => {
  expect(holds(`size(${expression}) > 0`)).toBe(TOO_LONG)
})

test('a precision beyond all limits is a fault of the expression', () => {
  expect(holds("'%.99999999999f'.format([1.5e300]) != ''")).toContain(TOO_LONG)
})

test('a list that holds another one often is flattened within the limit of work', () => {
  const before = process.cpuUsage().user
  expect(holds(`size(${repeated('[1, 2]', 24, '[x, x]')}.flatten(100)) > 0`)).toMatch(/^evaluation limit exceeded: 8000000 units of work$/)
  expect(process.cpuUsage().user - before).toBeLessThan(5_000_000)
})
