import { type Clause, type LabelSelector, matchesSelector } from '../../kubernetes/label-selector.ts'
import { remember } from '../../remember.ts'

/** An object by which a target can select. */
interface Selectable {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
}

/** The name and labels that a target asks for. */
interface Criteria {
  readonly name?: string | undefined
  readonly selector: LabelSelector
}

/**
 * The objects of one kind and namespace, with an index of their names and labels. A fleet may have a selector for each of its targets;
 * without the index each selector would look at every object.
 */
export class SelectableObjects<T extends Selectable> {
  readonly all: readonly T[]
  /** The positions in `all` by name and by label; made for the second selector, since one scan is cheaper. */
  #positions: ReadonlyMap<string, readonly number[]> | undefined
  #isSearched = false
  /** The values of labels by key, for those keys that a message names. */
  readonly #values = new Map<string, readonly string[]>()
  #names: readonly string[] | undefined
  #keys: readonly string[] | undefined

  constructor(all: readonly T[]) {
    this.all = all
  }

  /**
   * Returns the objects that a target selects, in the order of `all`. `name` restricts the match, although Porch's controller ignores
   * `name` (docs/porch.md 4).
   */
  matching(criteria: Criteria): readonly T[] {
    const { name, selector } = criteria
    const candidates = this.#isSearched ? this.#candidates(criteria) : this.all
    this.#isSearched = true
    return candidates.filter((object) => (name === undefined || object.name === name) && matchesSelector(selector, object.labels))
  }

  /** Returns the object of a name, of two the first. */
  named(name: string): T | undefined {
    this.#positions ??= positionsOf(this.all)
    const [position] = this.#positions.get(nameKey(name)) ?? []
    return position === undefined ? undefined : this.all[position]
  }

  /** The names of the objects; one list, so that readers can recognize it. */
  get names(): readonly string[] {
    this.#names ??= this.all.map(({ name }) => name)
    return this.#names
  }

  /** The keys of the labels of all objects, each once and sorted. */
  get keys(): readonly string[] {
    this.#keys ??= [...new Set(this.all.flatMap(({ labels }) => [...labels.keys()]))].sort()
    return this.#keys
  }

  /** Returns the values that the label `key` has, each once and sorted. Computed once for each key. */
  valuesOf(key: string): readonly string[] {
    return remember(this.#values, key, () => [...new Set(this.all.flatMap(({ labels }) => labels.get(key) ?? []))].sort())
  }

  /** Returns true if an object meets a clause of a selector. */
  someMeet({ key, values, isMet }: Clause): boolean {
    if (values.length === 0) return this.all.some(({ labels }) => isMet(labels))
    this.#positions ??= positionsOf(this.all)
    return values.some((value) => this.#positions?.has(labelKey([key, value])))
  }

  /** Returns the objects that fulfil the rarest clause with values; no other object can match. Without such a clause, returns all. */
  #candidates({ name, selector: { matchLabels, matchExpressions } }: Criteria): readonly T[] {
    const clauses = [
      ...(name === undefined ? [] : [[nameKey(name)]]),
      ...Array.from(matchLabels, (label) => [labelKey(label)]),
      ...matchExpressions
        .filter(({ operator }) => operator === 'In')
        .map(({ key, values }) => values.map((value) => labelKey([key, value]))),
    ]
    this.#positions ??= positionsOf(this.all)
    let fewest: readonly number[] | undefined
    for (const keys of clauses) {
      const found = this.#positionsOfAny(keys)
      if (fewest === undefined || found.length < fewest.length) fewest = found
    }
    return fewest === undefined ? this.all : fewest.flatMap((position) => this.all[position] ?? [])
  }

  /** Returns the positions of the objects that have one of the keys, in ascending order. */
  #positionsOfAny([key = '', ...others]: readonly string[]): readonly number[] {
    const ofOne = this.#positions?.get(key) ?? []
    if (others.length === 0) return ofOne
    return [...new Set([key, ...others])].flatMap((each) => this.#positions?.get(each) ?? []).sort((a, b) => a - b)
  }
}

/** Returns a key of the index for a name, which differs from the keys of labels. */
function nameKey(name: string): string {
  return `name ${name}`
}

/** Returns a key of the index for a label; the length marks the end of the label's key, since texts of a list may hold anything. */
function labelKey([key, value]: readonly [string, string]): string {
  return `label ${key.length} ${key}${value}`
}

function positionsOf(objects: readonly Selectable[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>()
  for (const [position, { name, labels }] of objects.entries())
    for (const key of [nameKey(name), ...Array.from(labels, labelKey)]) remember(positions, key, (): number[] => []).push(position)
  return positions
}
