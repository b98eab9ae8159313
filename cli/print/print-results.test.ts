import { expect, test } from 'vitest'
import type { Result } from '../../src/result.ts'
import { printResults } from './print-results.ts'

const finding = (message: string, more: Partial<Result>): Result => ({ severity: 'error', message, tags: { rule: 'required' }, ...more })

test('findings come by file and place, as numbers', () => {
  const results = [
    finding('a', { resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }, file: { path: 'a.yaml', index: 0 } }),
    finding('b', { file: { path: 'c.yaml', index: 0 } }),
    finding('c', { file: { path: 'b.yaml', index: 0 }, position: { line: 10, column: 1 } }),
    finding('d', { file: { path: 'b.yaml', index: 0 }, position: { line: 9, column: 20 } }),
    finding('e', { file: { path: 'b.yaml', index: 0 }, position: { line: 9, column: 3 } }),
    finding('f', { severity: 'warning', file: { path: 'a.yaml', index: 0 } }),
  ]
  expect(printResults(results).match(/(?<=: )\w(?= \[)/g)).toEqual(['a', 'f', 'e', 'd', 'c', 'b'])
})

test('a hundred results of a rule and object are shown, and the number of the others', () => {
  const many = Array.from({ length: 10_000 }, (_, n) =>
    finding('wrong', { file: { path: 'a.yaml', index: 0 }, position: { line: n + 1, column: 1 }, field: { path: ['spec', 'targets', n] } }),
  )
  const lines = printResults(many).trimEnd().split('\n')
  expect([lines.length, lines.at(-1)]).toEqual([101, 'a.yaml:101:1: error: and 9900 more of rule required [required]'])
})
