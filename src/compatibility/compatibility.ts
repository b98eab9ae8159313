import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { kptDifferences } from './kpt.ts'
import { porchDifferences } from './porch.ts'
import type { SystemDifferences } from './system-differences.ts'
import { otherWorkspaces } from './upstream-workspaces.ts'
import { KPT_BETA_56, KPT_BETA_67, PORCH_1_5, PORCH_1_5_3, PORCH_MAIN } from './versions.ts'

/** The fleet is rendered here, so a workspace of another revision is only a trap for later. */
const RENDERED_HERE: SystemDifferences = {
  refused: new Set(),
  replaced: new Set(),
  faults: (items) => otherWorkspaces(items).map((fault) => ({ ...fault, severity: 'warning' })),
}

/** The systems that make packages of a fleet's files, by the name that a user gives. Without a version: the newest release with tested facts. */
export const SYSTEMS = {
  'krm-variants': RENDERED_HERE,
  kpt: kptDifferences(KPT_BETA_67),
  'kpt@beta.56': kptDifferences(KPT_BETA_56),
  'kpt@beta.67': kptDifferences(KPT_BETA_67),
  porch: porchDifferences(PORCH_1_5),
  'porch@1.5.3': porchDifferences(PORCH_1_5_3),
  'porch@1.5': porchDifferences(PORCH_1_5),
  'porch@main': porchDifferences(PORCH_MAIN),
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
