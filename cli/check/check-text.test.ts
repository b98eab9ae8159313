import { expect, test } from 'vitest'
import type { Result } from '../../src/result.ts'
import { stylesFor } from '../print/styles.ts'
import { checkText, summarizeCheck } from './check-text.ts'
import { viewCheck } from './check-view.ts'

const MANY = viewCheck(
  Array.from(
    { length: 10_000 },
    (_, n): Result => ({
      severity: 'error',
      message: `\`spec.targets[${n}].repository\` is not a field of targets[]`,
      resourceRef: { apiVersion: 'v1', kind: 'A', name: 'a' },
      field: { path: ['spec', 'targets', n, 'repository'] },
      file: { path: 'a.yaml', index: 0 },
      position: { line: n + 1, column: 1 },
      tags: { rule: 'unknown-field' },
    }),
  ),
)

test.each([
  { all: false, lines: 102 },
  { all: true, lines: 10_001 },
])('of ten thousand findings of a rule and object $lines lines are shown, with all $all, and all are counted', ({ all, lines }) => {
  const text = checkText(MANY, { styles: stylesFor({ environment: {}, isTerminal: false }, {}), lineOf: () => undefined, all })
  expect(text.trimEnd().split('\n')).toHaveLength(lines)
  expect(text).toContain('10000 errors')
})

test('equal findings of files without objects are named by their files', () => {
  const finding = (path: string): Result => ({
    severity: 'warning',
    message: 'left alone',
    file: { path, index: 0 },
    tags: { rule: 'template-file' },
  })
  const view = viewCheck(['t/1.yaml', 't/2.yaml', 't/3.yaml'].map(finding))
  const text = checkText(view, { styles: stylesFor({ environment: {}, isTerminal: false }, {}), lineOf: () => undefined, all: false })
  expect(text).toContain('the same of t/2.yaml, t/3.yaml\n')
})

test.each([
  [{ errors: 0, warnings: 0, safe: 0, unsafe: 0 }, '0 errors, 0 can be fixed with --fix'],
  [{ errors: 1, warnings: 1, safe: 2, unsafe: 0 }, '1 error, 1 warning, 2 can be fixed with --fix'],
  [{ errors: 2, warnings: 0, safe: 0, unsafe: 3 }, '2 errors, 0 can be fixed with --fix, 3 with --unsafe-fixes'],
])('the counts %j are summarized', (counts, text) => {
  expect(summarizeCheck({ findings: [], counts })).toBe(text)
})
