import { expect, test } from 'vitest'
import { messagesOfRun, objectText, run, valuesAfter } from '../testing/run-function.ts'

const till = (rest: string) => objectText('Till', rest, 'example.com/v1')
const NONE = 'no matches for input setter(s)'

test.each([
  ['a number stays one', { a: '5' }, 'x: 1 # kpt-set: ${a}\n', ['x: 5 # kpt-set: ${a}']],
  ['a text in quotes stays one', { a: '5' }, 'x: "1" # kpt-set: ${a}\n', ['x: "5" # kpt-set: ${a}']],
  ['a plain text becomes what YAML reads', { a: 'true' }, 'x: one # kpt-set: ${a}\n', ['x: true # kpt-set: ${a}']],
  ['a text that YAML would read otherwise gets quotes', { a: 'a: b' }, 'x: one # kpt-set: ${a}\n', ["x: 'a: b' # kpt-set: ${a}"]],
  ['an empty list in place of a list', { l: '' }, 'x: # kpt-set: ${l}\n- a\n', ['x: [] # kpt-set: ${l}']],
  ['a list in brackets', { l: '[b]' }, 'x: [a] # kpt-set: ${l}\n', ['x: [b] # kpt-set: ${l}']],
  ['no list in place of a list', { l: 'b' }, 'x: [a] # kpt-set: ${l}\n', [expect.stringContaining("must be set to a list, got 'b'")]],
  ['two setters for a list', { l: '[b]' }, 'x: [a] # kpt-set: ${l}${m}\n', [expect.stringContaining('must be set by one setter alone')]],
  [
    'a text beside the setter of a list',
    { l: '[b]' },
    'x: [a] # kpt-set: x${l}\n',
    [expect.stringContaining('must be set by one setter alone')],
  ],
  ['a setter whose other part is not known', { a: 'b' }, 'x: plain # kpt-set: ${a}-${c}\n', [expect.stringContaining("no value for 'c'")]],
  [
    'an alias without an anchor',
    { a: 'b' },
    'x: *gone # kpt-set: ${a}\ny: *lost # kpt-set: ${a}\n',
    ['error: `x` must be written out: the alias *gone is not expanded', 'error: `y` must be written out: the alias *lost is not expanded'],
  ],
  [
    'an alias without an anchor of another setter',
    { a: 'b' },
    'x: *gone # kpt-set: ${c}\ny: 1 # kpt-set: ${a}\n',
    ['y: b # kpt-set: ${a}'],
  ],
])('apply-setters: %s', (_what, config, rest, expected) => {
  expect(run('apply-setters', config, till(rest))).toEqual(expected)
})

test.each([
  ['- x: old # kpt-set: ${name}\n  y: z\n'],
  ['- old # kpt-set: ${name}\n'],
  ['- x: # kpt-set: ${other}\n  - a\n'],
  // The part of the value that the setter `gone` has is not known.
  ['- x: old # kpt-set: ${name}-${gone}\n'],
])('a list that is written replaces what is below it, with its setters: %j', (entries) => {
  const setters = { list: '[p, q]', name: 'new', other: '[r]' }
  const text = till(`list: # kpt-set: \${list}\n${entries}listed: old # kpt-set: \${name}\n`)
  expect(valuesAfter('apply-setters', setters, text)).toEqual([expect.objectContaining({ list: ['p', 'q'], listed: 'new' })])
  expect(messagesOfRun('apply-setters', setters, text)).toHaveLength(2)
})

test('the function names every field without a valid value, and writes no field then', () => {
  const lines = run(
    'apply-setters',
    { a: 'b', l: 'x' },
    till('x: one # kpt-set: ${a}\ny: [a] # kpt-set: ${l}\nz: plain # kpt-set: ${a}-${c}\n'),
  )
  expect(lines).toHaveLength(2)
  expect(lines.every((line) => line.startsWith('error: '))).toBe(true)
})

test('a run that finds no field says so, as an error in v0.1.1 alone', () => {
  const text = till('x: one # kpt-set: ${a}\n')
  for (const config of [{}, { b: 'c' }]) {
    expect(messagesOfRun('apply-setters', config, text)).toEqual([NONE])
    expect(run('apply-setters v0.2.0', config, text)).toEqual([])
    expect(run('apply-setters v0.1.1', config, text)).toEqual([`error: ${NONE}`])
  }
  expect(run('apply-setters v0.1.1', { a: 'two' }, text)).toEqual(['x: two # kpt-set: ${a}'])
  expect(messagesOfRun('apply-setters', { a: 'two' }, text)).toEqual(['set field value to "two"'])
})

test('setters are read from `data` of any kind, and from nothing else', () => {
  const text = till('x: one # kpt-set: ${a}\n')
  const config = { apiVersion: 'example.com/v1', kind: 'Any', metadata: { name: 'c' } }
  expect(run('apply-setters', { ...config, data: { a: 'two' } }, text)).toEqual(['x: two # kpt-set: ${a}'])
  for (const rest of [{}, { data: 'a' }, { a: 'two' }]) expect(messagesOfRun('apply-setters', { ...config, ...rest }, text)).toEqual([NONE])
})
