import { isKptfile } from '../../src/resource-list/package-of.ts'
import type { Result } from '../../src/result.ts'
import type { RuleId } from '../../src/rules/rule-id.ts'

/**
 * The refusals of a render that depend on files alone. Others depend on git repositories, which `check` and `plan` do not ask;
 * `other-fleet` is a finding of the fleet's places, which are judged without them.
 */
const OF_FILES: ReadonlySet<RuleId> = new Set([
  ...(['deletion-guard', 'package-elsewhere', 'discard-edits', 'kptfile', 'downstream-occupied'] as const),
  ...(['functions-gone', 'upstream-no-package', 'unreadable-file', 'kptfile-documents'] as const),
])

/** The refusals of a subpackage whose revisions of an upstream of its own are not there. */
const OF_SUBPACKAGES: ReadonlySet<RuleId> = new Set(['upstream-missing', 'original-missing'])

/** Returns true for a refusal of a render that needs no git repository to be found. */
export function isRefusalOfFiles({ tags: { rule }, file }: Result): boolean {
  return OF_FILES.has(rule) || (OF_SUBPACKAGES.has(rule) && isKptfile(file?.path ?? ''))
}
