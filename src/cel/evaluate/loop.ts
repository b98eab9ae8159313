import { spendStep } from '../budget.ts'
import { rangeOf } from '../builtins/access.ts'
import type { CelValue } from '../value.ts'
import { asFailed, type Closure, type EvaluationFrame, type EvaluationResult, NoValue, noValue } from './closure.ts'

/** The parts of every loop. */
export interface Loop {
  readonly range: Closure
  readonly rangeOffset: number
  /** The index of its variable among the locals. */
  readonly variable: number
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

export function foldComprehension({ accumulator, initial, condition, step, result, ...loop }: Fold): Closure {
  return overItems(loop, (items, frame) => {
    const { locals } = frame
    locals[accumulator] = initial(frame)
    for (const item of items) {
      spendStep(loop.weight)
      locals[loop.variable] = item
      if (condition(frame) === false) break
      locals[accumulator] = step(frame)
    }
    return result(frame)
  })
}

/** A loop that makes a list: `map` and `filter`. */
interface Collection extends Loop {
  /** The condition of the items that count; undefined when all items count. */
  readonly test: Closure | undefined
  readonly element: Closure
  readonly offset: number
}

/**
 * Evaluates a loop that makes a list, `map` and `filter`. As in cel-go, a later failure of the test replaces an earlier one, and no element
 * is evaluated after a failure.
 */
export function collect({ test, element, offset, ...loop }: Collection): Closure {
  return overItems(loop, (items, frame) => {
    const elements: CelValue[] = []
    let failed: NoValue | undefined
    for (const item of items) {
      spendStep(loop.weight)
      frame.locals[loop.variable] = item
      const passes = test === undefined || test(frame)
      if (typeof passes !== 'boolean') failed = asFailed(passes, offset)
      if (passes !== true || failed !== undefined) continue
      const made = element(frame)
      if (made instanceof NoValue) failed = made
      else elements.push(made)
    }
    return failed ?? elements
  })
}

function overItems({ range, rangeOffset }: Loop, run: (items: Iterable<CelValue>, frame: EvaluationFrame) => EvaluationResult): Closure {
  return (frame) => {
    const value = range(frame)
    if (value instanceof NoValue) return value
    const items = itemsOf(value, rangeOffset)
    return items instanceof NoValue ? items : run(items, frame)
  }
}

function itemsOf(value: CelValue, offset: number): Iterable<CelValue> | NoValue {
  try {
    return rangeOf(value)
  } catch (cause) {
    return noValue(cause, offset)
  }
}
