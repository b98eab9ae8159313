/** How far a piece of work is. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** Long work, step by step, so that whoever has it done can say how far it is. */
export type Steps<Value> = Generator<Progress, Value>

/** Does all of it at once. */
export function finish<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
