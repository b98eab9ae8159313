import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { PlannedVariant } from '../../src/fleet/planned-variants.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { newDocumentText } from '../../src/resource-list/resource-list.ts'
import type { Result } from '../../src/result.ts'
import { PACKAGE_VARIANT_API } from '../../src/well-known.ts'
import { atSources } from '../render/sources-of-findings.ts'

/** The file of variants that are in no file. */
const IN_MEMORY = ''

/** Returns the object of a variant after the plan: its own, or one in memory for a variant of a set. */
export function variantObject({ name, spec, object, ...marks }: PlannedVariant): KrmObject {
  if (spec === undefined) return object
  const { namespace } = object
  const [labels, annotations] = [Object.fromEntries(marks.labels), Object.fromEntries(marks.annotations)]
  const metadata = { name, ...(namespace !== undefined && { namespace }), labels, annotations }
  const value = { apiVersion: PACKAGE_VARIANT_API, kind: 'PackageVariant', metadata, spec }
  return KrmObject.made(newDocumentText(value), 'document', { path: IN_MEMORY, index: 0, line: 1 })
}

/** Returns true for a finding about a variant of a set, whose object is in memory. */
export function isAboutMade({ file }: Result): boolean {
  return file?.path === IN_MEMORY
}

/** Returns the findings about objects in memory at the fields of their sets. */
export function atSets(results: readonly Result[], { sets }: Pick<FleetPlan, 'sets'>): readonly Result[] {
  return atSources(results, { made: new Set([IN_MEMORY]), sets })
}
