import fc from 'fast-check'
import { EXAMPLE_VALUES, FIELDS, GETTERS, NAMES, NOISE, PATTERNS, TESTS, VARIABLES, WORDS } from './expression-words.ts'

/** The parts that an expression is made of, by the type that they mostly have. */
type Part = 'any' | 'bool' | 'bytes' | 'double' | 'duration' | 'dyn' | 'int' | 'list' | 'map' | 'odd' | 'scalar' | 'text' | 'time' | 'uint'
type Parts = Readonly<Record<Part, string>>
type Tie = (part: Part) => fc.Arbitrary<string>
type Rules<P extends Part> = { readonly [K in P]: fc.Arbitrary<string> }

const DEPTH = { maxDepth: 4, depthIdentifier: 'expression', withCrossShrink: true } as const

/**
 * Expressions over the template variables: mostly well typed, some ill typed, a few no expressions at all.
 * Not tuned to what the implementation knows: they are made of the grammar and the standard library.
 */
export function randomExpression(): fc.Arbitrary<string> {
  const { any: anything, text } = fc.letrec<Parts>((tie) => rules((part) => mostly(tie(part), tie('any'))))
  const spoiled = fc.tuple(text, fc.nat(), fc.nat(4), fc.constantFrom(...NOISE)).map(spoil)
  return fc.oneof({ weight: 12, arbitrary: text }, { weight: 4, arbitrary: anything }, { weight: 2, arbitrary: spoiled })
}

/** Returns a part; one in thirty is of any type. */
function mostly(part: fc.Arbitrary<string>, anything: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 30, arbitrary: part }, { weight: 1, arbitrary: anything })
}

function spoil([expression, where, remove, insert]: readonly [string, number, number, string]): string {
  const at = where % (expression.length + 1)
  return expression.slice(0, at) + insert + expression.slice(at + remove)
}

function rules(tie: Tie): Rules<Part> {
  return { ...generalRules(tie), ...textRules(tie), ...numberRules(tie), ...timeRules(tie), ...collectionRules(tie), bool: boolRule(tie) }
}

function generalRules(tie: Tie): Rules<'any' | 'scalar' | 'odd' | 'dyn'> {
  const scalars: readonly Part[] = ['text', 'bool', 'int', 'double', 'uint', 'bytes', 'time', 'duration', 'dyn']
  const selection = form`${tie('map')}.${fc.constantFrom(...FIELDS)}`
  return {
    any: choose(tie('scalar'), tie('list'), tie('map'), tie('odd')),
    scalar: choose(...scalars.map(tie)),
    odd: fc.constantFrom('null', 'int', 'string', 'map', 'google.protobuf.Timestamp', 'x', '[]', '{}', 'nope()', 'target', 'type(1)'),
    dyn: choose(path(), form`dyn(${tie('any')})`, selection, form`${tie('dyn')}[${tie('scalar')}]`, path(), path()),
  }
}

function textRules(tie: Tie): Rules<'text' | 'bytes'> {
  return {
    text: choose(
      quoted(WORDS),
      tie('dyn'),
      fc.constantFrom('repoDefault', 'packageDefault'),
      form`${tie('text')} + ${tie('text')}`,
      form`string(${tie('scalar')})`,
      form`(${tie('bool')} ? ${tie('text')} : ${tie('text')})`,
      form`${tie('list')}[${tie('int')}]`,
      form`${tie('map')}[${tie('text')}]`,
    ),
    bytes: choose(fc.constantFrom("b'a'", "b'\\xff'", 'b""'), form`bytes(${tie('text')})`, form`${tie('bytes')} + ${tie('bytes')}`),
  }
}

function numberRules(tie: Tie): Rules<'int' | 'uint' | 'double'> {
  const ints = fc.constantFrom('0', '1', '-1', '2', '9223372036854775807', '-9223372036854775808', '0x1f')
  const uints = fc.constantFrom('0u', '1u', '18446744073709551615u')
  const doubles = fc.constantFrom('0.0', '1.5', '-2.5', '1e6', '1e-7', '1e300')
  return {
    int: choose(ints, arithmetic(tie, 'int'), size(tie), conversion(tie, 'int', 'text', 'double', 'uint', 'time', 'dyn'), getter(tie)),
    uint: choose(uints, arithmetic(tie, 'uint'), conversion(tie, 'uint', 'text', 'double', 'int', 'dyn')),
    double: choose(doubles, arithmetic(tie, 'double'), conversion(tie, 'double', 'text', 'int', 'uint', 'dyn')),
  }
}

function timeRules(tie: Tie): Rules<'time' | 'duration'> {
  const times = fc.constantFrom('timestamp("2020-01-02T03:04:05Z")', 'timestamp("1969-12-31T23:59:59.5+02:00")', 'timestamp(0)')
  const durations = fc.constantFrom('duration("1h30m")', 'duration("-1.5s")', 'duration("1ns")')
  return {
    time: choose(times, form`${tie('time')} + ${tie('duration')}`, conversion(tie, 'timestamp', 'text', 'int', 'dyn')),
    duration: choose(durations, form`(${tie('time')} - ${tie('time')})`, conversion(tie, 'duration', 'text', 'dyn')),
  }
}

