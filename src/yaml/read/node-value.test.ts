import { expect, test } from 'vitest'
import { linkAliases } from './alias-targets.ts'
import type { ScalarNode } from './node.ts'
import { isNullScalar, nodeValue, scalarValue } from './node-value.ts'
import { readYaml } from './yaml-reader.ts'

// What go-yaml v3.0.4 decodes into an empty interface, asked for each of them.
test.each([
  ['0644', 420],
  ['0o17', 15],
  ['-0o17', -15],
  ['0b11', 3],
  ['0x1F', 31],
  ['1_000', 1000],
  ['_1', '_1'],
  ['08', 8],
  ['0777777777777777777777777', 7.777777777777778e23],
  ['0xfffffffffffffffff', '0xfffffffffffffffff'],
  ['18446744073709551615', 18446744073709551615n],
  ['18446744073709551616', 18446744073709552000],
  ['1e400', '1e400'],
  ['-.inf', Number.NEGATIVE_INFINITY],
  ['.5', 0.5],
  ['.1_0', 0.1],
  ['._1', '._1'],
  ['.1_', '.1_'],
  ['.1__0', '.1__0'],
  ['-._1', -0.1],
  ['1__0', 10],
  ['yes', 'yes'],
  ['12:30', '12:30'],
  ['2024-01-01', '2024-01-01'],
  ['! 5', 5],
  ['! "5"', '5'],
  ['! ~', null],
  ['!!str 5', '5'],
  ['!!int "5"', 5],
  ['!!float 1', 1],
  ['!!bool "true"', true],
  ['!!timestamp 2024-01-01', '2024-01-01'],
  ['!!binary aGVsbG8=', 'hello'],
  ['!!binary "aGVs\\nbG8="', 'hello'],
  ['!local 5', '5'],
])('%s is what go-yaml makes of it', (text, value) => {
  expect(nodeValue(readYaml(`a: ${text}\n`))).toEqual({ a: value })
})

const SPELLINGS = (word: string) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]

test.each([
  ...['', '~', ...SPELLINGS('null')].map((text) => [text, null] as const),
  ...SPELLINGS('true').map((text) => [text, true] as const),
  ...SPELLINGS('false').map((text) => [text, false] as const),
  ...['.inf', '.Inf', '.INF'].flatMap((text) => [
    [text, Infinity] as const,
    [`+${text}`, Infinity] as const,
    [`-${text}`, -Infinity] as const,
  ]),
  ...['.nan', '.NaN', '.NAN'].map((text) => [text, Number.NaN] as const),
  ...['tRUE', 'nULL', '.iNF', '.Nan', 'n', 'y', 'on', 'Yes', '-', '+', '.', '-.', '1e', '0x', '0b2', '0o8', '--1', '1__a'].map(
    (text) => [text, text] as const,
  ),
  ['-9223372036854775808', -9223372036854775808n],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['-9007199254740992', -9007199254740992n],
  ['999999999999999', 999999999999999],
  ['0', 0],
  ['+5', 5],
  ['0X1f', 31],
  ['0B11', 3],
  ['0O17', 15],
  ['-0x10', -16],
  ['1.', 1],
  ['1.5e3', 1500],
  ['1_0.5', 10.5],
] as const)('the plain scalar %j is %s', (text, value) => {
  const scalar: ScalarNode = { type: 'scalar', style: 'plain', text, start: 0, end: text.length }
  expect(scalarValue(scalar)).toBe(value)
  expect(isNullScalar(scalar)).toBe(value === null)
  expect([scalarValue({ ...scalar, style: 'double' }), isNullScalar({ ...scalar, style: 'single' })]).toEqual([text, false])
})

test('base64 is decoded only where it is base64', () => {
  const values = ['aGVsbG8=', 'aGVsbG8', 'a-b_', 'aGVs bG8='].map((text) => scalarValue({ style: 'plain', tag: '!!binary', text }))
  expect(values).toEqual(['hello', 'aGVsbG8', 'a-b_', 'hello'])
})

test('a tag decides whether a scalar is null', () => {
  const isNull = (tag: string, text: string) => isNullScalar({ type: 'scalar', style: 'plain', tag, text, start: 0, end: 0 })
  expect([isNull('!!null', '~'), isNull('!!str', '~'), isNull('!', ''), isNull('!local', '')]).toEqual([true, false, true, false])
})

test('an alias with an unknown value is named with its path', () => {
  const root = readYaml('a: &x {b: 1}\nc: [*x]\nd: [{e: *y}]\n')
  linkAliases(root)
  expect(() => nodeValue(root)).toThrow(expect.objectContaining({ anchor: 'y', path: ['d', 0, 'e'] }))
  const merging = readYaml('a: {<<: *z}\n')
  linkAliases(merging)
  expect(() => nodeValue(merging)).toThrow(expect.objectContaining({ anchor: 'z', path: ['a', '<<'] }))
})
