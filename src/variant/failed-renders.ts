import { isRecord, memberOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { cutText } from '../wording.ts'

/** The most characters of an error of a render that a finding has. */
const LONGEST_ERROR = 300

/**
 * Returns a warning for each package of a variant whose last render failed in the cluster (`renderStatus` of Porch 1.5, PackageVariant
 * status).
 */
export function failedRenders(variant: KrmObject): readonly Result[] {
  const targets = variant.get(['status', 'downstreamTargets'])
  if (!Array.isArray(targets)) return []
  return targets.filter(isRecord).flatMap((target, index) => {
    const error = scalarText(memberOf(target.renderStatus, 'error'))
    if (error === '') return []
    const [line = ''] = error.trim().split('\n')
    const message = `must be empty: the functions of ${quoteText(scalarText(target.name))} failed in the cluster: ${cutText(line, LONGEST_ERROR)}`
    const path = ['status', 'downstreamTargets', index, 'renderStatus', 'error']
    return [faultToResult(variant, { severity: 'warning', rule: 'render-failed-in-cluster', path, message })]
  })
}
