import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { CelError } from './cel-error.ts'
import { compile } from './program.ts'
import { prepareVariables, type Variables } from './variables.ts'

const SCOPE = ['repoDefault', 'packageDefault', 'upstream', 'repository', 'target']
const VARIABLES = variables({
  repoDefault: 'repo-a',
  packageDefault: 'pkg-a',
  target: { name: 'edge-07', labels: { region: 'us-east1', env: 'prod', constructor: 'c' } },
})

function variables(values: Readonly<Record<string, JsonValue>>): Variables {
  return prepareVariables(new Map(Object.entries(values)))
}

function errorOf(run: () => unknown): CelError {
  try {
    run()
  } catch (error) {
    if (error instanceof CelError) return error
  }
  throw new Error('must throw a CelError')
}

test('one program gives each target its own string', () => {
  const program = compile("target.name + '-' + packageDefault", SCOPE)
  expect(program.evaluate(VARIABLES)).toBe('edge-07-pkg-a')
  expect(program.evaluate(variables({ target: { name: 'edge-08' }, packageDefault: 'b' }))).toBe('edge-08-b')
})

test('the error of a missing key says where the key was looked for and which keys are there', () => {
  const error = errorOf(() => compile("'x' + target.labels.regoin", SCOPE).evaluate(VARIABLES))
  expect(error).toMatchObject({ phase: 'eval', message: 'no such key: regoin', line: 1, column: 20 })
  expect(error.missingKey).toEqual({ key: 'regoin', keys: ['constructor', 'env', 'region'] })
})

test('a missing key is still known after && and || passed it on', () => {
  const error = errorOf(() => compile("target.nope == 'a' && true || false ? 'a' : 'b'", SCOPE).evaluate(VARIABLES))
  expect(error).toMatchObject({ message: 'no such key: nope', missingKey: { key: 'nope', keys: ['labels', 'name'] } })
})

test('an absorbed error leaves nothing behind for the next evaluation', () => {
  const absorbed = compile("target.nope == 'a' || true ? 'a' : 'b'", SCOPE)
  expect(absorbed.evaluate(VARIABLES)).toBe('a')
  const error = errorOf(() => compile('target.name.nope', SCOPE).evaluate(VARIABLES))
  expect(error).toMatchObject({ message: 'no such key: nope', missingKey: undefined })
})

test('all faults of an expression are shown, in the order of their places', () => {
  const error = errorOf(() => compile('nope(target) + other', SCOPE))
  expect(error).toMatchObject({ phase: 'compile', line: 1, column: 5 })
  expect(error.message).toBe(
    [
      "ERROR: <input>:1:5: undeclared reference to 'nope' (in container '')",
      ' | nope(target) + other',
      ' | ....^',
      "ERROR: <input>:1:16: undeclared reference to 'other' (in container '')",
      ' | nope(target) + other',
      ' | ...............^',
    ].join('\n'),
  )
})

test('places count code points, and lines', () => {
  expect(errorOf(() => compile("'😀' +\n 'é' + x", SCOPE))).toMatchObject({ line: 2, column: 8 })
})

test('a hundred faults are shown and the others counted', () => {
  const { message } = errorOf(() => compile(`[${'x, '.repeat(129)}x]`, SCOPE))
  expect(message.match(/ERROR/g)).toHaveLength(100)
  expect(message.endsWith('\n30 more errors were truncated')).toBe(true)
})

test('a constant without a value is a fault of the expression, also where it is never reached', () => {
  const error = errorOf(() => compile("false ? string(int('-')) : target.name", SCOPE))
  expect(error).toMatchObject({ phase: 'compile', message: "type conversion error from 'string' to 'int'", line: 1, column: 19 })
})

test('a value that is no string is not converted', () => {
  const error = errorOf(() => compile('size(target.labels)', SCOPE).evaluate(VARIABLES))
  expect(error).toMatchObject({ phase: 'convert', message: "unsupported type conversion from 'int' to string" })
})

test('only the variables of the place are known', () => {
  expect(errorOf(() => compile('repository.name', ['target']))).toMatchObject({
    phase: 'compile',
    message: expect.stringContaining("undeclared reference to 'repository'"),
  })
})

test('a variable that the place has and the target does not is an error of evaluation', () => {
  expect(errorOf(() => compile('upstream.name', SCOPE).evaluate(VARIABLES))).toMatchObject({
    phase: 'eval',
    message: 'no such attribute(s): upstream',
    missingVariable: 'upstream',
  })
})

test.each([
  { reason: 'a key of the prototype is no key', expression: 'target.labels.toString', message: 'no such key: toString' },
  { reason: 'nor is __proto__', expression: "target.labels['__proto__']", message: 'no such key: __proto__' },
  { reason: 'a string has no length field', expression: 'target.name.length', message: 'no such key: length' },
])('$reason', ({ expression, message }) => {
  expect(errorOf(() => compile(expression, SCOPE).evaluate(VARIABLES)).message).toBe(message)
})

test('a label may be named as a member of the prototype is', () => {
  const own = JSON.parse('{"__proto__": "p", "toString": "t"}')
  expect(compile("target.labels['__proto__'] + target.labels.toString", SCOPE).evaluate(variables({ target: { labels: own } }))).toBe('pt')
})

test('an error of a branch keeps its place', () => {
  const error = errorOf(() => compile("true ? upstream.name : 'x'", SCOPE).evaluate(VARIABLES))
  expect(error).toMatchObject({ message: 'no such attribute(s): upstream', line: 1, column: 8 })
})

test.each<{ expression: string; value: unknown }>([
  { expression: '[1, 2].map(x, x * 2)', value: [2n, 4n] },
  { expression: '{1u: 1.5, 2u: 0.0}', value: { 1: 1.5, 2: 0 } },
  { expression: '1.0 / 0.0', value: '+Inf' },
  { expression: '18446744073709551615u', value: 18446744073709551615n },
  { expression: "b'\\xff\\x00'", value: '/wA=' },
  { expression: "timestamp('2020-01-02T03:04:05+02:00')", value: '2020-01-02T03:04:05+02:00' },
  { expression: "duration('90s')", value: '90s' },
  { expression: 'type(null)', value: 'null_type' },
  { expression: 'null', value: null },
  { expression: 'target.labels', value: { constructor: 'c', env: 'prod', region: 'us-east1' } },
])('any value is JSON: $expression', ({ expression, value }) => {
  expect(compile(expression, SCOPE).value(VARIABLES)).toEqual(value)
})

test('a value that JSON would have many times over is refused', () => {
  const doubled = `[dyn([1])]${'.map(x, dyn([x, x]))'.repeat(28)}`
  expect(errorOf(() => compile(doubled, SCOPE).value(VARIABLES)).message).toContain('units of work')
})
