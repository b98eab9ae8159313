import { expect, test } from 'vitest'
import { CelError } from '../cel-error.ts'
import { compileExtendedCondition } from '../program.ts'
import { prepareVariables } from '../variables.ts'

const RESOURCES = [
  {
    kind: 'Deployment',
    metadata: { name: 'a', labels: { app: 'x' } },
    spec: { replicas: 3, ratio: 0.5, none: null, list: ['p', 'q'] },
  },
  { kind: 'Service', metadata: { name: 'b' } },
]

/** Returns the value of a condition on two resources, or the message of its error without the excerpt. */
function holds(expression: string): boolean | string {
  try {
    return compileExtendedCondition(expression, ['resources']).holds(prepareVariables(new Map([['resources', RESOURCES]])))
  } catch (error) {
    if (error instanceof CelError) return error.message.replace(/\n.*$/s, '').replace(/^ERROR: <input>:/, '')
    throw error
  }
}

// Each answer is that of cel-go 0.26.1 in the environment of kpt.
test.each([
  "'%s'.format(['a']) == 'a'",
  "'%d'.format([1]) == '1'",
  "'%s %%'.format([1.5]) == '1.5 %'",
  "'%s'.format([[1, 2]]) == '[1, 2]'",
  "'%s'.format([['a', 'b\"c']]) == '[\"a\", \"b\\\\\"c\"]'",
  "'%s'.format([[1.5]]) == '[1.500000]'",
  "'%s'.format([{'b': 1, 'a': 2}]) == '{\"a\":2, \"b\":1}'",
  "'%s'.format([{'a': dyn([true, null])}]) == '{\"a\":[true, null]}'",
  "'%s'.format([null]) == 'null'",
  "'%s'.format([true]) == 'true'",
  "'%s'.format([b'abc']) == 'abc'",
  "'%s'.format([timestamp('2023-02-03T23:31:20Z')]) == '2023-02-03T23:31:20Z'",
  "'%s'.format([duration('1h45m47s')]) == '6347s'",
  "'%s'.format([[timestamp('2023-02-03T23:31:20Z'), timestamp('2023-02-03T23:31:20Z')]]) == '[timestamp(\"2023-02-03T23:31:20Z\"), timestamp(\"2023-02-03T23:31:20Z\")]'",
  "'%s'.format([[duration('1h')]]) == '[duration(\"3600s\")]'",
  "'%s'.format([type(1)]) == 'int'",
  "'%s'.format([[type(1)]]) == '[int]'",
  "'%s'.format([1e300]) == '1e+300'",
  "'%s'.format([[1e20]]) == '[100000000000000000000.000000]'",
  "'%f'.format([1.2345678]) == '1.234568'",
  "'%.3f'.format([1.2345678]) == '1.235'",
  "'%.0f'.format([2.5]) == '2'",
  "'%f'.format([1234567.5]) == '1,234,567.500000'",
  "'%.2f'.format([-1234.5]) == '-1,234.50'",
  "'%e'.format([0.00012345]) == '1.234500\\u202f×\\u202f10\\u207b\\u2070\\u2074'",
  "'%f'.format(['NaN']) == 'NaN'",
  "'%f'.format(['Infinity']) == '∞'",
  "'%f'.format([double('-Infinity')]) == '-∞'",
  "'%f'.format([double('NaN')]) == 'NaN'",
  "'%s'.format([double('Infinity')]) == '+Inf'",
  "'%s'.format([[double('Infinity')]]) == '[\"+Inf\"]'",
  "'%s'.format([[double('NaN')]]) == '[\"NaN\"]'",
  "'%b'.format([5]) == '101'",
  "'%b'.format([-5]) == '-101'",
  "'%b'.format([true]) == '1'",
  "'%b'.format([5u]) == '101'",
  "'%x'.format([30]) == '1e'",
  "'%X'.format([30]) == '1E'",
  "'%x'.format([-30]) == '-1e'",
  "'%x'.format(['hello']) == '68656c6c6f'",
  "'%X'.format([b'\\xff\\x00z']) == 'FF007A'",
  "'%x'.format(['ü']) == 'c3bc'",
  "'%o'.format([11]) == '13'",
  "'%o'.format([11u]) == '13'",
  "'%s %s'.format(resources.map(r, r.kind)) == 'Deployment Service'",
  "'%s'.format(resources.map(r, r.kind)) == 'Deployment'",
  "resources[0].kind.format([1]) == 'Deployment'",
  '\'%s\'.format([resources[1]]) == \'{"kind":"Service", "metadata":{"name":"b"}}\'',
  "'%s'.format([{1: 'a', 2: 'b'}]) == '{1:\"a\", 2:\"b\"}'",
  "'%s'.format([{true: 'a', false: 'b'}]) == '{false:\"b\", true:\"a\"}'",
  "'%s'.format([{1u: b'a'}]) == '{1:b\"a\"}'",
  "'%s'.format([{'a': 1.0}]) == '{\"a\":1.000000}'",
  "'%s'.format([['ü\\n\\x01']]) == '[\"ü\\\\n\\\\x01\"]'",
  "'%s'.format(['ü']) == 'ü'",
  "'%d %d'.format([1, 2u]) == '1 2'",
  "'%d'.format([18446744073709551615u]) == '18446744073709551615'",
  "'%f'.format([1e20]) == '100,000,000,000,000,000,000.000000'",
  "'%.20f'.format([0.1]) == '0.10000000000000000555'",
])('%s', (expression) => {
  expect(holds(expression)).toBe(true)
})

