import type { Steps } from '../../progress.ts'

/** Runs steps to their end, and waits for each piece of work in other processes, as the tool does. */
export async function waited<Value>(work: Steps<Value>): Promise<Value> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await step.value.wait?.()
  }
}
