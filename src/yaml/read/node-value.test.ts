import { expect, test } from 'vitest'
import { nodeValue } from './node-value.ts'
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
