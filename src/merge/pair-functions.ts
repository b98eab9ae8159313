import { groupBy } from '../group-by.ts'
import { asRecord, isRecord, type JsonValue, lookup, memberOf, textIn } from '../json.ts'
import { OWNED_FUNCTION_PREFIX } from '../well-known.ts'
import type { ThreeWay } from './package-files.ts'

/** Returns a text by which functions are paired; undefined if the function has no such text. */
type Mark = (fn: JsonValue) => string | undefined

/**
 * Pairs functions of two lists that have the same mark. Of several functions with one mark, the first is paired with the first, and so
 * on.
 */
interface Phase {
  readonly from: Mark
  readonly to: Mark
  /**
   * If true, a mark counts only if equally many functions have it in both lists: of equal functions of which one changed, the position
   * decides.
   */
  readonly isOfAsMany?: boolean
}

/**
 * Pairs the functions of a pipeline on three sides: by name, else by image without tag and digest. Of several functions with one image,
 * equal content decides, then the position. An entry of the result has the positions of one function. The downstream's functions come
 * first in their order, then base's, then theirs.
 *
 * kpt pairs by name only if every function of every side has a name, by image only if none has a name and no list has an image twice,
 * and otherwise treats the list as one value (docs/porch.md U20).
 *
 * @example
 * base `[a:1]`, theirs `[a:2]`, ours `[{name: mine, image: b}, a:1]` → the downstream's second function is paired with the
 * base's and upstream's first, and `mine` is only in the downstream
 */
export function pairFunctions({ base = [], theirs = [], ours = [] }: ThreeWay<readonly JsonValue[]>): readonly ThreeWay<number>[] {
  const ofOurs = pairLists(base, ours, [...SAME_FUNCTION, ...RENAMED])
  const ofTheirs = pairLists(base, theirs, [...SAME_FUNCTION, ...MOVED_IMAGE, ...RENAMED])
  const inBase = { ours: reversed(ofOurs), theirs: reversed(ofTheirs) }
  const own = withoutPaired(ours, inBase.ours)
  const added = pairLists(own, withoutPaired(theirs, inBase.theirs), SAME_FUNCTION)
  const isAddedTwice = new Set(added.values())
  return [
    ...ours.map((_, at) => {
      const from = inBase.ours.get(at)
      return { ours: at, base: from, theirs: from === undefined ? added.get(at) : ofTheirs.get(from) }
    }),
    ...places(base, (at) => !ofOurs.has(at)).map((at) => ({ ours: undefined, base: at, theirs: ofTheirs.get(at) })),
    ...places(theirs, (at) => !inBase.theirs.has(at) && !isAddedTwice.has(at)).map((at) => ({
      ours: undefined,
      base: undefined,
      theirs: at,
    })),
  ]
}

/** Returns the position in `to` of each function of `from` that has a counterpart; an earlier phase wins. */
function pairLists(
  from: readonly (JsonValue | undefined)[],
  to: readonly (JsonValue | undefined)[],
  phases: readonly Phase[],
): ReadonlyMap<number, number> {
  const paired = new Map<number, number>()
  const taken = new Set<number>()
  for (const phase of phases) {
    const [given, free] = [byMark(from, phase.from, paired), byMark(to, phase.to, taken)]
    for (const [mark, own] of given) {
      const there = free.get(mark) ?? []
      if (phase.isOfAsMany === true && own.length !== there.length) continue
      for (const [nth, place] of there.slice(0, own.length).entries()) {
        paired.set(own[nth] ?? 0, place)
        taken.add(place)
      }
    }
  }
  return paired
}

/** Returns the positions of the functions with each mark, without functions that are already paired. */
function byMark(
  list: readonly (JsonValue | undefined)[],
  mark: Mark,
  settled: Pick<ReadonlySet<number>, 'has'>,
): ReadonlyMap<string | undefined, readonly number[]> {
  const marked = places(list, (at) => list[at] !== undefined && !settled.has(at)).map((at) => ({ at, mark: mark(list[at] ?? null) }))
  const known = marked.filter((each) => each.mark !== undefined)
  const positions = groupBy(known, (each) => each.mark)
  return new Map(Array.from(positions, ([key, each]) => [key, each.map(({ at }) => at)]))
}

/** Restricts a mark to functions without a name. */
const ofUnnamed =
  (mark: Mark): Mark =>
  (fn) =>
    nameOf(fn) === undefined ? mark(fn) : undefined

/** Restricts a mark to functions that people named. A function that a variant added has its own prefix and is not paired so. */
const ofNamed =
  (mark: Mark): Mark =>
  (fn) =>
    nameOf(fn)?.startsWith(OWNED_FUNCTION_PREFIX) === false ? mark(fn) : undefined

const onBoth = (mark: Mark): Phase => ({ from: mark, to: mark })

/**
 * The phases for one function on two sides. Without a name: equal content, equal but for the image's version, equal setting names, and
 * last the same image or program.
 */
const SAME_FUNCTION: readonly Phase[] = [
  onBoth(nameOf),
  ...[textOf, textOfAnyVersion, settingsOf].map((mark) => ({ ...onBoth(ofUnnamed(mark)), isOfAsMany: true })),
  onBoth(ofUnnamed(programOf)),
]

/** The phases for a function that has a name on one side only. */
const RENAMED: readonly Phase[] = [
  { from: ofUnnamed(programOf), to: ofNamed(programOf) },
  { from: ofNamed(programOf), to: ofUnnamed(programOf) },
]

/**
 * The phase for an image that upstream moved to another registry: `gcr.io/kpt-fn/set-labels` →
 * `ghcr.io/kptdev/krm-functions-catalog/set-labels`.
 */
const MOVED_IMAGE: readonly Phase[] = [onBoth(ofUnnamed((fn) => programOf(fn).replace(/.*\//, '')))]

function nameOf(fn: JsonValue): string | undefined {
  return textIn(fn, 'name') || undefined
}

/** Returns the program that a function runs: its `exec`, or its image without tag and digest. */
function programOf(fn: JsonValue): string {
  return (
    textIn(fn, 'exec') ||
    textIn(fn, 'image')
      .replace(/@.*/, '')
      .replace(/:[^/]*$/, '')
  )
}

function textOfAnyVersion(fn: JsonValue): string {
  return textOf({ ...asRecord(fn), image: programOf(fn) })
}

/** Returns the program of a function and the names of its settings, since edits change values more often than names. */
function settingsOf(fn: JsonValue): string {
  const keys = Object.keys(asRecord(memberOf(fn, 'configMap'))).sort()
  return JSON.stringify([programOf(fn), textIn(fn, 'configPath'), ...keys])
}

/** Returns a text that is the same for equal values, whatever the order of their keys. */
function textOf(value: JsonValue): string {
  if (isRecord(value))
    return `{${Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${textOf(lookup(value, key) ?? null)}`)}}`
  return Array.isArray(value) ? `[${value.map(textOf)}]` : typeof value === 'string' ? JSON.stringify(value) : String(value)
}

function reversed(pairs: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map(Array.from(pairs, ([from, to]) => [to, from]))
}

/** Returns the list with undefined in the place of each paired function. */
function withoutPaired(list: readonly JsonValue[], paired: ReadonlyMap<number, number>): readonly (JsonValue | undefined)[] {
  return list.map((fn, at) => (paired.has(at) ? undefined : fn))
}

function places(list: readonly unknown[], test: (at: number) => boolean): readonly number[] {
  return [...list.keys()].filter(test)
}
