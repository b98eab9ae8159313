import { expect, test } from 'vitest'
import type { RuleId } from '../../src/rules/rule-id.ts'
import { isRefusalOfFiles } from './refusals-of-files.ts'

test.each<[RuleId, string | undefined, boolean]>([
  ['deletion-guard', undefined, true],
  ['package-elsewhere', undefined, true],
  ['discard-edits', 'web/deploy.yaml', true],
  ['kptfile', 'web/Kptfile', true],
  ['downstream-occupied', undefined, true],
  ['functions-gone', undefined, true],
  ['upstream-no-package', undefined, true],
  ['unreadable-file', 'web/deploy.yaml', true],
  ['kptfile-documents', 'web/Kptfile', true],
  ['upstream-missing', 'web/db/Kptfile', true],
  ['original-missing', 'web/db/Kptfile', true],
  ['upstream-missing', 'fleet/variant.yaml', false],
  ['original-missing', undefined, false],
  ['other-fleet', 'web/Kptfile', false],
])('the refusal %s at %s depends on files alone, or not', (rule, path, isOfFiles) => {
  const file = path === undefined ? {} : { file: { path, index: 0 } }
  expect(isRefusalOfFiles({ severity: 'error', message: 'm', tags: { rule }, ...file })).toBe(isOfFiles)
})
