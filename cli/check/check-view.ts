import type { Result } from '../../src/result.ts'
import { withoutSecretsInFinding } from '../../src/secret-values.ts'
import { compareFindings } from '../print/print-results.ts'
import { type Fix, fixOf } from './fixes.ts'

/** The findings of a check in the order of files and lines, as all formats show them. */
export interface CheckView {
  readonly findings: readonly CheckFinding[]
  readonly counts: { readonly errors: number; readonly warnings: number; readonly safe: number; readonly unsafe: number }
}

export interface CheckFinding {
  readonly result: Result
  readonly fix: Fix | undefined
}

/** Returns the view of all findings. */
export function viewCheck(results: readonly Result[]): CheckView {
  const findings = [...results].sort(compareFindings).map((result) => ({ result: withoutSecretsInFinding(result), fix: fixOf(result) }))
  const count = (holds: (finding: CheckFinding) => boolean) => findings.filter(holds).length
  return {
    findings,
    counts: {
      errors: count(({ result }) => result.severity === 'error'),
      warnings: count(({ result }) => result.severity === 'warning'),
      safe: count(({ fix }) => fix === 'safe'),
      unsafe: count(({ fix }) => fix === 'unsafe'),
    },
  }
}
