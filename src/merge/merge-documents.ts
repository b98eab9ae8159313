import { groupBy } from '../group-by.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { commentLost } from '../schema/document-faults.ts'
import { annotatedIdentity, identitiesAsAnnotated, identityIn, ownText } from './clone-marks.ts'
import type { FieldOutcome } from './merge-fields.ts'
import { mergeObject, type ResourceSides, type Share } from './merge-object.ts'
import { commentsPassedOver, duplicates, typeChanged } from './merge-results.ts'
import { type MergedFile, type MergeOutcome, wholeOutcome } from './merged-package.ts'
import { type MergedObject, type PackageFiles, SIDES, type ThreeWay } from './package-files.ts'

type Numbers = ReadonlyMap<KrmObject | undefined, number>

type Objects = { readonly [side in keyof ThreeWay<unknown>]: readonly KrmObject[] }

/**
 * Merges the resources of one file (kpt pkg/lib/update/merge3 tuple.go, strategy.go). Resources of two sides are the same if group,
 * kind, namespace and name are equal; a merge comment wins over namespace and name.
 *
 * @param upstream  as in a MergeRequest
 */
export function mergeDocuments(path: string, sides: Objects, upstream?: PackageFiles): MergedFile {
  const faults = SIDES.flatMap((side) =>
    [...groupBy(sides[side], identityIn).values()].flatMap((objects) => duplicates(path, side, objects)),
  )
  if (faults.length > 0) return { path, content: undefined, outcomes: [], results: faults }
  const merged = tuplesOf(sides).map((tuple) => ({ tuple, ...mergeTuple(path, tuple, upstream) }))
  const content = documentOrder(sides, merged)
  return {
    path,
    content: content.length === 0 ? undefined : content,
    outcomes: merged.flatMap(({ outcomes }) => outcomes),
    results: merged.flatMap(({ results }) => results),
  }
}

/** Returns the resources of all sides: first ours, then base's that ours deleted, then new ones of theirs. */
function tuplesOf(sides: Objects): readonly ThreeWay<KrmObject>[] {
  const tuples = new Map<string, ThreeWay<KrmObject>>()
  for (const side of ['ours', 'base', 'theirs'] as const) {
    for (const object of sides[side]) {
      const identity = identityIn(object)
      tuples.set(identity, { ...(tuples.get(identity) ?? NOWHERE), [side]: object })
    }
  }
  return withAnnotated([...tuples.values()])
}

/**
 * Gives resources of the downstream whose `metadata` is in braces the upstream resources that their annotations name. People or functions
 * changed a name or namespace, and there is no merge comment.
 */
function withAnnotated(tuples: readonly ThreeWay<KrmObject>[]): readonly ThreeWay<KrmObject>[] {
  const identities = tuples.map(({ base, theirs, ours }) =>
    ours === undefined || (base !== undefined && theirs !== undefined) ? undefined : annotatedIdentity(ours),
  )
  if (identities.every((identity) => identity === undefined)) return tuples
  const lacking = { base: lackingByIdentity(tuples, 'base'), theirs: lackingByIdentity(tuples, 'theirs') }
  const paired = [...tuples]
  for (const [at, identity] of identities.entries()) {
    for (const side of ['base', 'theirs'] as const) {
      const tuple = paired[at] ?? NOWHERE
      const named = identity === undefined || tuple[side] !== undefined ? [] : (lacking[side].get(identity) ?? [])
      const from = named.find(({ at: index }) => paired[index]?.[side] !== undefined)?.at ?? -1
      const other = paired[from]
      if (other === undefined) continue
      paired[at] = { ...tuple, [side]: other[side] }
      paired[from] = { ...other, [side]: undefined }
    }
  }
  return paired
}

/** Returns the indexes of the resources of one side that the downstream lacks, by the identities that annotations name. */
function lackingByIdentity(tuples: readonly ThreeWay<KrmObject>[], side: 'base' | 'theirs') {
  const named = tuples.flatMap(({ ours, [side]: object }, at) =>
    ours !== undefined || object === undefined ? [] : identitiesAsAnnotated(object).map((identity) => ({ identity, at })),
  )
  return groupBy(named, ({ identity }) => identity)
}

const NOWHERE: ThreeWay<KrmObject> = { base: undefined, theirs: undefined, ours: undefined }

interface MergedTuple {
  /** Undefined for a resource that is removed. */
  readonly object: MergedObject | undefined
  readonly outcomes: readonly MergeOutcome[]
  readonly results: readonly Result[]
}

