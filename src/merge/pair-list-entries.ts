import type { JsonValue } from '../json.ts'
import { remember } from '../remember.ts'
import type { FieldKey, ListKey } from './merge-rule.ts'
import { SIDES, type ThreeWay } from './package-files.ts'

/** The position of an entry in the list of each side. */
export type EntryPlaces = ThreeWay<number>

type Draft = { -readonly [side in keyof EntryPlaces]: number | undefined } & { key: readonly (string | undefined)[] }

/**
 * Pairs the entries of three lists by their keys: first ours in their order, then base's, then theirs. Returns
 * undefined if an entry lacks a key or two entries of one list share a key.
 *
 * @example  by `name`: base `[a]`, theirs `[b, a]`, ours `[a]` → `a` at 0, 1, 0 and `b` only in upstream, at 0
 */
export function pairListEntries(lists: ThreeWay<readonly JsonValue[]>, key: ListKey): readonly EntryPlaces[] | undefined {
  if ('pair' in key) return key.pair(lists)
  const found = new Entries(key)
  for (const side of SIDES) {
    const keys = (lists[side] ?? []).map(key.of)
    if (!keys.every((texts) => texts !== undefined) || hasTwins(keys)) return undefined
    found.add(side, keys)
  }
  return found.drafts
}

function hasTwins(keys: readonly (readonly (string | undefined)[])[]): boolean {
  return new Set(keys.map((texts) => JSON.stringify(texts.map((text) => text ?? null)))).size < keys.length
}

/** Collects entries by the first text of their keys. */
class Entries {
  readonly drafts: Draft[] = []
  readonly #loose: boolean
  readonly #byFirst = new Map<string | undefined, Draft[]>()

  constructor({ loose }: Pick<FieldKey, 'loose'>) {
    this.#loose = loose
  }

  /**
   * Adds the entries of one side. Exact matches first: otherwise, an entry without the second field could be paired with an entry that
   * has it.
   */
  add(side: keyof EntryPlaces, keys: readonly (readonly (string | undefined)[])[]): void {
    const left = keys.flatMap((key, place) => (this.#put(side, place, key, isExact) ? [] : [place]))
    for (const place of left) {
      const key = keys[place] ?? []
      if (this.#loose && this.#put(side, place, key, isLoose)) continue
      const draft: Draft = { base: undefined, theirs: undefined, ours: undefined, key, [side]: place }
      this.drafts.push(draft)
      remember(this.#byFirst, key[0], () => []).push(draft)
    }
  }

  #put(side: keyof EntryPlaces, place: number, key: Draft['key'], isSame: typeof isExact): boolean {
    const draft = this.#byFirst.get(key[0])?.find((other) => other[side] === undefined && isSame(other.key, key))
    if (draft === undefined) return false
    draft[side] = place
    return true
  }
}

function isExact(a: Draft['key'], b: Draft['key']): boolean {
  return a.every((text, at) => text === b[at])
}

/**
 * Returns true if two keys are equal in all fields that both have (kyaml associative_sequence.go mergeValues: a port without a protocol
 * is any port of that number).
 */
function isLoose(a: Draft['key'], b: Draft['key']): boolean {
  return a.every((text, at) => text === undefined || b[at] === undefined || text === b[at])
}
