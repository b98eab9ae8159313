import { MAX_WORK, spend } from '../budget.ts'
import { equal, ORDER_OPERATORS } from '../builtins/comparison.ts'
import { EvaluationFailure, noSignature } from '../builtins/failure.ts'
import { type CelValue, isCelList, kindOf, type ListValue } from '../value.ts'

type ListFunction = (...args: readonly CelValue[]) => CelValue

/** The functions of cel-go's extension libraries of lists, version 3, and of sets. */
export const LIST_FUNCTIONS: ReadonlyMap<string, ListFunction> = new Map<string, ListFunction>([
  ['slice', slice],
  ['flatten', (list, depth = 1n) => flatten(listOf('flatten', list), wholeOf('flatten', depth))],
  ['distinct', (list) => distinct(listOf('distinct', list))],
  ['reverse', (list) => copied(listOf('reverse', list)).reverse()],
  ['sort', (list) => sortBy(listOf('sort', list), listOf('sort', list))],
  ['@sortByAssociatedKeys', (list, keys) => sortBy(listOf('sortBy', list), listOf('sortBy', keys))],
  ['lists.range', (size) => range(wholeOf('lists.range', size))],
  ['sets.contains', (list, part) => containsAll(listOf('sets.contains', list), listOf('sets.contains', part))],
  [
    'sets.equivalent',
    (list, other) => {
      const [a, b] = [listOf('sets.equivalent', list), listOf('sets.equivalent', other)]
      return containsAll(a, b) && containsAll(b, a)
    },
  ],
  ['sets.intersects', (list, other) => listOf('sets.intersects', list).some((value) => holds(listOf('sets.intersects', other), value))],
])

function listOf(name: string, value: CelValue | undefined): ListValue {
  if (value === undefined || !isCelList(value)) throw noSignature(name, [value ?? null])
  return value
}

/** Returns a whole number. @throws EvaluationFailure  for any other value */
export function wholeOf(name: string, value: CelValue | undefined): number {
  if (typeof value !== 'bigint') throw noSignature(name, [value ?? null])
  return Number(value)
}

function copied(list: ListValue): CelValue[] {
  spend(list.length)
  return [...list]
}

function slice(...[list, from, to]: readonly CelValue[]): ListValue {
  const values = listOf('slice', list)
  const [start, end] = [wholeOf('slice', from), wholeOf('slice', to)]
  const asked = `cannot slice(${start}, ${end})`
  if (start < 0 || end < 0) throw new EvaluationFailure(`${asked}, negative indexes not supported`)
  if (start > end) throw new EvaluationFailure(`${asked}, start index must be less than or equal to end index`)
  if (values.length < end) throw new EvaluationFailure(`${asked}, list is length ${values.length}`)
  spend(end - start)
  return values.slice(start, end)
}

function flatten(list: ListValue, depth: number): ListValue {
  if (depth < 0) throw new EvaluationFailure('level must be non-negative')
  const flat: CelValue[] = []
  addFlat(list, depth, flat)
  return flat
}

/** Adds the elements of a list to another one, which is the same for all levels: a list may hold another one often. */
function addFlat(list: ListValue, depth: number, flat: CelValue[]): void {
  spend(WORK_OF_LIST + list.length)
  for (const value of list) {
    if (depth > 0 && isCelList(value)) addFlat(value, depth - 1, flat)
    else flat.push(value)
  }
}

/** Units of work for a loop through a list, however short it is. */
const WORK_OF_LIST = 4

/** Returns the elements that equal no earlier one. */
function distinct(list: ListValue): ListValue {
  const found: CelValue[] = []
  for (const value of list) if (!holds(found, value)) found.push(value)
  return found
}

const COMPARABLE: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'int',
  'string',
  'uint',
])

/** Returns a list in the order of its keys. */
function sortBy(list: ListValue, keys: ListValue): ListValue {
  if (list.length !== keys.length) throw new EvaluationFailure('the list must have as many elements as keys')
  const [first] = keys
  if (first === undefined) return list
  const kind = kindOf(first)
  if (!COMPARABLE.has(kind)) throw new EvaluationFailure('list elements must be comparable')
  if (keys.some((key) => kindOf(key) !== kind)) throw new EvaluationFailure('list elements must have the same type')
  spend(list.length * Math.ceil(Math.log2(list.length + 1)))
  const isBelow = ORDER_OPERATORS.get('_<_') ?? (() => false)
  const pairs = list.map((value, at) => ({ value, key: keys[at] ?? null }))
  return pairs.sort((a, b) => (isBelow(a.key, b.key) ? -1 : isBelow(b.key, a.key) ? 1 : 0)).map(({ value }) => value)
}

/** Returns the numbers below a size: none below a negative one, which cel-go refuses from 0.29 on only. */
function range(size: number): ListValue {
  const length = Math.max(size, 0)
  // What is more than one evaluation may cost is no cost of the other evaluations of the run.
  spend(Math.min(length, MAX_WORK + 1))
  return Array.from({ length }, (_, index) => BigInt(index))
}

function containsAll(list: ListValue, part: ListValue): boolean {
  return part.every((value) => holds(list, value))
}

function holds(list: ListValue, value: CelValue): boolean {
  return list.some((each) => {
    spend(1)
    return equal(each, value)
  })
}
