/** The progress of a piece of work: steps done, and steps in total. */
export interface Progress {
  readonly done: number
  readonly total: number
  /**
   * Starts work in other processes and resolves at its end. A caller that cannot wait goes on: the work is done later, one piece after the
   * other.
   *
   * @param note  called with the numbers of finished and of all pieces
   */
  readonly wait?: (note: (done: number, total: number) => void) => Promise<void>
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
