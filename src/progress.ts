/** The progress of a piece of work: steps done, and steps in total. */
export interface Progress {
  readonly done: number
  readonly total: number
  /**
   * Starts work in other processes and resolves when a piece of it is done. A caller that cannot wait goes on: the work is done later, one
   * piece after the other.
   */
  readonly wait?: () => Promise<void>
}

/** Long work in steps, so that the caller can report the progress. */
export type Steps<Value> = Generator<Progress, Value>

/** Runs all steps and returns the value of the last one. */
export function finish<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
