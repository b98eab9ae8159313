import type { FieldPlace, Finding } from '../finding.ts'
import { placeOfField } from '../reading/field.ts'
import type { CrossplanePackage } from './objects.ts'

/** Returns a finding about the package of a source. */
export function packageFinding(rule: Finding['rule'], message: string, place: FieldPlace, source: string, proposedValue?: string): Finding {
  return { rule, message, place, proposedValue, tags: { ecosystem: 'crossplane', package: source } }
}

/** Returns a finding at the field `spec.package` of a package. */
export function findingAt(
  { field, reference }: CrossplanePackage,
  rule: Finding['rule'],
  message: string,
  proposedValue?: string,
): Finding {
  return packageFinding(rule, message, placeOfField(field), reference.source, proposedValue)
}
