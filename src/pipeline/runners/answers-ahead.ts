import { createHash } from 'node:crypto'
import type { FunctionAnswer, Runner } from '../match.ts'
import { AT_ONCE } from './program.ts'

/** A call that must be made before the work can go on. It is thrown, and no Error, since its stack is never read. */
class WantedCall {}

/** A function in another process, and the list that it is called with. */
interface Call {
  readonly later: NonNullable<Runner['later']>
  readonly input: string
}

/** The most characters of answers that are kept. Later calls are made one after the other. */
const MOST_CHARACTERS = 256 * 1024 * 1024

/**
 * Answers of functions in other processes, called before they are needed: packages are rendered one after the other, but their programs and
 * containers can run at the same time. Work is tried until it needs an unknown answer; when all work was tried, the wanted calls are made
 * together, and the work is tried again.
 */
export class AnswersAhead {
  readonly #answers = new Map<string, FunctionAnswer>()
  #wanted = new Map<string, Call>()
  /** The calls that have not begun, the last one first. */
  #calls: (readonly [string, Call])[] = []
  #isTrying = false
  #characters = 0

  /**
   * Returns a runner that takes known answers; the runner itself if its function runs in this process.
   *
   * @param name  equal for runners that give equal answers to equal input
   */
  wrap(name: string, runner: Runner): Runner {
    const { later } = runner
    if (later === undefined) return runner
    const answer = (input: string): FunctionAnswer => {
      const key = createHash('sha256').update(`${name}\n${input}`).digest('base64')
      const known = this.#answers.get(key)
      if (known !== undefined) return known
      if (!this.#isTrying) return runner(input)
      this.#wanted.set(key, { later, input })
      throw new WantedCall()
    }
    return Object.assign(answer, { later })
  }

  /** Returns true if the work could be done with the known answers; else its next call is wanted. Throws what the work throws. */
  tries(work: () => void): boolean {
    this.#isTrying = true
    try {
      work()
      return true
    } catch (error) {
      if (!(error instanceof WantedCall)) throw error
      return false
    } finally {
      this.#isTrying = false
    }
  }

  /** Forgets the wanted calls, and those that have not begun. */
  forgetWanted(): void {
    this.#wanted.clear()
    this.#calls = []
  }

  /** True if answers may be kept, and calls are wanted. */
  get isWorthCalling(): boolean {
    return this.#wanted.size > 0 && this.#characters < MOST_CHARACTERS
  }

  /**
   * Makes the wanted calls, as many at one time as the machine has cores, but at most eight.
   *
   * @param note  called after each call with the numbers of finished and of all calls
   */
  async callWanted(note: (done: number, total: number) => void): Promise<void> {
    const total = this.#wanted.size
    this.#calls = [...this.#wanted].reverse()
    this.#wanted = new Map()
    let done = 0
    const work = async (): Promise<void> => {
      for (let call = this.#calls.pop(); call !== undefined; call = this.#calls.pop()) {
        const [key, { later, input }] = call
        this.#keep(key, await later(input))
        note(++done, total)
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, total) }, work))
  }

  #keep(key: string, answer: FunctionAnswer): void {
    this.#answers.set(key, answer)
    this.#characters += answer.stdout.length + answer.stderr.length
  }
}
