import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../src/progress.ts'
import type { Host } from './host.ts'
import { ProgressMeter } from './print/progress.ts'

/** Milliseconds between looks at what else happens, Ctrl-C above all. */
const LOOK_UP = 50

/**
 * Runs long work step by step, shows its progress on stderr and returns its value. Ctrl-C ends the work, which then removes what it has
 * prepared.
 *
 * @param what  the noun of the counted things, such as `package`
 */
export async function advance<Value>(steps: Steps<Value>, what: string, host: Host): Promise<Value> {
  const meter = new ProgressMeter(host, what)
  host.onInterrupt(() => end(steps))
  let lookedUp = performance.now()
  try {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value
      meter.show(step.value.done, step.value.total)
      if (performance.now() - lookedUp < LOOK_UP) continue
      await setImmediate()
      lookedUp = performance.now()
    }
  } finally {
    meter.end()
  }
}

function end(steps: Steps<unknown>): void {
  try {
    steps.throw(new Error('interrupted'))
  } catch {
    // It is what was thrown.
  }
}
