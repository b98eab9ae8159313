import { spendStep } from '../budget.ts'
import { rangeOf } from '../builtins/access.ts'
import { insertEntries } from '../extensions/optional-functions.ts'
import { type CelValue, isMap } from '../value.ts'
import { asFailed, type Closure, type EvaluationFrame, type EvaluationResult, NoValue, noValue } from './closure.ts'

/** The parts of every loop. */
export interface Loop {
  readonly range: Closure
  readonly rangeOffset: number
  /** The index of its variable among the locals. */
  readonly variable: number
  /** True for two variables, the second of which is behind the first among the locals. */
  readonly hasSecond: boolean
  /** The work of one step. */
  readonly weight: number
}

/** A loop with an accumulator among the locals, which may hold a failure during the loop: `all`, `exists`, `exists_one`. */
interface Fold extends Loop {
  readonly accumulator: number
  readonly initial: Closure
  readonly condition: Closure
  readonly step: Closure
  readonly result: Closure
}

/** Evaluates a loop with an accumulator. */
export function foldComprehension({ accumulator, initial, condition, step, result, ...loop }: Fold): Closure {
  return overItems(loop, (items, frame) => {
    const { locals } = frame
    locals[accumulator] = initial(frame)
    for (const item of items) {
      spendStep(loop.weight)
      bind(loop, item, locals)
      if (condition(frame) === false) break
      locals[accumulator] = step(frame)
    }
    return result(frame)
  })
}

/** A loop that makes a list or a map: `map`, `filter`, `transformList`, `transformMap`. */
interface Collection extends Loop {
  /** The condition of the items that count; undefined when all items count. */
  readonly test: Closure | undefined
  readonly start: () => Collector
  readonly offset: number
}

/** The collection of one evaluation. */
interface Collector {
  readonly collected: CelValue
  /** Adds what the item in the frame gives; returns the failure of an item that gives nothing. */
  add(frame: EvaluationFrame): NoValue | undefined
}

/**
 * Evaluates a loop that makes a list or a map. As in cel-go, a later failure of the test replaces an earlier one, and no element is
 * evaluated after a failure.
 */
export function collect({ test, start, offset, ...loop }: Collection): Closure {
  return overItems(loop, (items, frame) => {
    const collector = start()
    let failed: NoValue | undefined
    for (const item of items) {
      spendStep(loop.weight)
      bind(loop, item, frame.locals)
      const passes = test === undefined || test(frame)
      if (typeof passes !== 'boolean') failed = asFailed(passes, offset)
      if (passes === true && failed === undefined) failed = collector.add(frame)
    }
    return failed ?? collector.collected
  })
}

/** Returns what collects the elements of a list. */
export function listCollector([element]: readonly Closure[]): () => Collector {
  if (element === undefined) throw new Error('an element of a list has a value')
  return () => {
    const collected: CelValue[] = []
    const add = (frame: EvaluationFrame) => {
      const made = element(frame)
      if (made instanceof NoValue) return made
      collected.push(made)
      return undefined
    }
    return { collected, add }
  }
}

/**
 * Returns what collects the entries of a map.
 *
 * @param made  the key and the value of an entry, or a map with entries
 */
export function mapCollector(made: readonly Closure[], offset: number): () => Collector {
  return () => {
    const collected = new Map<CelValue, CelValue>()
    const add = (frame: EvaluationFrame) => {
      const values: CelValue[] = []
      for (const part of made) {
        const value = part(frame)
        if (value instanceof NoValue) return value
        values.push(value)
      }
      try {
        insertEntries(collected, values)
        return undefined
      } catch (cause) {
        return noValue(cause, offset)
      }
    }
    return { collected, add }
  }
}

/** An element or key; for two variables the index and the element, or the key and the value. */
type Item = CelValue | Pair

class Pair {
  readonly first: CelValue
  readonly second: CelValue

  constructor(first: CelValue, second: CelValue) {
    this.first = first
    this.second = second
  }
}

function bind({ variable }: Loop, item: Item, locals: EvaluationResult[]): void {
  if (!(item instanceof Pair)) {
    locals[variable] = item
    return
  }
  locals[variable] = item.first
  locals[variable + 1] = item.second
}

function overItems(
  { range, rangeOffset, hasSecond }: Loop,
  run: (items: Iterable<Item>, frame: EvaluationFrame) => EvaluationResult,
): Closure {
  return (frame) => {
    const value = range(frame)
    if (value instanceof NoValue) return value
    const items = itemsOf(value, rangeOffset, hasSecond)
    if (items instanceof NoValue) return items
    return run(hasSecond ? pairsOf(items, value) : items, frame)
  }
}

function* pairsOf(items: Iterable<CelValue>, range: CelValue): Iterable<Pair> {
  let index = 0n
  for (const item of items) yield isMap(range) ? new Pair(item, range.get(item) ?? null) : new Pair(index++, item)
}

function itemsOf(value: CelValue, offset: number, hasSecond: boolean): Iterable<CelValue> | NoValue {
  try {
    return rangeOf(value, hasSecond)
  } catch (cause) {
    return noValue(cause, offset)
  }
}
