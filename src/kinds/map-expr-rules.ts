import type { FieldPath } from '../field-path.ts'
import type { Fault } from '../schema/fault.ts'
import type { ListEntry } from './entries.ts'
import { refusedField } from './rule-fault.ts'
import type { MapExprFields } from './template-schema.ts'

/** A fixed and a computed field exclude each other, empty strings included (docs/porch.md 16). */
export function exclusiveFault<K extends string>(
  fields: { readonly [key in K]?: string },
  fixed: K,
  computed: K,
  path: FieldPath,
): Fault[] {
  if (fields[fixed] === undefined || fields[computed] === undefined) return []
  return [refusedField('exclusive-fields', path, `must not have both '${fixed}' and '${computed}'`, [...path, computed])]
}

/**
 * One entry of labelExprs, annotationExprs, dataExprs or configMapExprs (seed 001, Template validation).
 * The controller writes an empty string for a part that is missing; that is refused here (docs/porch.md 18).
 */
export function mapExprFaults({ path, value }: ListEntry<MapExprFields>): Fault[] {
  return (['key', 'value'] as const).flatMap((part) => {
    const missing = value[part] === undefined && value[`${part}Expr`] === undefined
    return missing
      ? [refusedField('map-entry', path, `must have '${part}' or '${part}Expr'`)]
      : exclusiveFault(value, part, `${part}Expr`, path)
  })
}
