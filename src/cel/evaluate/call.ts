import type { Implementation } from '../builtins/functions.ts'
import type { Value } from '../value.ts'
import { type Closure, NoValue, noValue } from './closure.ts'

/** Calls a function of one argument; what it throws is a failure at the offset. */
export function callUnary(run: Implementation, argument: Closure, offset: number): Closure {
  return (frame) => {
    const value = argument(frame)
    if (value instanceof NoValue) return value
    try {
      return run(value)
    } catch (cause) {
      return noValue(cause, offset)
    }
  }
}

/** Calls a function of two arguments; the first that has no value stands for the result. */
export function callBinary(run: Implementation, left: Closure, right: Closure, offset: number): Closure {
  return (frame) => {
    const first = left(frame)
    if (first instanceof NoValue) return first
    const second = right(frame)
    if (second instanceof NoValue) return second
    try {
      return run(first, second)
    } catch (cause) {
      return noValue(cause, offset)
    }
  }
}

/** Makes a value of many, as lists and maps are made. */
export function callAll(make: (values: readonly Value[]) => Value, parts: readonly Closure[], offset: number): Closure {
  return (frame) => {
    const values: Value[] = []
    for (const part of parts) {
      const value = part(frame)
      if (value instanceof NoValue) return value
      values.push(value)
    }
    try {
      return make(values)
    } catch (cause) {
      return noValue(cause, offset)
    }
  }
}
