import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { KPT_DIFFERENCES } from './kpt.ts'
import { PORCH_DIFFERENCES } from './porch.ts'
import type { SystemDifferences } from './system-differences.ts'

const NONE: SystemDifferences = { refused: new Set(), replaced: new Set(), faults: () => [] }

/** The systems that make packages of a fleet's files, by the name that a user gives. `porch` is the newest version with tested facts. */
export const SYSTEMS = {
  'krm-variants': NONE,
  kpt: KPT_DIFFERENCES,
  porch: PORCH_DIFFERENCES,
  'porch@1.5': PORCH_DIFFERENCES,
} as const satisfies Readonly<Record<string, SystemDifferences>>

export type SystemName = keyof typeof SYSTEMS

/**
 * Returns the findings of a check for a system: its own findings, and the given ones with the severity that they have for the system.
 *
 * @param results  the findings of the other checks
 * @param items    the objects of the fleet
 */
export function findingsFor(system: SystemName, results: readonly Result[], items: readonly KrmObject[]): readonly Result[] {
  const { refused, replaced, faults }: SystemDifferences = SYSTEMS[system]
  const others = results
    .filter(({ tags }) => !replaced.has(tags.rule))
    .map((result) => (result.severity === 'warning' && refused.has(result.tags.rule) ? { ...result, severity: 'error' as const } : result))
  return [...others, ...faults(items).map(({ object, ...fault }) => faultToResult(object, fault))]
}
