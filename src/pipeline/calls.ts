import type { Progress } from '../progress.ts'
import type { FunctionAnswer, Runner } from './match.ts'
import { AT_ONCE, endPrograms } from './runners/program.ts'

/*
 * Work that calls functions is a generator: it yields each call and goes on with the answer. So one piece of code serves a caller that
 * blocks until the answer, and one that awaits the programs and containers of several packages at one time.
 *
 *   package 1   deploy ······ answer   its turn: findings, files
 *   package 2   deploy ··· answer      waits for its turn          its turn: findings, files
 *   package 3   deploy ········ answer                             waits for its turn          its turn: findings, files
 *
 * In its turn, a package sees all that the packages before it wrote. So output and findings never depend on how long a
 * program takes.
 */

/** A call of a function. */
export interface FunctionCall {
  readonly runner: Runner
  readonly input: string
}

const TURN = 'turn'

/** Work that yields the calls of functions, and the place where it needs its turn. */
export type Calls<Value> = Generator<FunctionCall | typeof TURN, Value, FunctionAnswer>

const NO_ANSWER: FunctionAnswer = { stdout: '', stderr: '', exitCode: undefined }

/** Goes on when the work on all packages before this one is done. */
export function* turn(): Calls<void> {
  yield TURN
}

/** Returns a value that needs no call. */
export function* known<Value>(value: Value): Calls<Value> {
  yield* []
  return value
}

/** Does work alone, and blocks until each answer. */
export function answered<Value>(calls: Calls<Value>): Value {
  let next = calls.next(NO_ANSWER)
  while (next.done !== true) next = calls.next(next.value === TURN ? NO_ANSWER : next.value.runner(next.value.input))
  return next.value
}

function laterAnswer({ runner, input }: FunctionCall): Promise<FunctionAnswer> | FunctionAnswer {
  return (runner.later ?? runner)(input)
}

/** The packages that may have begun, for each program at one time: a slow program keeps only its own package from being done. */
const BEGUN_PER_PROGRAM = 4

/**
 * Works on items in their order, several at one time while their functions run in other processes, and yields the progress. A caller that
 * cannot wait has one call after the other.
 *
 * @param begin  begins the work on an item
 * @param take   called with the result of each item, in the order of the items; returns false to leave out the others
 */
export function* inTurns<Item, Value>(
  items: readonly Item[],
  begin: (item: Item) => Calls<Value>,
  take: (value: Value, item: Item) => boolean,
): Generator<Progress, void> {
  const total = items.length
  const begun: Work<Item, Value>[] = []
  let next = 0
  try {
    for (let done = 0; done < total; ) {
      yield { done, total }
      // Where no function needs a program, a package is done before the next one begins.
      while (next < total && begun[0]?.isDone !== true && begun.length < AT_ONCE * BEGUN_PER_PROGRAM) {
        begun.push(...items.slice(next, next + 1).map((item) => new Work(item, begin(item))))
        next++
        begun[0]?.takeTurn()
      }
      const [first] = begun
      if (first === undefined) return
      if (first.isDone) {
        begun.shift()
        if (!take(first.value, first.item)) return
        done++
        begun[0]?.takeTurn()
        continue
      }
      yield* goOn(first, begun, { done, total })
    }
  } finally {
    if (begun.length > 0) endPrograms()
  }
}

/** Waits for an answer, if the caller can wait; else calls the function of the first package. */
function* goOn(first: Work<unknown, unknown>, begun: readonly Work<unknown, unknown>[], progress: Progress): Generator<Progress, void> {
  let hasWaited = false
  const wait = (): Promise<void> => {
    hasWaited = true
    return waitForOne(begun)
  }
  yield { ...progress, wait }
  if (hasWaited) for (const work of begun) work.goOn()
  else first.answerNow()
}

/** Calls the functions that work waits for, as many at one time as programs may run, and resolves when one has answered. */
async function waitForOne(begun: readonly Work<unknown, unknown>[]): Promise<void> {
  const running = begun.filter(({ isRunning }) => isRunning).length
  for (const work of begun.filter(({ isReady }) => isReady).slice(0, AT_ONCE - running)) work.call()
  await Promise.race(begun.flatMap(({ answer }) => answer ?? []))
}

/** The work on one item, up to the call or the turn that it waits for. */
class Work<Item, Value> {
  readonly item: Item
  readonly #calls: Calls<Value>
  #hasTurn = false
  #wanted: FunctionCall | typeof TURN | undefined
  #answer: Promise<void> | undefined
  #answered: FunctionAnswer | undefined
  #end: (() => Value) | undefined

  constructor(item: Item, calls: Calls<Value>) {
    this.item = item
    this.#calls = calls
    this.#go(NO_ANSWER)
  }

  get isDone(): boolean {
    return this.#end !== undefined
  }

  /** The result. @throws  what the work threw: a fault is one of this item, and has its turn too */
  get value(): Value {
    if (this.#end === undefined) throw new Error('work that is not done has no value')
    return this.#end()
  }

  /** True while the function of this work runs. */
  get isRunning(): boolean {
    return this.#answer !== undefined
  }

  /** True for work with a function that was not called yet. */
  get isReady(): boolean {
    return this.#wanted !== undefined && this.#wanted !== TURN && this.#answer === undefined
  }

  /** Resolves when the function has answered; undefined if none was called. */
  get answer(): Promise<void> | undefined {
    return this.#answer
  }

  takeTurn(): void {
    this.#hasTurn = true
    if (this.#wanted === TURN) this.#go(NO_ANSWER)
  }

  /** Calls the wanted function in another process. */
  call(): void {
    const wanted = this.#wanted
    if (wanted === undefined || wanted === TURN) return
    this.#answer = Promise.resolve(laterAnswer(wanted)).then((answer) => {
      this.#answered = answer
    })
  }

  /** Goes on with the answer of the function, if there is one. */
  goOn(): void {
    const answer = this.#answered
    if (answer !== undefined) this.#go(answer)
  }

  /** Blocks until the wanted function has answered. */
  answerNow(): void {
    const wanted = this.#wanted
    if (wanted !== undefined && wanted !== TURN) this.#go(wanted.runner(wanted.input))
  }

  /** Goes on until the work waits for something. */
  #go(answer: FunctionAnswer): void {
    this.#wanted = undefined
    this.#answer = undefined
    this.#answered = undefined
    try {
      let next = this.#calls.next(answer)
      for (; next.done !== true; next = this.#calls.next(next.value === TURN ? NO_ANSWER : next.value.runner(next.value.input))) {
        const isWaiting = next.value === TURN ? !this.#hasTurn : next.value.runner.later !== undefined
        if (!isWaiting) continue
        this.#wanted = next.value
        return
      }
      const { value } = next
      this.#end = () => value
    } catch (error) {
      this.#end = () => {
        throw error
      }
    }
  }
}
