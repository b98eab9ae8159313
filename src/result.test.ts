import { expect, test } from 'vitest'
import {
  collectFaults,
  compareResults,
  FunctionError,
  findingsOf,
  formatResourceRef,
  formatResult,
  hasErrors,
  type Result,
  resultToJson,
  resultToWire,
} from './result.ts'

const RESULT: Result = { severity: 'error', message: 'm', tags: { rule: 'required' } }
const REF = { apiVersion: 'v1', kind: 'A', name: 'a' }

test.each<{ readonly reason: string; readonly result: Partial<Result>; readonly expected: string }>([
  { reason: 'no place', result: {}, expected: 'error: m [required]' },
  { reason: 'a file', result: { file: { path: 'a.yaml', index: 0 } }, expected: 'a.yaml: error: m [required]' },
  {
    reason: 'a file and a position',
    result: { file: { path: 'a.yaml', index: 0 }, position: { line: 2, column: 3 } },
    expected: 'a.yaml:2:3: error: m [required]',
  },
  {
    reason: 'an object without a file',
    result: { resourceRef: REF, position: { line: 2, column: 3 } },
    expected: 'A a: error: m [required]',
  },
  { reason: 'an object without a name', result: { resourceRef: { ...REF, name: '' } }, expected: 'A: error: m [required]' },
  {
    reason: 'an object of which nothing is known',
    result: { resourceRef: { ...REF, kind: '', name: '' } },
    expected: 'error: m [required]',
  },
  {
    reason: 'a file comes before the object',
    result: { resourceRef: REF, file: { path: 'a.yaml', index: 0 } },
    expected: 'a.yaml: error: m [required]',
  },
  { reason: 'another severity', result: { severity: 'info' }, expected: 'info: m [required]' },
  {
    reason: 'control characters of a path are escaped',
    result: { file: { path: 'a\u001b.yaml', index: 0 } },
    expected: 'a\\u001b.yaml: error: m [required]',
  },
])('a result in a line: $reason', ({ result, expected }) => {
  expect(formatResult({ ...RESULT, ...result })).toBe(expected)
})

test('an object is named by kind, namespace and name', () => {
  expect([formatResourceRef(REF), formatResourceRef({ ...REF, namespace: 'n' }), formatResourceRef({ ...REF, namespace: '' })]).toEqual([
    'A a',
    'A n/a',
    'A /a',
  ])
})

test('results are sorted by severity, object, field, rule and message, in this order of weight', () => {
  const sorted: readonly Result[] = [
    { ...RESULT, resourceRef: { ...REF, apiVersion: 'v2', name: 'z' } },
    { ...RESULT, severity: 'warning', resourceRef: { ...REF, apiVersion: 'v1', kind: 'B' } },
    { ...RESULT, severity: 'info', message: 'z' },
    { ...RESULT, severity: 'info', resourceRef: { ...REF, kind: 'A', namespace: 'z' } },
    { ...RESULT, severity: 'info', resourceRef: { ...REF, kind: 'B', namespace: 'a', name: 'z' } },
    { ...RESULT, severity: 'info', resourceRef: { ...REF, kind: 'B', namespace: 'b', name: 'a' }, field: { path: ['z'] } },
    {
      ...RESULT,
      severity: 'info',
      resourceRef: { ...REF, kind: 'B', namespace: 'b', name: 'b' },
      field: { path: ['a'] },
      tags: { rule: 'wrong-type' },
    },
    {
      ...RESULT,
      severity: 'info',
      resourceRef: { ...REF, kind: 'B', namespace: 'b', name: 'b' },
      field: { path: ['b'] },
      message: 'z',
      tags: { rule: 'required' },
    },
    {
      ...RESULT,
      severity: 'info',
      resourceRef: { ...REF, kind: 'B', namespace: 'b', name: 'b' },
      field: { path: ['b'] },
      message: 'a',
      tags: { rule: 'wrong-type' },
    },
    {
      ...RESULT,
      severity: 'info',
      resourceRef: { ...REF, kind: 'B', namespace: 'b', name: 'b' },
      field: { path: ['b'] },
      message: 'b',
      tags: { rule: 'wrong-type' },
    },
  ]
  expect(sorted.toReversed().toSorted(compareResults)).toEqual(sorted)
  expect(compareResults(RESULT, RESULT)).toBe(0)
})

test('only errors fail a run', () => {
  expect(hasErrors([])).toBe(false)
  expect(
    hasErrors([
      { ...RESULT, severity: 'warning' },
      { ...RESULT, severity: 'info' },
    ]),
  ).toBe(false)
  expect(hasErrors([{ ...RESULT, severity: 'warning' }, RESULT])).toBe(true)
})

test('the message of a FunctionError has its first hundred results', () => {
  const { message, results, name } = new FunctionError(Array.from({ length: 101 }, (_, at) => ({ ...RESULT, message: `m${at}` })))
  expect(message.split('\n')).toHaveLength(100)
  expect(message.startsWith('error: m0 [required]\nerror: m1 [required]')).toBe(true)
  expect([results.length, name]).toEqual([101, 'FunctionError'])
  // @ts-expect-error
  expect(() => new FunctionError('text')).toThrow(TypeError)
})

test('faults of an action are collected, its value is returned, and other errors are thrown', () => {
  const faults: Result[] = []
  expect(collectFaults(faults, () => 1)).toBe(1)
  const fail = () => {
    throw new FunctionError([RESULT])
  }
  expect(collectFaults(faults, fail)).toBeUndefined()
  expect(faults).toEqual([RESULT])
  expect(findingsOf(fail)).toEqual([RESULT])
  expect(findingsOf(() => [])).toEqual([])
  const bug = () => {
    throw new RangeError('bug')
  }
  expect(() => collectFaults(faults, bug)).toThrow(RangeError)
  expect(() => findingsOf(bug)).toThrow(RangeError)
})

test('an orchestrator gets the last field at the beginning of a message, and the whole path as the field', () => {
  const result: Result = { ...RESULT, message: '`spec.labels` must be set, not `spec.labels`', field: { path: ['spec', 'labels'] } }
  expect(resultToWire(result)).toEqual({
    message: '`labels` must be set, not `spec.labels`',
    severity: 'error',
    field: { path: 'spec.labels' },
    tags: { rule: 'required' },
  })
  expect(resultToWire({ ...result, message: 'not `spec.labels`' })).toMatchObject({ message: 'not `spec.labels`' })
  expect(resultToWire(RESULT)).toEqual({ message: 'm', severity: 'error', tags: { rule: 'required' } })
})

test('a result as JSON has its values, and the position in the tags', () => {
  const field = { path: ['a', 0], currentValue: null, proposedValue: false }
  const result: Result = {
    ...RESULT,
    resourceRef: REF,
    field,
    file: { path: 'a.yaml', index: 1 },
    position: { line: 2, column: 3 },
    proposedKey: 'k',
  }
  expect(resultToJson(result)).toStrictEqual({
    message: 'm',
    severity: 'error',
    resourceRef: REF,
    field: { path: 'a[0]', currentValue: null, proposedValue: false },
    file: { path: 'a.yaml', index: 1 },
    tags: { rule: 'required', line: '2', column: '3' },
  })
  expect(resultToJson({ ...RESULT, field: { path: ['a'] } })).toStrictEqual({
    message: 'm',
    severity: 'error',
    field: { path: 'a' },
    tags: { rule: 'required' },
  })
})
