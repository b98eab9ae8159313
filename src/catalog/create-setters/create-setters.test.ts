import { expect, test } from 'vitest'
import { messagesOfRun, objectText, run } from '../testing/run-function.ts'
import { SetterValues } from './setter-values.ts'

const till = (rest: string) => objectText('Till', rest, 'example.com/v1')

test.each([
  ['a whole value', { a: 'web1' }, 'x: web1\n', ['x: web1 # kpt-set: ${a}']],
  ['parts of a value', { a: 'one', b: 'two' }, 'x: one-two\n', ['x: one-two # kpt-set: ${a}-${b}']],
  ['a part twice', { a: 'one' }, 'x: one-one\n', ['x: one-one # kpt-set: ${a}-${a}']],
  ['the longer of two values', { a: 'one', b: 'one-two' }, 'x: one-two\n', ['x: one-two # kpt-set: ${b}']],
  ['of equal values the first name', { b: 'one', a: 'one' }, 'x: one\n', ['x: one # kpt-set: ${a}']],
  ['a number', { a: '5' }, 'x: 5\n', ['x: 5 # kpt-set: ${a}']],
  ['a comment that is there', { a: 'one' }, 'x: one # note\n', ['x: one # kpt-set: ${a}']],
  ['a list', { a: '[one, two]' }, 'x:\n- two\n- one\n', ['x: # kpt-set: ${a}']],
  ['a list in brackets', { a: '[one, two]' }, 'x: [one, two]\n', ['x: [one, two] # kpt-set: ${a}']],
  ['a list with more entries', { a: '[one, two]', z: 'zzz' }, 'x: [one]\ny: zzz\n', ['y: zzz # kpt-set: ${z}']],
  ['a list inside of a list', { a: '[one]', z: 'zzz' }, 'x: [[one]]\ny: zzz\n', ['y: zzz # kpt-set: ${z}']],
  ['a text of two lines', { a: 'one', z: 'zzz' }, 'x: |\n  one\n  two\ny: zzz\n', ['y: zzz # kpt-set: ${z}']],
  ['an annotation of people', { a: 'note1' }, '  annotations:\n    mine: note1\n', ['mine: note1 # kpt-set: ${a}']],
  ['a label', { a: '0.yaml' }, '  labels:\n    config.kubernetes.io/path: 0.yaml\n', ['config.kubernetes.io/path: 0.yaml # kpt-set: ${a}']],
  [
    'no annotation that kpt writes',
    { a: '0.yaml', z: 'zzz' },
    '  annotations:\n    config.kubernetes.io/path: 0.yaml\ny: zzz\n',
    ['y: zzz # kpt-set: ${z}'],
  ],
  ['an entry of a map in brackets, which gets lines', { a: 'one' }, 'x: {b: one, c: two}\n', ['x:', 'b: one # kpt-set: ${a}', 'c: two']],
  ['no value', { a: 'nope' }, 'x: one\n', ['error: `data` must have a value that the package contains']],
  ['no setter', {}, 'x: one\n', ['error: `data` must have a setter']],
  ['an empty setter', { a: '' }, 'x: one\n', ['error: `data.a` must have a value']],
  ['a map, which marks nothing', { a: '{b: c}', z: 'one' }, 'x: one\n', ['x: one # kpt-set: ${z}']],
])('create-setters marks %s', (_what, config, rest, expected) => {
  expect(run('create-setters', config, till(rest))).toEqual(expected)
})

test('create-setters names each mark with its value, and warns of what is too deep in brackets', () => {
  expect(messagesOfRun('create-setters', { a: 'one', l: '[b, c]' }, till('x: one\ny: [c, b]\n'))).toEqual([
    'Added line comment "kpt-set: ${a}" for field with value "one"',
    'Added line comment "kpt-set: ${l}" for field with value "[b c]"',
  ])
  expect(run('create-setters', { a: 'one' }, till('x: [{b: [one]}]\n')).at(-1)).toContain('must be on a line of its own to get a comment')
})

test('of values with one first letter the longest that fits counts', () => {
  const values = new SetterValues(
    new Map([
      ['s', 'ab'],
      ['l', 'abcd'],
      ['x', 'xy'],
    ]),
  )
  const patterns = ['abcd', 'abce', 'ab', 'a', 'zabxy', '', 'abcdab'].map((text) => values.patternOf(text))
  expect(patterns).toEqual(['${l}', '${s}ce', '${s}', undefined, 'z${s}${x}', undefined, '${l}${s}'])
})

const kptfile = (fn: string, rest = '') =>
  `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  mutators:\n  - image: ${fn}\n${rest}`

/** Returns the setters that are listed for a package whose first file is its Kptfile. */
function listed(...texts: readonly string[]): readonly string[] {
  return messagesOfRun('list-setters', {}, ...texts)
}

test.each([
  ['a text', 'x: one # kpt-set: ${a}\n', ['Name: a, Value: one, Type: str, Count: 1']],
  ['a number', 'x: 5 # kpt-set: ${a}\n', ['Name: a, Value: 5, Type: int, Count: 1']],
  ['a float', 'x: 1.5 # kpt-set: ${a}\n', ['Name: a, Value: 1.5, Type: float, Count: 1']],
  ['a boolean', 'x: true # kpt-set: ${a}\n', ['Name: a, Value: true, Type: bool, Count: 1']],
  ['a date', 'x: 2026-01-02 # kpt-set: ${a}\n', ['Name: a, Value: 2026-01-02, Type: timestamp, Count: 1']],
  ['a number in quotes', 'x: "5" # kpt-set: ${a}\n', ['Name: a, Value: 5, Type: str, Count: 1']],
  ['a number with a tag', 'x: !!str 5 # kpt-set: ${a}\n', ['Name: a, Value: 5, Type: str, Count: 1']],
  ['two fields', 'x: one # kpt-set: ${a}\ny: two # kpt-set: ${a}\n', ['Name: a, Value: one, Type: str, Count: 2']],
  ['two fields of two types', 'x: one # kpt-set: ${a}\ny: 5 # kpt-set: ${a}\n', ['Name: a, Value: one, Type: int, Count: 2']],
  [
    'two setters of a field',
    'x: n:1 # kpt-set: ${b}:${a}\n',
    ['Name: a, Value: 1, Type: str, Count: 1', 'Name: b, Value: n, Type: str, Count: 1'],
  ],
  ['a list', 'x: # kpt-set: ${l}\n- b\n- a\n', ['Name: l, Value: [a, b], Type: array, Count: 1']],
  ['two lists', 'x: # kpt-set: ${l}\n- b\ny: [c] # kpt-set: ${l}\n', ['Name: l, Value: [b], Type: array, Count: 2']],
  ['null', 'x: ~ # kpt-set: ${a}\ny: 1 # kpt-set: ${b}\n', ['Name: b, Value: 1, Type: int, Count: 1']],
  ['nothing', 'x: one # note\n', ['the package must have a setter, found none']],
])('list-setters reports %s', (_what, rest, expected) => {
  expect(listed(till(rest))).toEqual(expected)
})

test('a Kptfile that is not the one of the root gives no setters', () => {
  const config = kptfile('apply-setters', '    configMap: {a: one}\n')
  expect(listed(config)).toEqual(['the package must have a setter, found none'])
})
