import { variantOrigins } from '../../src/diff/fleet-state.ts'
import type { FieldPath } from '../../src/field-path.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { DEFAULT_NAMESPACE } from '../../src/kubernetes/kinds.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { formatResourceRef, type Result } from '../../src/result.ts'

/** The variants of a fleet that sets made in memory. */
export interface VariantsInMemory {
  /** The paths that the variants would have. */
  readonly made: ReadonlySet<string>
  readonly sets: readonly SetPlan[]
}

/**
 * Returns findings about variants that are only in memory at the field of the set that gives the variant's field: there is no other file
 * to look into. A finding without such a field names the variant alone.
 */
export function atSources(results: readonly Result[], { made, sets }: VariantsInMemory): readonly Result[] {
  const isInMemory = ({ file }: Result): boolean => file !== undefined && made.has(file.path)
  if (!results.some(isInMemory)) return results
  const origins = variantOrigins(sets)
  return results.map((result) => {
    if (!isInMemory(result)) return result
    const { file: _, position: __, ...rest } = result
    const { resourceRef: ref, field } = result
    const origin = ref && origins.get(`${ref.namespace ?? DEFAULT_NAMESPACE}/${ref.name}`)
    const path = field && exactPath(field.path, origin?.change.after ?? {})
    const source = path && origin?.sourceOf(path, null)
    if (ref === undefined || source?.object.file === undefined) return rest
    const position = positionIn(source.object, source.path)
    return { ...rest, message: `${formatResourceRef(ref)}: ${result.message}`, file: source.object.file, position }
  })
}

/** Returns the field that names the revision of an upstream in the place of the whole upstream: a ring may give it. */
function exactPath(path: FieldPath, spec: object): FieldPath {
  const [, field, ...deeper] = path
  if (field !== 'upstream' || deeper.length > 0) return path
  const upstream: unknown = 'upstream' in spec ? spec.upstream : undefined
  const has = (key: string): boolean => typeof upstream === 'object' && upstream !== null && key in upstream
  const named = ['revision', 'workspaceName'].find(has)
  return named === undefined ? path : [...path, named]
}

function positionIn(object: KrmObject, path: FieldPath): ReturnType<KrmObject['positionOf']> {
  return object.positionOf(object.get(path) === undefined ? path.slice(0, -1) : path)
}
