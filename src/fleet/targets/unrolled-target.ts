import type { CelValue } from '../../cel/value.ts'
import type { FieldPath } from '../../field-path.ts'
import type { Target } from '../../kinds/target.ts'
import type { PlaceExclusion, Ring, VariantSet } from '../../kinds/variant-set.ts'
import type { Result } from '../../result.ts'
import { countOf, inLine, nameFirst } from '../../wording.ts'
import type { FleetObject } from '../fleet.ts'
import type { LayeredTemplate } from '../templates/layered-template.ts'
import type { FoundUpstream } from '../upstream.ts'

/** One place that a target asks for, with the values that the template starts from. */
export interface UnrolledTarget {
  readonly target: Target
  /** The list entry or the selector that gave the place. */
  readonly path: FieldPath
  readonly repoDefault: string
  readonly packageDefault: string
  /** The matched object; undefined for a list of repositories. */
  readonly object: FleetObject | undefined
  readonly upstream: FoundUpstream
  /** The inputs of the target; undefined for a set without inputs. */
  readonly inputs: TargetInputs | undefined
  /** The ring of the target; undefined for a set without rings. */
  readonly ring: Ring | undefined
  readonly template: LayeredTemplate | undefined
}

/** A place that an exclusion of the set takes away. */
export interface ExcludedPlace {
  readonly place: UnrolledTarget
  readonly exclusion: PlaceExclusion
}

/** The places of a target, and the findings of its lookup: faults, and infos about objects that were left out. */
export interface Unrolled {
  readonly target: Target
  readonly places: readonly UnrolledTarget[]
  readonly excluded: readonly ExcludedPlace[]
  readonly findings: readonly Result[]
}

/** The inputs of one target: the objects by the names of the inputs, and the same as the variable `inputs`. */
export interface TargetInputs {
  readonly objects: ReadonlyMap<string, FleetObject>
  readonly value: CelValue
}

/** Returns the field that gives the default of the package's name: the target's own names, else the package of the set's upstream. */
export function packageDefaultField(place: UnrolledTarget, set: VariantSet): FieldPath {
  const {
    path,
    upstream: { upstream },
  } = place
  return hasPackageName(place) || upstream.object !== set.object ? path : [...upstream.path, 'package']
}

/** Returns true if the target of a place names the package. */
export function hasPackageName({ path, target: { criteria } }: UnrolledTarget): boolean {
  return criteria.type === 'repositories' ? path.at(-2) === 'packageNames' : criteria.packageNames.length > 0
}

const NAMED = 3

/** The target of a place: the repository that the target names, and the matched object. */
export type PlaceTarget = Pick<UnrolledTarget, 'repoDefault' | 'object'>

/** Returns a target for messages: the matched object, `Store ams-01`, or the listed repository. */
export function describeTarget({ repoDefault, object }: PlaceTarget): string {
  return object === undefined ? inLine(repoDefault) : `${object.kind} ${inLine(object.name)}`
}

/** Returns targets for messages: one by its name, several by their number and the first names. */
export function describeTargets(targets: readonly PlaceTarget[]): string {
  return nameTargets(targets.map(describeTarget))
}

export function nameTargets(names: readonly string[]): string {
  return names.length === 1 ? names.join() : `${countOf(names.length, 'target')} (${nameFirst(names, NAMED)})`
}

/** Returns a place for messages: the matched object, `Repository edge-07`, or the listed pair, `edge-07/app`. */
export function describePlace({ object, target: { criteria }, repoDefault, packageDefault }: UnrolledTarget): string {
  if (object === undefined || criteria.type === 'repositories') return `${inLine(repoDefault)}/${inLine(packageDefault)}`
  return `${object.kind} ${inLine(object.name)}${criteria.packageNames.length === 0 ? '' : ` with package ${inLine(packageDefault)}`}`
}
