import type { FieldPath } from '../field-path.ts'
import type { Fault } from '../schema/fault.ts'
import type { ListEntry } from './entries.ts'
import { refusedField } from './rule-fault.ts'
import type { MapExprFields } from './template-schema.ts'

/** Returns a fault if a fixed and a computed field are both set, empty strings included (docs/porch.md 16): `repo` and `repoExpr`. */
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
 * Returns the faults of an entry of labelExprs, annotationExprs, dataExprs or configMapExprs (seed 001, Template validation): the entry
 * must have `key` or `keyExpr` and `value` or `valueExpr`, not both of a pair. Porch's controller writes an empty string for a missing
 * part (docs/porch.md 18).
 */
export function mapExprFaults({ path, value }: ListEntry<MapExprFields>): Fault[] {
  return (['key', 'value'] as const).flatMap((part) => {
    const missing = value[part] === undefined && value[`${part}Expr`] === undefined
    return missing
      ? [refusedField('map-entry', path, `must have '${part}' or '${part}Expr'`)]
      : exclusiveFault(value, part, `${part}Expr`, path)
  })
}
