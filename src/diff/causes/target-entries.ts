import type { FieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { isRecord, type JsonValue } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { ByPair } from '../by-pair.ts'
import { fieldChanges } from '../field-changes.ts'

/** Two lists of targets: the positions in the later list by those in the earlier one, and the reverse. */
interface EntryPairs {
  readonly later: ReadonlyMap<number, number>
  readonly former: ReadonlyMap<number, number>
}

/**
 * Finds the entry of `spec.targets` in one state of a set that is the entry of the other state. Entries have no names. So equal entries are
 * paired, then those that differ in the fewest fields, of several those at the same position. An entry without a partner was added or
 * removed.
 *
 * Example: `[north, south]` becomes `[west, north, south]`. Entry 0 of FROM is entry 1 of TO, and entry 0 of TO is new.
 */
export class TargetEntries {
  readonly #pairs = new ByPair<KrmObject, EntryPairs>()

  /**
   * Returns the path of a field of an entry as the other state of the set has it; undefined for an entry that the other state does not
   * have.
   *
   * @param other  `later` for a path in FROM, `former` for a path in TO
   */
  otherPath(path: FieldPath, [from, to]: readonly [from: KrmObject, to: KrmObject], other: 'later' | 'former'): FieldPath | undefined {
    const [spec, targets, position, ...rest] = path
    if (spec !== 'spec' || targets !== 'targets' || typeof position !== 'number') return path
    const pairs = this.#pairs.of(from, to, () => pairEntries(entriesOf(from), entriesOf(to)))
    const found = pairs[other].get(position)
    return found === undefined ? undefined : [spec, targets, found, ...rest]
  }
}

/** An entry of a list of targets. */
interface Entry {
  readonly at: number
  readonly value: JsonValue
  readonly text: string
}

function entriesOf(set: KrmObject): readonly Entry[] {
  const targets = set.get(['spec', 'targets'])
  return Array.isArray(targets) ? targets.map((value, at) => ({ at, value, text: JSON.stringify(value) })) : []
}

/** The number of changed entries up to which each is compared with each; more are paired in their order. */
const COMPARED = 100

function pairEntries(before: readonly Entry[], after: readonly Entry[]): EntryPairs {
  const later = new Map<number, number>()
  const former = new Map<number, number>()
  const pair = (from: Entry, to: Entry): void => {
    if (later.has(from.at) || former.has(to.at)) return
    later.set(from.at, to.at)
    former.set(to.at, from.at)
  }
  for (const to of after) {
    const from = before[to.at]
    if (from?.text === to.text) pair(from, to)
  }
  const isOpen = ({ at }: Entry, pairs: ReadonlyMap<number, number>) => !pairs.has(at)
  const open = before.filter((from) => isOpen(from, later))
  const equal = groupBy(open, ({ text }) => text)
  for (const to of after.filter((each) => isOpen(each, former))) {
    const from = equal.get(to.text)?.find((each) => isOpen(each, later))
    if (from !== undefined) pair(from, to)
  }
  const [old, present] = [before.filter((from) => isOpen(from, later)), after.filter((to) => isOpen(to, former))]
  const isMany = Math.max(old.length, present.length) > COMPARED
  const candidates = old.flatMap((from, i) =>
    (isMany ? present.slice(i, i + 1) : present).map((to) => ({ from, to, changes: changesBetween(from.value, to.value) })),
  )
  candidates.sort((a, b) => a.changes - b.changes || Math.abs(a.from.at - a.to.at) - Math.abs(b.from.at - b.to.at))
  for (const { from, to } of candidates) pair(from, to)
  return { later, former }
}

function changesBetween(before: JsonValue, after: JsonValue): number {
  return isRecord(before) && isRecord(after) ? fieldChanges(before, after).length : Number.MAX_SAFE_INTEGER
}
