import { groupBy } from '../group-by.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import type { FieldOutcome } from './merge-fields.ts'
import { mergeObject, type ResourceSides, type Share } from './merge-object.ts'
import type { MergeOutcome } from './merge-outcome.ts'
import { commentLost, duplicates, typeChanged } from './merge-results.ts'
import { type MergedFile, wholeOutcome } from './merged-file.ts'
import { ownText } from './own-text.ts'
import type { MergedObject } from './package-files.ts'
import { SIDES, type ThreeWay } from './three-way.ts'
import { identityIn } from './upstream-identity.ts'

type Numbers = ReadonlyMap<KrmObject | undefined, number>

type Objects = ThreeWay<readonly KrmObject[]>

/**
 * Merges the resources of one file (kpt pkg/lib/update/merge3 tuple.go, strategy.go). Resources of two sides are the same if group,
 * kind, namespace and name are equal; a merge comment wins over namespace and name.
 */
export function mergeDocuments(path: string, sides: Objects): MergedFile {
  const faults = SIDES.flatMap((side) => twins(sides[side] ?? []).flatMap((objects) => duplicates(path, side, objects)))
  if (faults.length > 0) return { path, content: undefined, outcomes: [], results: faults }
  const merged = tuplesOf(sides).map((tuple) => ({ tuple, ...mergeTuple(path, tuple) }))
  const content = documentOrder(sides, merged)
  return {
    path,
    content: content.length === 0 ? undefined : content,
    outcomes: merged.flatMap(({ outcomes }) => outcomes),
    results: merged.flatMap(({ results }) => results),
  }
}

function twins(objects: readonly KrmObject[]): readonly (readonly KrmObject[])[] {
  return [...groupBy(objects, identityIn).values()].filter(({ length }) => length > 1)
}

/** Returns the resources of all sides: first the downstream's, then the original's that the downstream deleted, then upstream's new ones. */
function tuplesOf(sides: Objects): readonly ThreeWay<KrmObject>[] {
  const tuples = new Map<string, ThreeWay<KrmObject>>()
  for (const side of ['downstream', 'original', 'upstream'] as const) {
    for (const object of sides[side] ?? []) {
      const identity = identityIn(object)
      tuples.set(identity, { ...(tuples.get(identity) ?? NOWHERE), [side]: object })
    }
  }
  return [...tuples.values()]
}

const NOWHERE: ThreeWay<KrmObject> = { original: undefined, upstream: undefined, downstream: undefined }

interface MergedTuple {
  /** Undefined for a resource that is removed. */
  readonly object: MergedObject | undefined
  readonly outcomes: readonly MergeOutcome[]
  readonly results: readonly Result[]
}

function mergeTuple(path: string, tuple: ThreeWay<KrmObject>): MergedTuple {
  const { original, upstream, downstream } = tuple
  if (upstream !== undefined && downstream !== undefined) return mergeResource(path, { original, upstream, downstream })
  const told = (outcome: Pick<MergeOutcome, 'result' | 'contested'>): readonly MergeOutcome[] => [
    wholeOutcome({ ...outcome, path }, whole(downstream), whole(upstream)),
  ]
  if (downstream !== undefined) {
    if (original === undefined) return { object: keep(downstream), outcomes: [], results: [] }
    const isUntouched = ownText(original) === ownText(downstream)
    return isUntouched
      ? { object: undefined, outcomes: told({ result: 'taken', contested: false }), results: [] }
      : { object: keep(downstream), outcomes: told({ result: 'kept', contested: true }), results: [] }
  }
  if (upstream === undefined) return { object: undefined, outcomes: [], results: [] }
  if (original === undefined)
    return {
      object: { from: 'upstream', source: upstream, object: upstream },
      outcomes: told({ result: 'taken', contested: false }),
      results: [],
    }
  const isChanged = ownText(original) !== ownText(upstream)
  return { object: undefined, outcomes: isChanged ? told({ result: 'kept', contested: true }) : [], results: [] }
}

function keep(object: KrmObject): MergedObject {
  return { from: 'downstream', source: object, object }
}

function whole(object: KrmObject | undefined): { readonly object: KrmObject | undefined; readonly exists: boolean } {
  return { object, exists: object !== undefined }
}

/** Merges one resource, with an error for each type change and a warning for each lost comment. */
export function mergeResource(path: string, sides: ResourceSides, share?: Share): MergedTuple {
  const { object, outcomes, typeChanges, lostComments, results } = mergeObject(sides, share)
  const { upstream, downstream } = sides
  return {
    object: object === upstream ? { from: 'upstream', source: object, object } : { from: 'downstream', source: downstream, object },
    outcomes: outcomes.map((outcome) => located(path, sides, outcome)),
    results: [
      ...results,
      ...typeChanges.map((change) => typeChanged(path, sides, change)),
      ...lostComments.map((comment) => commentLost(downstream, comment)),
    ],
  }
}

function located(path: string, { upstream, downstream }: ResourceSides, outcome: FieldOutcome): MergeOutcome {
  return {
    result: outcome.result,
    contested: outcome.contested,
    path,
    downstream: { object: downstream, exists: outcome.downstream.value !== undefined, ...outcome.downstream },
    upstream: { object: upstream, exists: outcome.upstream.value !== undefined, ...outcome.upstream },
  }
}

/**
 * Returns the merged resources in order. A resource is ordered by the number of its document in the downstream, or in upstream if
 * upstream moved or added the document. Of equal numbers, the downstream's come first, then the original's (kpt merges the annotation
 * config.kubernetes.io/index like any other).
 *
 * @param merged  first the downstream's, then the original's, then upstream's new ones
 */
function documentOrder(
  sides: ThreeWay<readonly KrmObject[]>,
  merged: readonly { readonly tuple: ThreeWay<KrmObject>; readonly object: MergedObject | undefined }[],
): readonly MergedObject[] {
  const numbers = { original: numbersOf(sides.original), upstream: numbersOf(sides.upstream), downstream: numbersOf(sides.downstream) }
  const placed = merged.flatMap(({ tuple, object }) => (object === undefined ? [] : [{ object, number: numberOf(tuple, numbers) }]))
  return placed.sort((a, b) => a.number - b.number).map(({ object }) => object)
}

function numbersOf(objects: readonly KrmObject[] | undefined): Numbers {
  return new Map((objects ?? []).map((object, number) => [object, number]))
}

function numberOf(tuple: ThreeWay<KrmObject>, numbers: { readonly [side in keyof ThreeWay<Numbers>]: Numbers }): number {
  const original = numbers.original.get(tuple.original)
  const upstream = numbers.upstream.get(tuple.upstream)
  const downstream = numbers.downstream.get(tuple.downstream)
  const moved = original !== undefined && upstream !== undefined && original !== upstream
  return (moved ? upstream : (downstream ?? upstream)) ?? 0
}
