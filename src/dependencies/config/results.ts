import type { Result, Severity } from '../../result.ts'
import { RULE_SEVERITIES } from '../ecosystems.ts'
import type { Finding } from '../finding.ts'
import type { SharedOptions } from './options.ts'

/** Returns findings as results, with the user's severities of their rules. Findings of rules that are `off` are left out. */
export function toResults(findings: readonly Finding<string>[], options: SharedOptions): Result[] {
  return findings.flatMap((finding) => {
    const severity = severityOf(finding, options)
    return severity === 'off' ? [] : [toResult(finding, severity)]
  })
}

function toResult({ message, place, proposedValue, rule, tags }: Finding<string>, severity: Severity): Result {
  const { ref, file, path, currentValue } = place
  const position = path.length > 0 ? place.position : undefined
  return {
    severity,
    message,
    resourceRef: ref,
    ...(path.length > 0 && {
      field: { path, ...(currentValue !== undefined && { currentValue }), ...(proposedValue !== undefined && { proposedValue }) },
    }),
    ...(file && { file }),
    ...(position && { position }),
    tags: { rule, ...tags },
  }
}

function severityOf(
  { rule, severity = RULE_SEVERITIES.get(rule) ?? 'error' }: Finding<string>,
  { severities, strict }: SharedOptions,
): Severity | 'off' {
  const wanted = severities.get(rule) ?? severity
  return strict && wanted === 'warning' ? 'error' : wanted
}