function collectionRules(tie: Tie): Rules<'list' | 'map'> {
  const lists = fc.constantFrom('[]', '["a", "b"]', '[1, 2, 3]', '[1.5, 2.0]', '[[1], [2]]', '[1u]')
  const maps = fc.constantFrom(
    '{}',
    '{"a": "b"}',
    '{1: "a", 2: "b"}',
    '{1u: true}',
    '{"a": {"b": [1]}}',
    'target.labels',
    'target',
    '{true: 1.5}',
  )
  const pair = (part: Part) => form`[${tie(part)}, ${tie(part)}]`
  return {
    list: choose(lists, pair('text'), pair('int'), form`[${tie('any')}]`, form`(${tie('list')} + ${tie('list')})`, transformation(tie)),
    map: choose(maps, form`{${quoted(WORDS)}: ${tie('text')}, "b": ${tie('text')}}`, form`{${tie('scalar')}: ${tie('any')}}`),
  }
}

function boolRule(tie: Tie): fc.Arbitrary<string> {
  return choose(
    fc.constantFrom('true', 'false'),
    comparison(tie),
    form`${tie('bool')} && ${tie('bool')}`,
    form`${tie('bool')} || ${tie('bool')}`,
    form`!(${tie('bool')})`,
    form`has(${fc.oneof(path(), tie('map'), tie('dyn'))}.${fc.constantFrom(...FIELDS)})`,
    membership(tie),
    textTest(tie),
    quantifier(tie),
    form`bool(${tie('text')})`,
  )
}

/** Returns one of the options; where an expression gets deep, the first. */
function choose(...options: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.oneof(DEPTH, ...options)
}

/** Returns a text of parts and the text between them. */
function form(texts: TemplateStringsArray, ...holes: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...holes).map((values) => String.raw({ raw: texts }, ...values))
}

function quoted(words: readonly string[]): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom(...words), fc.constantFrom("'", '"')).map(([word, quote]) => quote + word + quote)
}

function path(): fc.Arbitrary<string> {
  const field = fc.oneof(form`.${fc.constantFrom(...FIELDS)}`, form`['${fc.constantFrom(...FIELDS)}']`)
  return fc.tuple(fc.constantFrom(...VARIABLES), fc.array(field, { maxLength: 3 })).map(([variable, fields]) => variable + fields.join(''))
}

function conversion(tie: Tie, name: string, ...parts: readonly Part[]): fc.Arbitrary<string> {
  return form`${fc.constant(name)}(${fc.oneof(...parts.map(tie))})`
}

function size(tie: Tie): fc.Arbitrary<string> {
  const sized = fc.oneof(tie('text'), tie('list'), tie('map'), tie('bytes'), tie('dyn'))
  return fc.oneof(form`size(${sized})`, form`${sized}.size()`)
}

function arithmetic(tie: Tie, part: Part): fc.Arbitrary<string> {
  return fc.oneof(form`${tie(part)} ${fc.constantFrom('+', '-', '*', '/', '%')} ${tie(part)}`, form`-${tie(part)}`, form`(${tie(part)})`)
}

function comparison(tie: Tie): fc.Arbitrary<string> {
  const operator = fc.constantFrom('==', '!=', '<', '<=', '>', '>=')
  const compared: readonly Part[] = ['text', 'int', 'any', 'dyn', 'double', 'list', 'map', 'time', 'duration', 'bytes']
  return fc.oneof(...compared.map((part) => form`${tie(part)} ${operator} ${tie(part)}`))
}

function membership(tie: Tie): fc.Arbitrary<string> {
  const container = fc.oneof(tie('map'), tie('dyn'), fc.constant('[]'))
  return fc.oneof(form`${tie('text')} in ${tie('list')}`, form`${tie('any')} in ${container}`)
}

function textTest(tie: Tie): fc.Arbitrary<string> {
  const test = fc.constantFrom('startsWith', 'endsWith', 'contains', 'matches')
  const constant = form`${tie('text')}.matches(${quoted(PATTERNS)})`
  return fc.oneof(form`${tie('text')}.${test}(${tie('text')})`, constant, form`matches(${tie('text')}, ${tie('text')})`)
}

function quantifier(tie: Tie): fc.Arbitrary<string> {
  const test = fc.oneof(fc.constantFrom(...TESTS), fc.constantFrom(...TESTS), tie('bool'))
  return loop(form`${range(tie)}.${fc.constantFrom('all', 'exists', 'exists_one')}(§, ${test})`)
}

function transformation(tie: Tie): fc.Arbitrary<string> {
  const test = fc.oneof(fc.constantFrom(...TESTS), tie('bool'))
  const value = fc.oneof(fc.constantFrom(...EXAMPLE_VALUES), fc.constantFrom(...EXAMPLE_VALUES), tie('any'))
  const some = form`${range(tie)}.map(§, ${test}, ${value})`
  return loop(fc.oneof(form`${range(tie)}.map(§, ${value})`, form`${range(tie)}.filter(§, ${test})`, some))
}

function range(tie: Tie): fc.Arbitrary<string> {
  return fc.oneof(tie('list'), tie('list'), tie('map'), tie('dyn'))
}

/** Gives the variable of a macro its name, and those of the macros in it. */
function loop(template: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(template, fc.constantFrom(...NAMES)).map(([text, name]) => text.replaceAll('§', name))
}

function getter(tie: Tie): fc.Arbitrary<string> {
  const zone = fc.constantFrom('', '"UTC"', '"+02:00"', '"America/New_York"', '"Nope/Zone"', 'repoDefault')
  const method = fc.constantFrom(...GETTERS)
  return fc.oneof(form`${tie('time')}.${method}(${zone})`, form`${tie('duration')}.${method}()`)
}
