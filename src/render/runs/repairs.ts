import type { FieldPath } from '../../field-path.ts'
import { asList, asRecord, equalJson, isJsonList, isRecord, type JsonValue, memberOf } from '../../json.ts'

/** A value that a faulty field gets; undefined for a field or entry that goes. */
interface Repair {
  readonly path: FieldPath
  readonly value: JsonValue | undefined
}

/**
 * Returns the repairs of the faulty fields of a value: each gets its former value back, and what was made around a fault goes as a whole.
 * An entry of a list is repaired by the former entry that it was, wherever that was in the list; a faulty entry that is new goes alone.
 * The repairs are in the order in which they can be made: a list is shortened from its end.
 *
 * @param was     the former value; undefined if there was none
 * @param now     the value with the faults
 * @param faults  the paths of the faults, from the value
 */
export function repairsOf(
  was: JsonValue | undefined,
  now: JsonValue | undefined,
  faults: readonly FieldPath[],
  at: FieldPath = [],
): readonly Repair[] {
  const isMade = was === undefined || was === null
  if (isJsonList(now) && (isMade || isJsonList(was)) && faults.every((fault) => fault.length > 0)) {
    const repairs = repairsOfList(asList(was), now, faults, at)
    const isGone = isMade && repairs.filter(({ path, value }) => value === undefined && path.length === at.length + 1).length === now.length
    return isGone ? [{ path: at, value: was }] : repairs
  }
  if (!isRecord(now) || !isRecord(was) || faults.some((fault) => fault.length === 0)) return [{ path: at, value: was }]
  return [...new Set(faults.map(([key = '']) => key))].flatMap((key) => {
    return repairsOf(memberOf(was, key), memberOf(now, key), below(faults, key), [...at, key])
  })
}

function below(faults: readonly FieldPath[], key: string | number): readonly FieldPath[] {
  return faults.flatMap(([first, ...rest]) => (first === key ? [rest] : []))
}

function repairsOfList(
  was: readonly JsonValue[],
  now: readonly JsonValue[],
  faults: readonly FieldPath[],
  at: FieldPath,
): readonly Repair[] {
  const faulty = new Set(faults.map(([index]) => Number(index)))
  const pairs = pairFormer(was, now, faulty)
  const repairs = [...faulty].flatMap((index): readonly Repair[] => {
    const entry = now[index]
    const [former, isSame] = pairs.get(index) ?? [undefined, false]
    if (former !== undefined && entry !== undefined && equalJson(former, entry)) return []
    return isSame ? repairsOf(former, entry, below(faults, index), [...at, index]) : [{ path: [...at, index], value: former }]
  })
  const goes = ({ path, value }: Repair): boolean => value === undefined && path.length === at.length + 1
  return [
    ...repairs.filter((repair) => !goes(repair)),
    ...repairs.filter(goes).sort((a, b) => Number(b.path.at(-1)) - Number(a.path.at(-1))),
  ]
}

/**
 * Returns the former entry of each faulty entry by its index, and true if the two have a value in common. An entry that a sound one
 * continues is of no other. What is left is taken in order, so that no entry of before is lost.
 */
function pairFormer(
  was: readonly JsonValue[],
  now: readonly JsonValue[],
  faulty: ReadonlySet<number>,
): ReadonlyMap<number, readonly [former: JsonValue, isSame: boolean]> {
  const pairs = new Map<number, readonly [JsonValue, boolean]>()
  const free = new Set(was.keys())
  const sound = now.flatMap((_, index) => (faulty.has(index) ? [] : [index]))
  const open = new Set([...sound, ...[...faulty].sort((a, b) => a - b)])
  const pair = (isFormer: (former: number, index: number) => boolean) => {
    for (const index of open) {
      const former = [...free].find((each) => isFormer(each, index))
      if (former === undefined) continue
      free.delete(former)
      open.delete(index)
      pairs.set(index, [was[former] ?? null, hasCommon(was[former], now[index])])
    }
  }
  pair((former, index) => equalJson(was[former], now[index]))
  for (const key of ['name', 'image', 'exec']) pair((former, index) => hasSame(key, was[former], now[index]))
  for (const index of sound) open.delete(index)
  pair((former, index) => former === index)
  pair(() => true)
  return pairs
}

function hasCommon(former: JsonValue | undefined, entry: JsonValue | undefined): boolean {
  return equalJson(former, entry) || Object.keys(asRecord(former)).some((key) => hasSame(key, former, entry))
}

function hasSame(key: string, former: JsonValue | undefined, entry: JsonValue | undefined): boolean {
  const value = asRecord(former)[key]
  return value !== undefined && equalJson(value, asRecord(entry)[key])
}
