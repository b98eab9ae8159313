import { describeOption } from '../../src/fleet/deletion-guard.ts'
import type { Options } from '../../src/fleet/options.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { hasErrors, type Result } from '../../src/result.ts'

/**
 * That no selector matches anything is an error where a person asks what the sets do: nothing to do would look like a sound fleet. A set
 * among others may well have no variants yet, and is a warning.
 *
 * @param sets  as they are shown, the variants among them that a git revision had
 */
export function refuseNoVariant(results: readonly Result[], sets: readonly SetPlan[], options: Options): readonly Result[] {
  if (options.allowEmpty || hasErrors(results) || sets.some(({ changes }) => changes.length > 0)) return results
  const meant = `no set has a variant; if that is meant, set ${describeOption('allowEmpty', 'true', options)}`
  return results.map((result) =>
    result.tags.rule === 'no-match' ? { ...result, severity: 'error', message: `${result.message} (${meant})` } : result,
  )
}
