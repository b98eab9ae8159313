import type { FieldPath } from '../field-path.ts'
import { type JsonValue, memberOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { cutText } from '../wording.ts'

/** The most characters of an error of a render that a finding has. */
const LONGEST_ERROR = 300

/**
 * Returns a warning for each package of a variant whose last render failed in the cluster (`renderStatus` of a PackageVariant's status:
 * `error` of Porch 1.5; later that of a Kptfile, with `errorSummary` and a list of functions).
 */
export function failedRenders(variant: KrmObject): readonly Result[] {
  const targets = variant.get(['status', 'downstreamTargets'])
  if (!Array.isArray(targets)) return []
  return targets.flatMap((target, index) => {
    const found = failureIn(memberOf(target, 'renderStatus'))
    if (found === undefined) return []
    const [line = ''] = found.error.trim().split('\n')
    const message = `must be empty: the functions of ${quoteText(scalarText(memberOf(target, 'name')))} failed in the cluster: ${cutText(line, LONGEST_ERROR)}`
    const path = ['status', 'downstreamTargets', index, 'renderStatus', ...found.path]
    return [faultToResult(variant, { severity: 'warning', rule: 'render-failed-in-cluster', path, message })]
  })
}

interface RenderFailure {
  readonly path: FieldPath
  readonly error: string
}

/** Returns the first error of a run of functions. */
function failureIn(status: JsonValue | undefined): RenderFailure | undefined {
  for (const key of ['error', 'errorSummary']) {
    const error = scalarText(memberOf(status, key))
    if (error.trim() !== '') return { path: [key], error }
  }
  return ['mutationSteps', 'validationSteps'].flatMap((key) => {
    const steps = memberOf(status, key)
    return Array.isArray(steps) ? steps.flatMap((step, index) => stepFailure(step, [key, index])) : []
  })[0]
}

function stepFailure(step: JsonValue, path: FieldPath): readonly RenderFailure[] {
  const code = scalarText(memberOf(step, 'exitCode'))
  const reason = scalarText(memberOf(step, 'executionError')) || scalarText(memberOf(step, 'stderr'))
  const name = scalarText(memberOf(step, 'name')) || scalarText(memberOf(step, 'image')) || scalarText(memberOf(step, 'exec'))
  if (scalarText(memberOf(step, 'executionError')) === '' && (code === '' || code === '0')) return []
  return [{ path, error: `${name}: ${reason || `exit code ${code}`}` }]
}
