import { expect, test } from 'vitest'
import { answerTo } from '../testing/answer.ts'
import { declareAll, FUNCTION_NAMES, overloadsOf } from './declarations.ts'
import { formatType } from './types.ts'

/** An expression of each type. */
const WRITTEN = {
  bool: 'true',
  int: '1',
  uint: '1u',
  double: '1.5',
  string: "'a'",
  bytes: "b'a'",
  null: 'null',
  list: '[1]',
  map: "{1: 'a'}",
  timestamp: 'timestamp(0)',
  duration: "duration('1s')",
  type: 'int',
}

/** Returns true if the types of an expression fit. */
const fits = (expression: string) => !/found no matching overload|undeclared/.test(answerTo(expression))

// Answers of cel-go 0.26.1.
test.each([
  ['-A', 'int, double'],
  ['!A', 'bool'],
  ['size(A)', 'string, bytes, list, map'],
  ['A.size()', 'string, bytes, list, map'],
  ['type(A)', 'bool, int, uint, double, string, bytes, null, list, map, timestamp, duration, type'],
  ['bool(A)', 'bool, string'],
  ['bytes(A)', 'string, bytes'],
  ['double(A)', 'int, uint, double, string'],
  ['duration(A)', 'int, string, null, duration'],
  ['dyn(A)', 'bool, int, uint, double, string, bytes, null, list, map, timestamp, duration, type'],
  ['int(A)', 'int, uint, double, string, null, timestamp, duration'],
  ['string(A)', 'bool, int, uint, double, string, bytes, null, timestamp, duration'],
  ['timestamp(A)', 'int, string, null, timestamp'],
  ['uint(A)', 'int, uint, double, string'],
  ['A.getFullYear()', 'null, timestamp'],
  ['A.getMonth()', 'null, timestamp'],
  ['A.getDayOfYear()', 'null, timestamp'],
  ['A.getDayOfMonth()', 'null, timestamp'],
  ['A.getDate()', 'null, timestamp'],
  ['A.getDayOfWeek()', 'null, timestamp'],
  ['A.getHours()', 'null, timestamp, duration'],
  ['A.getMinutes()', 'null, timestamp, duration'],
  ['A.getSeconds()', 'null, timestamp, duration'],
  ['A.getMilliseconds()', 'null, timestamp, duration'],
  ["A.getFullYear('UTC')", 'null, timestamp'],
  ["A.getHours('UTC')", 'null, timestamp'],
])('the types that %s takes', (form, types) => {
  const taken = Object.entries(WRITTEN).filter(([, text]) => fits(form.replace('A', `(${text})`)))
  expect(taken.map(([type]) => type).join(', ')).toBe(types)
})

