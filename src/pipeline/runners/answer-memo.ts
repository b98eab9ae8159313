import { createHash } from 'node:crypto'
import type { FunctionAnswer, Runner } from '../match.ts'

/** The most characters of answers that are kept. */
const MOST_CHARACTERS = 256 * 1024 * 1024

/**
 * The answers of functions in other processes in one run of the tool. Functions are pure, and starting a container takes a second: packages
 * with equal lists share one call, also while it runs.
 */
export class AnswerMemo {
  readonly #answers = new Map<string, FunctionAnswer>()
  readonly #running = new Map<string, Promise<FunctionAnswer>>()
  #characters = 0

  /**
   * Returns a runner that calls the given one once for each list; the runner itself if its function runs in this process.
   *
   * @param name  equal for runners that give equal answers to equal input
   */
  wrap(name: string, runner: Runner): Runner {
    const { later } = runner
    if (later === undefined) return runner
    const keyOf = (input: string): string => createHash('sha256').update(`${name}\n${input}`).digest('base64')
    const now = (input: string): FunctionAnswer => {
      const key = keyOf(input)
      return this.#answers.get(key) ?? this.#keep(key, runner(input))
    }
    const awaited = async (input: string): Promise<FunctionAnswer> => {
      const key = keyOf(input)
      const known = this.#answers.get(key) ?? this.#running.get(key)
      if (known !== undefined) return known
      const running = later(input).then((answer) => this.#keep(key, answer))
      this.#running.set(key, running)
      return running.finally(() => this.#running.delete(key))
    }
    return Object.assign(now, { later: awaited })
  }

  #keep(key: string, answer: FunctionAnswer): FunctionAnswer {
    const characters = answer.stdout.length + answer.stderr.length
    if (this.#characters + characters <= MOST_CHARACTERS) {
      this.#answers.set(key, answer)
      this.#characters += characters
    }
    return answer
  }
}
