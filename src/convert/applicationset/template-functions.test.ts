import { expect, test } from 'vitest'
import { goText, isEmpty, parameterAt, sanitizedName, TEMPLATE_FUNCTIONS, TemplateFault, type TemplateValue } from './template-functions.ts'
import { textMap } from './text-maps.ts'

const call = (name: string, ...args: readonly TemplateValue[]) => TEMPLATE_FUNCTIONS[name]?.(...args)

test.each<[TemplateValue, string]>([
  ['x', 'x'],
  ['', ''],
  [true, 'true'],
  [0, '0'],
  [1.5, '1.5'],
  [-3, '-3'],
  [999_999, '999999'],
  [0.0001, '0.0001'],
  [12345678n, '12345678'],
])('Go writes %s as %s', (value, text) => {
  expect(goText(value)).toBe(text)
})

test.each<[string, TemplateValue, string]>([
  ['a large number', 1e6, 'must use texts for numbers that Go writes with an exponent, got 1000000; quote the number'],
  ['a large negative number', -1e6, 'must use texts for numbers that Go writes with an exponent, got -1000000; quote the number'],
  ['a small number', 0.00001, 'must use texts for numbers that Go writes with an exponent, got 0.00001; quote the number'],
  [
    'an integer beyond 2^53',
    2n ** 53n,
    'must use texts for numbers that Go writes with an exponent, got 9007199254740992; quote the number',
  ],
  ['nothing', undefined, 'must give a text, got a parameter without a value'],
  ['null', null, 'must give a text, got a parameter without a value'],
  ['a map', { a: 1 }, 'must give a text, got a map or list'],
  ['a list', [], 'must give a text, got a map or list'],
])('%s is no text: %s', (_, value, message) => {
  expect(() => goText(value)).toThrow(new TemplateFault(message.replace('0.00001', String(0.00001))))
})

test('a condition counts nothing, null, false, 0, an empty text, map and list as false', () => {
  for (const value of [undefined, null, false, 0, 0n, '', {}, []]) expect(isEmpty(value)).toBe(true)
  for (const value of [true, 1, 1n, 'x', ' ', { a: null }, [null]]) expect(isEmpty(value)).toBe(false)
})

test.each([
  ['Prod_1', 'prod-1'],
  ['a.b-c', 'a.b-c'],
  ['-.a.-', 'a'],
  ['ä', ''],
  ['x'.repeat(300), 'x'.repeat(253)],
  [`${'x'.repeat(252)}-y`, 'x'.repeat(252)],
])('Argo CD makes %j the name %j', (name, expected) => {
  expect(sanitizedName(name)).toBe(expected)
})