test.each([
  ["'%.2e'.format([1052.0])", '1.052000\u202f×\u202f10⁰³'],
  ["'%.0e'.format([1052.0])", '1.052000\u202f×\u202f10⁰³'],
  ["'%.0e'.format([2.5])", '2.500000\u202f×\u202f10⁰⁰'],
  ["'%e'.format([0.0])", '0.000000\u202f×\u202f10⁰⁰'],
  ["'%e'.format([-0.00012345])", '-1.234500\u202f×\u202f10⁻⁰⁴'],
  ["'%e'.format([1e100])", '1.000000\u202f×\u202f10¹⁰⁰'],
  ["'%e'.format([double('Infinity')])", '     ∞'],
  ["'%e'.format([double('-Infinity')])", '    -∞'],
  ["'%e'.format([double('NaN')])", '   NaN'],
  ["'%f'.format([-0.0])", '0.000000'],
  ["'%.0f'.format([1234567.5])", '1,234,568'],
  ["'%.0f'.format([0.5])", '0'],
  ["'%.0f'.format([1.5])", '2'],
  ["'%.1f'.format([0.25])", '0.2'],
  ["'%f'.format([999.9999999])", '1,000.000000'],
  ["'%.3e'.format([9.99999])", '9.999990\u202f×\u202f10⁰⁰'],
  ["'%.30f'.format([0.1])", '0.100000000000000005551115123126'],
  ["'%.30f'.format([1e22])", '10,000,000,000,000,000,000,000.000000000000000000000000000000'],
  ["'%f'.format([12.0])", '12.000000'],
  ["'%f'.format([1e23])", '99,999,999,999,999,991,611,392.000000'],
  ["'%s'.format([['a\\x7f\\u2028\\ud7ff😀\\t\\v\\a\\'\"\\\\']])", '["a\\x7f\\u2028\\ud7ff😀\\t\\v\\a\'\\"\\\\"]'],
  ["'%s'.format([{'é\"': 1}])", '{"é\\"":1}'],
  ["'%s'.format([[]])", '[]'],
  ["'%s'.format([{}])", '{}'],
  ["'%s'.format([[[1, 2], [3]]])", '[[1, 2], [3]]'],
  ["'%s'.format([[1u]])", '[1]'],
  ["'%s'.format([[true]])", '[true]'],
  ["'%s'.format([dyn(resources[0].spec)])", '{"list":["p", "q"], "none":null, "ratio":0.500000, "replicas":3}'],
  ["'%x'.format([-9223372036854775808])", '-8000000000000000'],
  ["'%s'.format([-0.0])", '-0'],
  ["'%s'.format([[-0.0, 1e-9]])", '[-0.000000, 0.000000]'],
  ["'%s'.format([timestamp('2023-02-03T23:31:20.5+01:00')])", '2023-02-03T23:31:20.5+01:00'],
  ["'%s'.format([[timestamp('2023-02-03T23:31:20.5+01:00')]])", '[timestamp("2023-02-03T23:31:20.5+01:00")]'],
  ["'%s'.format([[duration('1.5s')]])", '[duration("1.5s")]'],
])('%s gives %s', (expression, text) => {
  // The message about a missing key repeats the key.
  expect(holds(`{'': true}[${expression}]`)).toBe(`no such key: ${text}`)
})

