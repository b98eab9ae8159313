import { remember } from '../remember.ts'
/** Values that are known of two things together, for as long as both things are in use. */
export class ByPair<Thing extends object, Value> {
  readonly #known = new WeakMap<Thing, WeakMap<Thing, Value>>()

  /** Returns the value of a pair, which is found once. */
  of(before: Thing, after: Thing, find: () => Value): Value {
    return this.get(before, after) ?? this.set(before, after, find())
  }

  get(before: Thing, after: Thing): Value | undefined {
    return this.#known.get(before)?.get(after)
  }

  set(before: Thing, after: Thing, value: Value): Value {
    remember(this.#known, before, () => new WeakMap<Thing, Value>()).set(after, value)
    return value
  }
}