test.each<[string, readonly TemplateValue[], TemplateValue]>([
  ['add', [1n, 2, '3'], 6n],
  ['and', ['a', '', 'b'], ''],
  ['and', ['a', 'b'], 'b'],
  ['b64dec', ['YQ=='], 'a'],
  ['b64enc', ['ä'], 'w6Q='],
  ['cat', ['a', null, undefined, 1n], 'a 1'],
  ['coalesce', ['', null, 'b', 'c'], 'b'],
  ['coalesce', ['', 0], undefined],
  ['contains', ['b', 'abc'], true],
  ['contains', ['abc', 'b'], false],
  ['default', ['d', ''], 'd'],
  ['default', ['d', 'x'], 'x'],
  ['dict', ['a', 1n, 'b'], { a: 1n, b: '' }],
  ['dig', ['a', 'b', 'd', { a: { b: 'x' } }], 'x'],
  ['dig', ['a', 'c', 'd', { a: { b: 'x' } }], 'd'],
  ['dig', ['constructor', 'd', {}], 'd'],
  ['empty', [''], true],
  ['empty', ['x'], false],
  ['eq', ['a', 'b', 'a'], true],
  ['eq', ['a', 'b'], false],
  ['first', [['a', 'b']], 'a'],
  ['ge', [2n, 2n], true],
  ['get', [{ a: 'x' }, 'a'], 'x'],
  ['get', [{ a: 'x' }, 'b'], ''],
  ['get', [{ a: 'x' }, 'constructor'], ''],
  ['gt', ['b', 'a'], true],
  ['gt', [1.5, 2.5], false],
  ['has', ['a', ['a']], true],
  ['has', [1n, [1]], false],
  ['hasKey', [{ a: 'x' }, 'a'], true],
  ['hasKey', [{ a: 'x' }, 'toString'], false],
  ['hasPrefix', ['a', 'ab'], true],
  ['hasPrefix', ['b', 'ab'], false],
  ['hasSuffix', ['b', 'ab'], true],
  ['hasSuffix', ['a', 'ab'], false],
  ['indent', [2n, 'a\nb'], '  a\n  b'],
  ['index', [{ a: ['x', 'y'] }, 'a', 1n], 'y'],
  ['index', [['x'], 0n], 'x'],
  ['index', [{ a: 1 }, 'b'], undefined],
  ['index', [textMap([['a', 'x']]), 'b'], ''],
  ['index', [textMap([['a', 'x']]), 'a'], 'x'],
  ['initial', [['a', 'b']], ['a']],
  ['int', [3], 3n],
  ['int', ['-7'], -7n],
  ['join', ['-', ['a', 1, true]], 'a-1-true'],
  ['last', [['a', 'b']], 'b'],
  ['le', [3n, 2n], false],
  ['len', ['ä'], 2n],
  ['len', [['a', 'b']], 2n],
  ['len', [{ a: 1 }], 1n],
  ['list', ['a', undefined], ['a', null]],
  ['lower', ['AbC'], 'abc'],
  ['lt', [1n, 2n], true],
  ['mul', [2n, 3, '4'], 24n],
  ['ne', ['a', 'b'], true],
  ['ne', ['a', 'a'], false],
  ['nindent', [1n, 'a'], '\n a'],
  ['normalize', ['A_b'], 'a-b'],
  ['nospace', [' a\tb\n'], 'ab'],
  ['not', [''], true],
  ['not', ['x'], false],
  ['or', ['', 'b', 'c'], 'b'],
  ['or', ['', 0], 0],
  ['print', [2], '2'],
  ['printf', ['%s=%d %v 100%%', 'a', 3n, true], 'a=3 true 100%'],
  ['quote', ['a"b'], '"a\\"b"'],
  ['replace', ['a', '$&', 'bab'], 'b$&b'],
  ['replace', ['a', 'x', 'aa'], 'xx'],
  ['rest', [['a', 'b']], ['b']],
  ['sha256sum', ['a'], 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
  ['slugify', ['A.b_c'], 'a-b-c'],
  ['slugify', [6n, true, 'A.b_c'], 'a-b-c'],
  ['snakecase', ['load-balancer of'], 'load_balancer_of'],
  ['split', ['-', 'a-b'], { _0: 'a', _1: 'b' }],
  ['splitList', ['-', 'a-b'], ['a', 'b']],
  ['squote', ['a'], "'a'"],
  ['sub', [1n, 3], -2n],
  ['substr', [1n, 3n, 'abcd'], 'bc'],
  ['substr', [-2n, 3n, 'abcd'], 'abc'],
  ['substr', [1n, -1n, 'abcd'], 'bcd'],
  ['substr', [1n, 9n, 'abcd'], 'bcd'],
  ['substr', [0n, 4n, 'abcd'], 'abcd'],
  ['ternary', ['y', 'n', true], 'y'],
  ['ternary', ['y', 'n', false], 'n'],
  ['toJson', [{ b: '<&>', a: [null] }], '{"a":[null],"b":"\\u003c\\u0026\\u003e"}'],
  ['toString', [3], '3'],
  ['toYaml', [{ b: { y: 'true' }, a: ['x', ''] }], 'a:\n- x\n- ""\nb:\n  "y": "true"'],
  ['toYaml', [undefined], 'null'],
  ['trim', [' a '], 'a'],
  ['trimAll', ['-x', '-xa-bx-'], 'a-b'],
  ['trimAll', ['-', '---'], ''],
  ['trimPrefix', ['ab', 'abc'], 'c'],
  ['trimPrefix', ['b', 'abc'], 'abc'],
  ['trimSuffix', ['bc', 'abc'], 'a'],
  ['trimSuffix', ['b', 'abc'], 'abc'],
  ['trimSuffix', ['', 'abc'], 'abc'],
  ['trunc', [2n, 'abc'], 'ab'],
  ['trunc', [-2n, 'abc'], 'bc'],
  ['trunc', [0n, 'abc'], ''],
  ['upper', ['aB'], 'AB'],
])('%s of %o is %o', (name, args, expected) => {
  expect(call(name, ...args)).toEqual(expected)
})

test.each<[string, string, readonly TemplateValue[], string]>([
  ['two kinds', 'eq', ['2', 2n], 'must compare values of one kind: a text with a text'],
  ['two maps', 'eq', [{}, {}], 'must compare values of one kind: a text with a text'],
  ['two lists', 'ne', [[], []], 'must compare values of one kind: a text with a text'],
  ['no map', 'get', ['a', 'b'], 'must give the function get a map'],
  ['no map', 'hasKey', [['a'], 'b'], 'must give the function hasKey a map'],
  ['two arguments', 'print', ['a', 'b'], 'must give the function print one argument'],
  ['a fraction', 'add', [1.5], "must use a whole number here, got '1.5'"],
  ['a text of letters', 'int', ['a'], "must use a whole number here, got 'a'"],
  ['an octal number', 'int', ['010'], "must use a whole number here, got '010'"],
  ['nothing', 'sub', [1n, undefined], 'must use a whole number here, got a parameter without a value'],
  ['two kinds', 'gt', [1n, 1], 'must compare texts, or numbers of one kind: `int` makes whole numbers of parameters'],
  ['nothing', 'lt', [null, null], 'must compare texts, or numbers of one kind: `int` makes whole numbers of parameters'],
  ['a negative number', 'indent', [-1n, 'a'], 'must indent by 0 to 1000 columns, got -1'],
  ['a number without bounds', 'nindent', [10n ** 12n, 'a'], 'must indent by 0 to 1000 columns, got 1000000000000'],
  ['a number', 'len', [1n], 'must give the function len a text, list or map'],
  ['no map', 'dig', ['a', 'd', 'x'], 'must give the function dig a map'],
  ['a text of other letters', 'b64dec', ['a-b'], "must use b64dec with base64, got 'a-b'"],
  ['a capital', 'snakecase', ['aB'], 'must use snakecase with words of a-z, got \'aB\': `replace "-" "_"` takes other names too'],
  ['no list', 'first', ['a'], 'must use a list here'],
  ['no list', 'join', ['-', 'a'], 'must use a list here'],
  ['a parameter for a number', 'trunc', [2, 'a'], "must use a whole number of the template here: Argo CD's parameters are no integers"],
  ['a letter of several bytes', 'trunc', [2n, 'aä'], "must cut texts of plain letters, got 'aä'"],
  ['a letter of several bytes', 'substr', [0n, 1n, 'ä'], "must cut texts of plain letters, got 'ä'"],
  ['the place behind the last', 'index', [['x'], 1n], 'must name an entry of the list, 1 is outside of its 1 entries'],
  ['a place before the first', 'index', [['x'], -1n], 'must name an entry of the list, -1 is outside of its 1 entries'],
  ['a text', 'index', ['x', 0n], 'must use index with a list or a map'],
  ['a verb for another kind', 'printf', ['%d', 'a'], "must use printf with %s for texts, %d for numbers of the template, and %v, got '%d'"],
  ['a number for a text', 'printf', ['%s', 1n], "must use printf with %s for texts, %d for numbers of the template, and %v, got '%s'"],
  ['a verb without a value', 'printf', ['%v'], 'must give a text, got a parameter without a value'],
  ['a value without a verb', 'printf', ['a', 'b'], 'must use printf with a verb for each value'],
  ['a name as long as the limit', 'slugify', [5n, true, 'a-b-c'], "must not cut a name with slugify, 'a-b-c' is not shorter than 5"],
  ['a name of 50 letters', 'slugify', ['x'.repeat(50)], `must not cut a name with slugify, '${'x'.repeat(50)}' is not shorter than 50`],
])('%s in %s is refused', (_, name, args, message) => {
  expect(() => call(name, ...args)).toThrow(new TemplateFault(message))
})

const PARAMS = { name: 'a', path: { basename: 'web', segments: ['x'] } }

test.each<[readonly string[], TemplateValue]>([
  [['name'], 'a'],
  [['path', 'basename'], 'web'],
  [['path'], { basename: 'web', segments: ['x'] }],
  [[], PARAMS],
  [['missing'], undefined],
  [['path', 'missing'], undefined],
  [['constructor'], undefined],
])('the parameter at %j is %o', (fields, expected) => {
  expect(parameterAt(PARAMS, fields, false)).toEqual(expected)
})

test.each<[string, readonly string[], boolean, string]>([
  ['a missing one, if the set says so', ['nmae'], true, "got '.nmae'; did you mean 'name'?"],
  ['a field of a missing one', ['missing', 'field'], false, "got '.missing'"],
  ['a field of a text', ['name', 'first'], false, "got '.name.first'"],
  ['a field of a list', ['path', 'segments', 'first'], false, "got '.path.segments.first'"],
])('no parameter: %s', (_, fields, isStrict, message) => {
  expect(() => parameterAt(PARAMS, fields, isStrict)).toThrow(message)
})
