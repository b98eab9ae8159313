import { afterCall, type ExplainedCall, explainCalls } from '../../src/convert/explain-overlay.ts'
import type { Overlay } from '../../src/convert/fleet-texts.ts'
import { type ObjectPairs, pairObjects } from '../../src/convert/pair-objects.ts'
import { equalJson } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { BuiltTree } from './built-tree.ts'

export function baseObjects({ bases }: Pick<BuiltTree, 'bases'>, path: string): readonly KrmObject[] {
  return (bases.get(path)?.objects ?? []).map(({ object }) => object)
}

export function overlayObjects({ targets }: Pick<BuiltTree, 'targets'>, { id }: Pick<Overlay, 'id'>): readonly KrmObject[] {
  return (targets.get(id) ?? []).map(({ object }) => object)
}

/** The objects of an overlay: each that a base has is in a pair with the object of the base, the others are added. */
export interface PairedOverlay {
  readonly pairs: ObjectPairs
  readonly added: readonly KrmObject[]
}

/** Pairs each object of an overlay with the object of its bases from which the overlay makes it. */
export function pairOverlay(tree: Pick<BuiltTree, 'bases' | 'targets'>, overlay: Overlay): PairedOverlay {
  const wanted = overlayObjects(tree, overlay)
  const ofBases = overlay.bases.flatMap((path) => baseObjects(tree, path))
  const pairs = pairObjects(ofBases, wanted)
  const paired = new Set(pairs.values())
  return { pairs, added: wanted.filter((object) => !paired.has(object)) }
}

/**
 * Returns the objects that an overlay adds to the package of a base: the first base gets all that only the overlay has, the others none.
 */
export function addedTo(path: string, { bases }: Overlay, { added }: PairedOverlay): readonly KrmObject[] {
  return bases[0] === path ? added : []
}

export function leavesObjects(call: ExplainedCall, objects: readonly KrmObject[]): boolean {
  const after = afterCall(objects, call)
  return after !== undefined && objects.every((object, index) => equalJson(object.toJson(), after[index]?.toJson()))
}

/** Returns the calls of functions that turn the objects of a base into the objects of an overlay. */
export function callsOf(tree: BuiltTree, overlay: Overlay, path: string, paired: PairedOverlay): readonly ExplainedCall[] {
  const probe = tree.probes?.get(overlay.id)?.added.get(path)
  const added = addedTo(path, overlay, paired)
  return explainCalls(baseObjects(tree, path), paired.pairs, probe).filter((call) => leavesObjects(call, added))
}
