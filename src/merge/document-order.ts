import type { KrmObject } from '../resource-list/krm-object.ts'
import type { MergedObject } from './package-files.ts'
import type { Sides } from './sides.ts'

/**
 * The resources of a merged file in their order. Each has the number of its document downstream, or upstream's where upstream changed it or
 * added the resource; of equal numbers the downstream's come first, then the original's (kpt merges the annotation config.kubernetes.io/index like any other).
 *
 * @param merged  those of the downstream first, then those of the original, then those that are new upstream
 */
export function documentOrder(
  sides: Sides<readonly KrmObject[]>,
  merged: readonly { readonly tuple: Sides<KrmObject>; readonly object: MergedObject | undefined }[],
): readonly MergedObject[] {
  const numbers = { original: numbersOf(sides.original), upstream: numbersOf(sides.upstream), downstream: numbersOf(sides.downstream) }
  const placed = merged.flatMap(({ tuple, object }) => (object === undefined ? [] : [{ object, number: numberOf(tuple, numbers) }]))
  return placed.sort((a, b) => a.number - b.number).map(({ object }) => object)
}

type Numbers = ReadonlyMap<KrmObject | undefined, number>

function numbersOf(objects: readonly KrmObject[] | undefined): Numbers {
  return new Map((objects ?? []).map((object, number) => [object, number]))
}

function numberOf(tuple: Sides<KrmObject>, numbers: { readonly [side in keyof Sides<Numbers>]: Numbers }): number {
  const original = numbers.original.get(tuple.original)
  const upstream = numbers.upstream.get(tuple.upstream)
  const downstream = numbers.downstream.get(tuple.downstream)
  const moved = original !== undefined && upstream !== undefined && original !== upstream
  return (moved ? upstream : (downstream ?? upstream)) ?? 0
}
