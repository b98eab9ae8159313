import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../src/progress.ts'
import { countOf } from '../src/wording.ts'
import type { Host } from './host.ts'

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
      const { done, total, wait } = step.value
      meter.show(done, total)
      await wait?.()
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

/** The milliseconds between two reports of progress: on a terminal, and in a log. */
const TERMINAL_INTERVAL = 100
const LOG_INTERVAL = 60_000
const BAR_WIDTH = 30
const SECOND = 1000
const MINUTE = 60

/** Reports the progress of a long run on stderr: a bar on a terminal, a line a minute elsewhere. */
export class ProgressMeter {
  readonly #host: Pick<Host, 'warn' | 'draw' | 'isErrorTerminal'>
  readonly #what: string
  readonly #now: () => number
  readonly #start: number
  #reported: number

  /**
   * @param what  the noun of the counted things, such as `package`
   * @param now   a clock in milliseconds
   */
  constructor(host: Pick<Host, 'warn' | 'draw' | 'isErrorTerminal'>, what: string, now: () => number = () => performance.now()) {
    this.#host = host
    this.#what = what
    this.#now = now
    this.#start = now()
    this.#reported = this.#start
  }

  /** Reports the progress, if enough time has passed since the last report. */
  show(done: number, total: number): void {
    const now = this.#now()
    const { isErrorTerminal, warn, draw } = this.#host
    if (now - this.#reported < (isErrorTerminal ? TERMINAL_INTERVAL : LOG_INTERVAL)) return
    this.#reported = now
    const rate = (done / (now - this.#start)) * SECOND
    const counted = countOf(total, this.#what)
    if (isErrorTerminal) draw(`\r${barOf(done / total)} ${done}/${counted}, ${describePace(rate, total - done)}\u001B[K`)
    else warn(`${done} of ${counted}, ${describePace(rate, total - done)}\n`)
  }

  /** Removes the bar. */
  end(): void {
    if (this.#host.isErrorTerminal && this.#reported > this.#start) this.#host.draw('\r\u001B[K')
  }
}

function barOf(share: number): string {
  const filled = Math.floor(share * BAR_WIDTH)
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`
}

/** Returns the pace and the time left: `120 a second, 15 s left`. */
function describePace(rate: number, left: number): string {
  if (rate === 0) return '0 a second'
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second, ${describeTime(Math.ceil(left / rate))} left`
}

function describeTime(seconds: number): string {
  return seconds < MINUTE ? `${seconds} s` : `${Math.floor(seconds / MINUTE)} min ${seconds % MINUTE} s`
}