test.each([
  [
    'A + B',
    'int int, uint uint, double double, string string, bytes bytes, null null, null timestamp, null duration, list list, timestamp null, timestamp duration, duration null, duration timestamp, duration duration',
  ],
  [
    'A - B',
    'int int, uint uint, double double, null null, null timestamp, null duration, timestamp null, timestamp timestamp, timestamp duration, duration null, duration duration',
  ],
  ['A * B', 'int int, uint uint, double double'],
  ['A / B', 'int int, uint uint, double double'],
  ['A % B', 'int int, uint uint'],
  [
    'A < B',
    'bool bool, int int, uint uint, double double, string string, bytes bytes, null null, null timestamp, null duration, timestamp null, timestamp timestamp, duration null, duration duration',
  ],
  [
    'A >= B',
    'bool bool, int int, uint uint, double double, string string, bytes bytes, null null, null timestamp, null duration, timestamp null, timestamp timestamp, duration null, duration duration',
  ],
  [
    'A == B',
    'bool bool, int int, uint uint, double double, string string, bytes bytes, null null, null timestamp, null duration, list list, map map, timestamp null, timestamp timestamp, duration null, duration duration, type type',
  ],
  ['A in B', 'int list, int map'],
  ['A[B]', 'list int, map int'],
  [
    'A && B',
    'bool bool, bool int, bool uint, bool double, bool string, bool bytes, bool null, bool list, bool map, bool timestamp, bool duration, bool type, int bool, int int, int uint, int double, int string, int bytes, int null, int list, int map, int timestamp, int duration, int type, uint bool, uint int, uint uint, uint double, uint string, uint bytes, uint null, uint list, uint map, uint timestamp, uint duration, uint type, double bool, double int, double uint, double double, double string, double bytes, double null, double list, double map, double timestamp, double duration, double type, string bool, string int, string uint, string double, string string, string bytes, string null, string list, string map, string timestamp, string duration, string type, bytes bool, bytes int, bytes uint, bytes double, bytes string, bytes bytes, bytes null, bytes list, bytes map, bytes timestamp, bytes duration, bytes type, null bool, null int, null uint, null double, null string, null bytes, null null, null list, null map, null timestamp, null duration, null type, list bool, list int, list uint, list double, list string, list bytes, list null, list list, list map, list timestamp, list duration, list type, map bool, map int, map uint, map double, map string, map bytes, map null, map list, map map, map timestamp, map duration, map type, timestamp bool, timestamp int, timestamp uint, timestamp double, timestamp string, timestamp bytes, timestamp null, timestamp list, timestamp map, timestamp timestamp, timestamp duration, timestamp type, duration bool, duration int, duration uint, duration double, duration string, duration bytes, duration null, duration list, duration map, duration timestamp, duration duration, duration type, type bool, type int, type uint, type double, type string, type bytes, type null, type list, type map, type timestamp, type duration, type type',
  ],
  ['matches(A, B)', 'string string'],
  ['A.contains(B)', 'string string'],
  [
    '[0].all(x, A < B)',
    'bool bool, int int, int uint, int double, uint int, uint uint, uint double, double int, double uint, double double, string string, bytes bytes, null null, null timestamp, null duration, timestamp null, timestamp timestamp, duration null, duration duration',
  ],
])('the pairs of types that %s takes', (form, pairs) => {
  const all = Object.entries(WRITTEN).flatMap(([left, a]) =>
    Object.entries(WRITTEN).map(([right, b]) => ({ pair: `${left} ${right}`, a, b })),
  )
  const taken = all.filter(({ a, b }) => fits(form.replace(/[AB]/g, (letter) => `(${letter === 'A' ? a : b})`)))
  expect(taken.map(({ pair }) => pair).join(', ')).toBe(pairs)
})

test('a signature has a target, arguments with types in types, and variables', () => {
  const [overload, plain] = declareAll({ f: ['string.(list(list(A)), map(A, B)) -> optional(A)', '(int) -> type(A)'] }).get('f') ?? []
  expect(overload?.args.map(formatType)).toEqual(['string', 'list(list(A))', 'map(A, B)'])
  expect(
    [overload?.method, overload?.result, overload?.variables].map((each) =>
      typeof each === 'object' && 'kind' in each ? formatType(each) : each,
    ),
  ).toMatchObject([true, 'optional_type(A)', [{ variable: 'A' }, { variable: 'B' }]])
  expect([plain?.method, plain?.args.map(formatType), plain?.variables.map(formatType)]).toEqual([false, ['int'], ['A']])
  expect(() => declareAll({ f: ['(text) -> bool'] })).toThrow('no type of the standard library: text')
})

test('only the order of numbers of two types is mixed', () => {
  const mixed = (name: string) =>
    overloadsOf(name)
      ?.filter((each) => each.mixed)
      .map(({ args }) => args.map(formatType).join(' '))
  expect(mixed('_<_')).toEqual(['int double', 'int uint', 'uint double', 'uint int', 'double int', 'double uint'])
  expect(mixed('_+_')).toEqual([])
})

test('a function may have a dot before it, and an operator is no function that is called', () => {
  expect(overloadsOf('.size')).toBe(overloadsOf('size'))
  expect(overloadsOf('nope')).toBeUndefined()
  expect(FUNCTION_NAMES).toContain('getDayOfYear')
  expect(FUNCTION_NAMES.filter((name) => /[^a-zA-Z]/.test(name))).toEqual([])
})
