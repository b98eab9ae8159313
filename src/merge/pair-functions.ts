import { groupBy } from '../group-by.ts'
import { asRecord, isRecord, type JsonValue, lookup, memberOf } from '../json.ts'
import { OWNED_FUNCTION_PREFIX } from '../well-known.ts'
import type { ThreeWay } from './three-way.ts'

/** A mark of a function; undefined: the function has no such mark. */
type Mark = (fn: JsonValue) => string | undefined

/** Functions of two lists with one mark are the same function; of several with one mark the first is the first, and so on. */
interface Phase {
  readonly from: Mark
  readonly to: Mark
  /** The mark counts only where as many functions have it in both lists: of twins of which one changed, the position tells. */
  readonly isOfAsMany?: boolean
}

/**
 * Pairs the functions of a pipeline on three sides: by name, else by image without tag and digest, else, of several with one image, by what
 * else is the same in them and last by position. An entry of the result has the positions of one function; functions of the downstream
 * come first in their order, then those of the original, then those of upstream.
 *
 * kpt pairs by name only where every function of every side has one, by image only where none has one and no image is in a list twice, and
 * otherwise takes the list for one value (docs/porch.md U20).
 *
 * @example
 * original `[a:1]`, upstream `[a:2]`, downstream `[{name: mine, image: b}, a:1]` → the downstream's second function is the original's and
 * upstream's first, and `mine` is only in the downstream
 */
export function pairFunctions({
  original = [],
  upstream = [],
  downstream = [],
}: ThreeWay<readonly JsonValue[]>): readonly ThreeWay<number>[] {
  const ofDownstream = pairLists(original, downstream, [...SAME_FUNCTION, ...RENAMED])
  const ofUpstream = pairLists(original, upstream, [...SAME_FUNCTION, ...MOVED_IMAGE, ...RENAMED])
  const inOriginal = { downstream: reversed(ofDownstream), upstream: reversed(ofUpstream) }
  const own = withoutPaired(downstream, inOriginal.downstream)
  const added = pairLists(own, withoutPaired(upstream, inOriginal.upstream), SAME_FUNCTION)
  const isAddedTwice = new Set(added.values())
  return [
    ...downstream.map((_, at) => {
      const from = inOriginal.downstream.get(at)
      return { downstream: at, original: from, upstream: from === undefined ? added.get(at) : ofUpstream.get(from) }
    }),
    ...places(original, (at) => !ofDownstream.has(at)).map((at) => ({ downstream: undefined, original: at, upstream: ofUpstream.get(at) })),
    ...places(upstream, (at) => !inOriginal.upstream.has(at) && !isAddedTwice.has(at)).map((at) => ({
      downstream: undefined,
      original: undefined,
      upstream: at,
    })),
  ]
}

/** The position in `to` of each function of `from` that is there; an earlier phase counts more. */
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

/** The positions of the functions that have a mark, but for those that are settled. */
function byMark(
  list: readonly (JsonValue | undefined)[],
  mark: Mark,
  settled: Pick<ReadonlySet<number>, 'has'>,
): ReadonlyMap<string | undefined, readonly number[]> {
  const marked = places(list, (at) => list[at] !== undefined && !settled.has(at)).map((at) => ({ at, mark: mark(list[at] ?? null) }))
  const positions = groupBy(
    marked.filter((each) => each.mark !== undefined),
    (each) => each.mark,
  )
  return new Map(Array.from(positions, ([key, each]) => [key, each.map(({ at }) => at)]))
}

/** The mark of functions without a name alone. */
const ofUnnamed =
  (mark: Mark): Mark =>
  (fn) =>
    nameOf(fn) === undefined ? mark(fn) : undefined

/** The mark of functions that people named; what a variant puts in front is a function of its own. */
const ofNamed =
  (mark: Mark): Mark =>
  (fn) =>
    nameOf(fn)?.startsWith(OWNED_FUNCTION_PREFIX) === false ? mark(fn) : undefined

const onBoth = (mark: Mark): Phase => ({ from: mark, to: mark })

/** Without name: by its whole content, by all but the version of its image, by its settings, and last by what it runs. */
const SAME_FUNCTION: readonly Phase[] = [
  onBoth(nameOf),
  ...[textOf, textOfAnyVersion, settingsOf].map((mark) => ({ ...onBoth(ofUnnamed(mark)), isOfAsMany: true })),
  onBoth(ofUnnamed(programOf)),
]

/** One that is named on one side only. */
const RENAMED: readonly Phase[] = [
  { from: ofUnnamed(programOf), to: ofNamed(programOf) },
  { from: ofNamed(programOf), to: ofUnnamed(programOf) },
]

/** Upstream's image in another registry: `gcr.io/kpt-fn/set-labels` → `ghcr.io/kptdev/krm-functions-catalog/set-labels`. */
const MOVED_IMAGE: readonly Phase[] = [onBoth(ofUnnamed((fn) => programOf(fn).replace(/^.*\//, '')))]

function nameOf(fn: JsonValue): string | undefined {
  return textIn(fn, 'name') || undefined
}

/** What a function runs: its program, or its image without tag and digest. */
function programOf(fn: JsonValue): string {
  return (
    textIn(fn, 'exec') ||
    textIn(fn, 'image')
      .replace(/@.*$/, '')
      .replace(/:[^/]*$/, '')
  )
}

function textOfAnyVersion(fn: JsonValue): string {
  return textOf({ ...asRecord(fn), image: programOf(fn) })
}

/** What a function runs, and the names of its settings: edits change values more often. */
function settingsOf(fn: JsonValue): string {
  const keys = Object.keys(asRecord(memberOf(fn, 'configMap'))).sort()
  return JSON.stringify([programOf(fn), textIn(fn, 'configPath'), ...keys])
}

function textIn(fn: JsonValue, key: string): string {
  const value = isRecord(fn) ? lookup(fn, key) : undefined
  return typeof value === 'string' ? value : ''
}

/** A text that is the same for equal values, whatever the order of their keys. */
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

/** The list with nothing in the place of each function that is paired. */
function withoutPaired(list: readonly JsonValue[], paired: ReadonlyMap<number, number>): readonly (JsonValue | undefined)[] {
  return list.map((fn, at) => (paired.has(at) ? undefined : fn))
}

function places(list: readonly unknown[], test: (at: number) => boolean): readonly number[] {
  return [...list.keys()].filter(test)
}
