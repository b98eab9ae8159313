import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { fieldChanges } from './field-changes.ts'

/** Two lists of targets: the positions in the later list by those in the earlier one, and the reverse. */
interface EntryPairs {
  readonly later: ReadonlyMap<number, number>
  readonly former: ReadonlyMap<number, number>
}

/**
 * Finds the entry of `spec.targets` in one state of a set that is the entry of the other state. Entries have no names. So those are paired that
 * differ in the fewest fields, of several those at the same position; an entry without a partner was added or removed.
 *
 * Example: `[north, south]` becomes `[west, north, south]`. Entry 0 of FROM is entry 1 of TO, and entry 0 of TO is new.
 */
export class TargetEntries {
  readonly #pairs = new WeakMap<KrmObject, WeakMap<KrmObject, EntryPairs>>()

  /**
   * Returns the path of a field of an entry as the other state of the set has it; undefined for an entry that the other state does not have.
   *
   * @param other  `later` for a path in FROM, `former` for a path in TO
   */
  otherPath(path: FieldPath, [from, to]: readonly [from: KrmObject, to: KrmObject], other: 'later' | 'former'): FieldPath | undefined {
    const [spec, targets, position, ...rest] = path
    if (spec !== 'spec' || targets !== 'targets' || typeof position !== 'number') return path
    const found = this.#pairsOf(from, to)[other].get(position)
    return found === undefined ? undefined : [spec, targets, found, ...rest]
  }

  #pairsOf(from: KrmObject, to: KrmObject): EntryPairs {
    const known = this.#pairs.get(from) ?? new WeakMap<KrmObject, EntryPairs>()
    this.#pairs.set(from, known)
    const pairs = known.get(to) ?? pairEntries(entriesOf(from), entriesOf(to))
    known.set(to, pairs)
    return pairs
  }
}

function entriesOf(set: KrmObject): readonly JsonValue[] {
  const targets = set.get(['spec', 'targets'])
  return Array.isArray(targets) ? targets : []
}

function pairEntries(before: readonly JsonValue[], after: readonly JsonValue[]): EntryPairs {
  const candidates = before.flatMap((entry, from) =>
    after.map((other, to) => ({ from, to, changes: changesBetween(entry, other), distance: Math.abs(from - to) })),
  )
  const later = new Map<number, number>()
  const former = new Map<number, number>()
  for (const { from, to } of candidates.sort((a, b) => a.changes - b.changes || a.distance - b.distance)) {
    if (later.has(from) || former.has(to)) continue
    later.set(from, to)
    former.set(to, from)
  }
  return { later, former }
}

function changesBetween(before: JsonValue, after: JsonValue): number {
  return isRecord(before) && isRecord(after) ? fieldChanges(before, after).length : Number.MAX_SAFE_INTEGER
}
