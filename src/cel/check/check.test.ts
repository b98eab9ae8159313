import { expect, test } from 'vitest'
import { type CompileFault, Faults } from '../faults.ts'
import { parse } from '../parse/parse.ts'
import { check } from './check.ts'
import { formatType } from './types.ts'

const SCOPE = ['repoDefault', 'packageDefault', 'upstream', 'repository', 'target']

/** The type of an expression, or what is wrong with it. */
function typeOf(expression: string): string {
  const tree = parse(expression)
  try {
    return formatType(check(tree, SCOPE).typeOf(tree))
  } catch (error) {
    if (error instanceof Faults)
      return byPlace(error.faults)
        .map(({ offset, message }) => `${offset}: ${message}`)
        .join('\n')
    throw error
  }
}

function byPlace(faults: readonly CompileFault[]): readonly CompileFault[] {
  return faults.toSorted((a, b) => (a.offset ?? -1) - (b.offset ?? -1))
}

// Answers of cel-go 0.26.1.
test.each([
  { reason: 'the defaults are strings', expression: 'repoDefault', type: 'string' },
  { reason: 'objects are dynamic', expression: 'target.labels.env', type: 'dyn' },
  { reason: 'a string and something dynamic make a string', expression: "target.name + '-x'", type: 'string' },
  {
    reason: 'an index of something dynamic is a variable, which the first overload of + makes bytes',
    expression: "target.labels['env'] + target.name",
    type: 'bytes',
  },
  {
    reason: 'so a string can no longer be added',
    expression: "target.labels['env'] + target.name + packageDefault",
    type: "35: found no matching overload for '_+_' applied to '(bytes, string)'",
  },
  { reason: 'nor is bytes what string() is for', expression: "string(target.labels['env'] + target.name)", type: 'string' },
  {
    reason: 'numbers of two types have no order',
    expression: '1 < 1.5',
    type: "2: found no matching overload for '_<_' applied to '(int, double)'",
  },
  { reason: 'but from the first comprehension on they have', expression: '[1].all(x, x < 1.5) && 1 < 1.5', type: 'bool' },
  {
    reason: 'they never are equal',
    expression: '[1].all(x, true) && 1 == 1.5',
    type: "22: found no matching overload for '_==_' applied to '(int, double)'",
  },
  { reason: 'an empty list takes the type of its neighbour', expression: "[] + ['a']", type: 'list(string)' },
  { reason: 'an empty list alone is one of anything', expression: '[]', type: 'list(dyn)' },
  { reason: 'a list does not mix types', expression: "['a', 1]", type: "6: expected type 'string' but found 'int'" },
  { reason: 'a dynamic element is another type', expression: "[target.name, 'a']", type: "14: expected type 'dyn' but found 'string'" },
  {
    reason: 'every odd entry of a map is reported',
    expression: "{'a': 1, 'b': 'c', 2: 'd'}",
    type: "14: expected type 'int' but found 'string'\n19: expected type 'string' but found 'int'\n22: expected type 'int' but found 'string'",
  },
  {
    reason: 'both branches have one type',
    expression: "true ? 'a' : 1",
    type: "5: found no matching overload for '_?_:_' applied to '(bool, string, int)'",
  },
  {
    reason: 'a method is no function',
    expression: "startsWith('a', 'b')",
    type: "10: found no matching overload for 'startsWith' applied to '(string, string)'",
  },
  {
    reason: 'a function is no method',
    expression: "b'a'.string()",
    type: "11: found no matching overload for 'string' applied to 'bytes.()'",
  },
  { reason: 'null fits times, and nothing else', expression: 'timestamp(0) == null', type: 'bool' },
  { reason: 'null is no string', expression: "'a' == null", type: "4: found no matching overload for '_==_' applied to '(string, null)'" },
  { reason: 'names of types are values', expression: 'type(1) == int', type: 'bool' },
  { reason: 'a variable of a macro hides the type of its name', expression: '[1].map(string, string + 1)', type: 'list(int)' },
  { reason: 'the loop of a map is over its keys', expression: "{'a': 1}.map(k, k)", type: 'list(string)' },
  {
    reason: 'a string has no elements',
    expression: 'repoDefault.map(x, x)',
    type: "0: expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)",
  },
  {
    reason: 'the wrong term of a pair makes it an error',
    expression: "(true || 'a') ? 'b' : 1",
    type: "9: expected type 'bool' but found 'string'\n14: found no matching overload for '_?_:_' applied to '(!error!, string, int)'",
  },
  {
    reason: 'one of four does not',
    expression: "(true || 'a' || true || true) ? 'b' : 1",
    type: "9: expected type 'bool' but found 'string'\n30: found no matching overload for '_?_:_' applied to '(bool, string, int)'",
  },
  { reason: 'a leading dot means the outermost name, and there is no other', expression: '.repoDefault', type: 'string' },
  {
    reason: 'messages are refused',
    expression: 'google.protobuf.Int64Value{value: 1}',
    type: '26: protobuf messages are not supported: google.protobuf.Int64Value',
  },
  { reason: 'a type that is no message cannot be built', expression: 'int{}', type: "3: 'int' is not a message type" },
  { reason: 'an extension is not there', expression: "'a,b'.split(',')", type: "11: undeclared reference to 'split' (in container '')" },
])('$reason', ({ expression, type }) => {
  expect(typeOf(expression)).toBe(type)
})