function mergeTuple(path: string, tuple: ThreeWay<KrmObject>, upstream: PackageFiles | undefined): MergedTuple {
  const { base, theirs, ours } = tuple
  if (theirs !== undefined && ours !== undefined) return mergeResource(path, { base, theirs, ours }, upstream)
  const outcomeOf = (outcome: Pick<MergeOutcome, 'result' | 'contested'>): readonly MergeOutcome[] => [
    wholeOutcome({ ...outcome, path }, whole(ours), whole(theirs)),
  ]
  if (ours !== undefined) {
    if (base === undefined) return { object: keep(ours), outcomes: [], results: [] }
    const isUntouched = ownText(base) === ownText(ours)
    return isUntouched
      ? { object: undefined, outcomes: outcomeOf({ result: 'taken', contested: false }), results: [] }
      : { object: keep(ours), outcomes: outcomeOf({ result: 'kept', contested: true }), results: [] }
  }
  if (theirs === undefined) return { object: undefined, outcomes: [], results: [] }
  if (base === undefined)
    return {
      object: { from: 'theirs', source: theirs, object: theirs },
      outcomes: outcomeOf({ result: 'taken', contested: false }),
      results: [],
    }
  const isChanged = ownText(base) !== ownText(theirs)
  return { object: undefined, outcomes: isChanged ? outcomeOf({ result: 'kept', contested: true }) : [], results: [] }
}

function keep(object: KrmObject): MergedObject {
  return { from: 'ours', source: object, object }
}

function whole(object: KrmObject | undefined): { readonly object: KrmObject | undefined; readonly exists: boolean } {
  return { object, exists: object !== undefined }
}

/** Merges one resource, with an error for each type change and a warning for each lost comment. */
export function mergeResource(path: string, sides: ResourceSides, upstream?: PackageFiles, share?: Share): MergedTuple {
  const { object, outcomes, typeChanges, lostComments, results } = mergeObject(sides, share)
  const { theirs, ours } = sides
  return {
    object: object === theirs ? { from: 'theirs', source: object, object } : { from: 'ours', source: ours, object },
    outcomes: outcomes.map((outcome) => located(path, sides, outcome)),
    results: [
      ...results,
      ...typeChanges.map((change) => typeChanged({ path, upstream }, sides, change)),
      ...lostComments.ours.map((comment) => commentLost(ours, comment)),
      ...(theirs === undefined ? [] : commentsPassedOver({ path, upstream }, { theirs, ours }, lostComments.theirs)),
    ],
  }
}

function located(path: string, { theirs, ours }: ResourceSides, outcome: FieldOutcome): MergeOutcome {
  return {
    result: outcome.result,
    contested: outcome.contested,
    path,
    ours: { object: ours, exists: outcome.ours.value !== undefined, ...outcome.ours },
    theirs: { object: theirs, exists: outcome.theirs.value !== undefined, ...outcome.theirs },
  }
}

/**
 * Returns the merged resources in order. A resource is ordered by the number of its document in the downstream, or in upstream if
 * upstream moved or added the document. Of equal numbers, ours come first, then base's (kpt merges the annotation
 * config.kubernetes.io/index like any other).
 *
 * @param merged  first ours, then base's, then new ones of theirs
 */
function documentOrder(
  sides: Objects,
  merged: readonly { readonly tuple: ThreeWay<KrmObject>; readonly object: MergedObject | undefined }[],
): readonly MergedObject[] {
  const numbers = { base: numbersOf(sides.base), theirs: numbersOf(sides.theirs), ours: numbersOf(sides.ours) }
  const placed = merged.flatMap(({ tuple, object }) => (object === undefined ? [] : [{ object, number: numberOf(tuple, numbers) }]))
  return placed.sort((a, b) => a.number - b.number).map(({ object }) => object)
}

function numbersOf(objects: readonly KrmObject[]): Numbers {
  return new Map(objects.map((object, number) => [object, number]))
}

function numberOf(tuple: ThreeWay<KrmObject>, numbers: { readonly [side in keyof ThreeWay<Numbers>]: Numbers }): number {
  const base = numbers.base.get(tuple.base)
  const theirs = numbers.theirs.get(tuple.theirs)
  const ours = numbers.ours.get(tuple.ours)
  const moved = base !== undefined && theirs !== undefined && base !== theirs
  return (moved ? theirs : (ours ?? theirs)) ?? 0
}