test.each([
  ["'%d'.format(['a']) == ''", '1:14: error during formatting: decimal clause can only be used on integers, was given string'],
  ["'%d'.format([dyn('a')]) == ''", 'error during formatting: decimal clause can only be used on integers, was given string'],
  ["'%d'.format([1.5]) == ''", '1:14: error during formatting: decimal clause can only be used on integers, was given double'],
  ["'%d'.format([dyn(1.5)]) == ''", 'error during formatting: decimal clause can only be used on integers, was given double'],
  ["'%f'.format([1]) == ''", '1:14: error during formatting: fixed-point clause can only be used on doubles, was given int'],
  ["'%f'.format([dyn(1)]) == ''", 'error during formatting: fixed-point clause can only be used on doubles, was given int'],
  ["'%e'.format([dyn(1)]) == ''", 'error during formatting: scientific clause can only be used on doubles, was given int'],
  ["'%e'.format([dyn('x')]) == ''", 'error during formatting: scientific clause can only be used on doubles, was given string'],
  ["'%f'.format([dyn('x')]) == ''", 'error during formatting: fixed-point clause can only be used on doubles, was given string'],
  ["'%f'.format(['x']) == ''", 'error during formatting: fixed-point clause can only be used on doubles, was given string'],
  ["'%b'.format([dyn(1.5)]) == ''", 'error during formatting: only integers and bools can be formatted as binary, was given double'],
  [
    "'%x'.format([dyn(1.5)]) == ''",
    'error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given double',
  ],
  ["'%o'.format([dyn(1.5)]) == ''", 'error during formatting: octal clause can only be used on integers, was given double'],
  ["'%o'.format([dyn(true)]) == ''", 'error during formatting: octal clause can only be used on integers, was given bool'],
  ["'%y'.format([1]) == ''", '1:12: could not parse formatting clause: unrecognized formatting clause "y"'],
  ["'%'.format([1]) == ''", '1:11: unexpected end of string'],
  [
    "'%.'.format([1]) == ''",
    '1:12: could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
  ],
  [
    "'%.5'.format([1]) == ''",
    '1:13: could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
  ],
  [
    "'%.xf'.format([1.0]) == ''",
    '1:14: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
  ],
  ["'%5d'.format([1]) == ''", '1:13: could not parse formatting clause: unrecognized formatting clause "5"'],
  ["'%s %s'.format([1]) == ''", '1:15: index 1 out of range'],
  ["'%s'.format([1, 2]) == ''", '1:12: too many arguments supplied to string.format (expected 1, got 2)'],
  ["'%s'.format([]) == ''", '1:12: index 0 out of range'],
  ["'%s %s %s'.format(resources.map(r, r.kind)) == 'Deployment'", 'index 2 out of range'],
  ["resources[0].format([1]) == 'Deployment'", 'no such overload: format(map, list)'],
  ["(resources[0].kind + '%y').format([1]) == 'Deployment'", 'could not parse formatting clause: unrecognized formatting clause "y"'],
  [
    "(resources[0].kind + '%d').format([resources[0]]) == 'Deployment'",
    'error during formatting: decimal clause can only be used on integers, was given map',
  ],
  ["'%s'.format([{1.5: 'a'}]) == ''", 'error during formatting: no formatting function for map key of type double'],
  [
    "'%s'.format([b'\\xff']) == ''",
    'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
  ],
  [
    "'%s'.format([[b'\\xff']]) == ''",
    'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
  ],
  ["'%d'.format(resources) == ''", 'error during formatting: decimal clause can only be used on integers, was given map'],
  ["'%s'.format('a') == ''", "1:12: found no matching overload for 'format' applied to 'string.(string)'"],
  ["'a'.format([1]) == 'a'", '1:11: too many arguments supplied to string.format (expected 0, got 1)'],
  [
    "{'a': true}['%s'.format([[b'a\\xffü\\n']])]",
    'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
  ],
  [
    "{'a': true}['%.5000000000000000000000f'.format([1.0])]",
    '1:47: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "5000000000000000000000": value out of range',
  ],
])('%s is an error', (expression, message) => {
  expect(holds(expression)).toBe(message)
})

test('a format has the limits of every text', () => {
  expect(holds("'%.1000000f'.format([1.0]).size() > 0")).toContain('limit exceeded')
  expect(holds("'%.999999e'.format([1e300]).size() > 0")).toBe(true)
  const many = Array.from({ length: 40 }, () => '%.99999f').join('')
  expect(holds(`resources.map(r, '${many}'.format([${Array.from({ length: 40 }, () => '1.1').join(', ')}])).size() > 0`)).toContain(
    'limit exceeded',
  )
})

test('a text that is no literal is judged when it is evaluated', () => {
  expect(holds("resources.map(r, r.kind + ' %s').map(f, f.format(['a'])) == ['Deployment a', 'Service a']")).toBe(true)
})
