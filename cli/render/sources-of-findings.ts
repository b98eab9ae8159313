import { variantOrigins } from '../../src/diff/fleet-state.ts'
import type { FieldPath } from '../../src/field-path.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { groupBy } from '../../src/group-by.ts'
import { DEFAULT_NAMESPACE } from '../../src/kubernetes/kinds.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { formatResourceRef, type ResourceRef, type Result } from '../../src/result.ts'
import { nameFirst } from '../../src/wording.ts'

/** The variants of a fleet that sets made in memory. */
export interface VariantsInMemory {
  /** The paths that the variants would have. */
  readonly made: ReadonlySet<string>
  readonly sets: readonly SetPlan[]
}

/** A finding, and the variant that it is about if the variant is only in memory. */
interface Placed {
  readonly result: Result
  readonly variant?: ResourceRef
}

/** The number of variants that a finding names beside its own. */
const NAMED_OTHERS = 3

/**
 * Returns findings about variants that are only in memory at the field of the set that gives the variant's field: there is no other file
 * to look into. Equal findings at one field are one, which names the first variants. A finding without such a field names the variant
 * alone.
 */
export function atSources(results: readonly Result[], { made, sets }: VariantsInMemory): readonly Result[] {
  const isInMemory = ({ file }: Result): boolean => file !== undefined && made.has(file.path)
  if (!results.some(isInMemory)) return results
  const origins = variantOrigins(sets)
  const placed = results.map((result): Placed => {
    if (!isInMemory(result)) return { result }
    const { file: _, position: __, ...rest } = result
    const { resourceRef: ref, field } = result
    const origin = ref && origins.get(`${ref.namespace ?? DEFAULT_NAMESPACE}/${ref.name}`)
    const path = field && exactPath(field.path, origin?.change.after ?? {})
    const source = path && origin?.sourceOf(path, null)
    if (ref === undefined || source?.object.file === undefined) return { result: rest }
    const { file } = source.object
    return { result: { ...rest, file, position: positionIn(source.object, source.path) }, variant: ref }
  })
  return [...groupBy(placed, causeOf).values()].map(([{ result, variant }, ...others]) => {
    if (variant === undefined) return result
    const names = others.flatMap((other) => other.variant?.name ?? [])
    const same = names.length === 0 ? '' : `; the same for ${nameFirst(names, NAMED_OTHERS)}`
    return { ...result, message: `${formatResourceRef(variant)}: ${result.message}${same}` }
  })
}

/** Returns what equal findings at one field of a set have in common; of any other finding the finding itself. */
function causeOf({ result, variant }: Placed): unknown {
  const { severity, message, tags, file, position, field } = result
  return variant === undefined ? result : JSON.stringify([severity, tags.rule, message, file, position, field?.path])
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
