import { expect, test } from 'vitest'
import { ACCUMULATOR } from '../expression.ts'
import { findName, namesInScope, namesOf, variableNames, variablesWith, withName } from './scope.ts'
import { BOOL, formatType, INT, recordOf, STRING } from './types.ts'

const typeIn = (names: ReturnType<typeof namesInScope>, name: string) => {
  const found = findName(names, name)
  return found && `${found.name} ${formatType(found.type)}${found.isType ? ', a type' : ''}`
}

test('the defaults are strings, the resources a list, and every other variable is dynamic', () => {
  const names = namesInScope(['repoDefault', 'packageDefault', 'resources', 'target'], false)
  expect(['repoDefault', 'packageDefault', 'resources', 'target', 'nope'].map((name) => typeIn(names, name))).toEqual([
    'repoDefault string',
    'packageDefault string',
    'resources list(dyn)',
    'target dyn',
    undefined,
  ])
})

test('variables with types keep them, and a dot before a name says nothing', () => {
  const names = namesInScope(new Map([['variables.ring', INT]]), false)
  expect([typeIn(names, 'variables.ring'), typeIn(names, '.variables.ring')]).toEqual(['variables.ring int', 'variables.ring int'])
})

// cel-spec, Values.
test.each([
  ['bool', 'type(bool)'],
  ['bytes', 'type(bytes)'],
  ['double', 'type(double)'],
  ['google.protobuf.Duration', 'type(duration)'],
  ['google.protobuf.Timestamp', 'type(timestamp)'],
  ['int', 'type(int)'],
  ['list', 'type(list(A))'],
  ['map', 'type(map(A, B))'],
  ['null_type', 'type(null)'],
  ['string', 'type(string)'],
  ['type', 'type(type)'],
  ['uint', 'type(uint)'],
])('%s is the name of a type', (name, type) => {
  expect(typeIn(namesInScope([], false), name)).toBe(`${name} ${type}, a type`)
})

test('the type of optional values has a name with the extension libraries alone', () => {
  expect(typeIn(namesInScope([], true), 'optional_type')).toBe('optional_type type(optional_type(A)), a type')
  expect(typeIn(namesInScope([], false), 'optional_type')).toBeUndefined()
})

test('an inner name hides an outer one and the name of a type', () => {
  const names = withName(withName(namesOf(new Map([['x', INT]])), 'x', STRING), 'int', BOOL)
  expect([typeIn(names, 'x'), typeIn(names, 'int')]).toEqual(['x string', 'int bool'])
})

test('the variables that can be named are those of all levels, the innermost first, without the accumulator of a loop', () => {
  const names = withName(
    withName(
      namesOf(
        new Map([
          ['x', INT],
          ['y', INT],
        ]),
      ),
      ACCUMULATOR,
      BOOL,
    ),
    'z',
    BOOL,
  )
  expect(variableNames(names)).toEqual(['z', 'x', 'y'])
})

test('variables are found by a field of their types', () => {
  const names = namesOf(
    new Map([
      ['inputs', recordOf('inputs', { region: STRING })],
      ['x', INT],
    ]),
  )
  expect([variablesWith(names, 'region'), variablesWith(names, 'nope')]).toEqual([['inputs'], []])
})
