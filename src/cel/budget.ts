/** Code points of one expression (cel-go's own limit). */
export const MAX_CODE_POINTS = 100_000

/** Levels of nesting, and operators in one chain (cel-go's own limit). */
export const MAX_NESTING = 250

/** Nodes of one static type. Comprehensions can double a type at each step; real ones have fewer than ten. */
export const MAX_TYPE_SIZE = 1_000

/** Steps of all comprehensions of one evaluation. */
export const MAX_STEPS = 1_000_000

/** Characters (UTF-16 units) of one string, bytes of one byte string: 1 MB. */
export const MAX_TEXT = 1_000_000

/** Nodes evaluated in loops, characters and elements read or copied in one evaluation: what keeps it under a second. */
export const MAX_WORK = 8_000_000

/** Units of work of all evaluations of one run: as many as twenty of the dearest evaluations take. */
export const MAX_RUN_WORK = 20 * MAX_WORK

/** Instructions of one regular expression. Its automaton may hold thousands of states of this size. */
export const MAX_REGEX_SIZE = 2_000
/** Reading a character is that much cheaper than evaluating a node. */
const CHARACTERS_PER_UNIT = 8

/** The error of an evaluation that exceeds a limit, which the text names. Every operator ends with it, even `||` and `&&`. */
export class LimitExceeded extends Error {}

// Evaluation is synchronous, so one account serves all programs: `openBudget` starts it anew for each evaluation.
const account = { steps: 0, work: 0 }

/** Starts the account of one evaluation. */
export function openBudget(): void {
  account.steps = 0
  account.work = 0
}

/** Pays for reading or copying `units` characters or elements. Throws LimitExceeded. */
export function spend(units: number): void {
  account.work += units
  if (account.work > MAX_WORK) throw new LimitExceeded(`evaluation limit exceeded: ${MAX_WORK} units of work`)
}

/** Pays for one step of a comprehension that evaluates `nodes` nodes. Throws LimitExceeded. */
export function spendStep(nodes: number): void {
  account.steps += 1
  if (account.steps > MAX_STEPS) throw new LimitExceeded(`evaluation limit exceeded: ${MAX_STEPS} steps of comprehensions`)
  spend(nodes)
}

/** Checks the length of a string or of bytes about to be built. Throws LimitExceeded. */
export function checkLength(length: number): void {
  if (length > MAX_TEXT) throw new LimitExceeded(`evaluation limit exceeded: ${MAX_TEXT} characters in one string`)
}

/** Pays for reading or copying a text of so many characters. Throws LimitExceeded. */
export function spendText(length: number): void {
  spend(length / CHARACTERS_PER_UNIT)
}

/** The account of all evaluations of one run. The caller makes one for each run, and compiles every expression of the run with it. */
export class RunBudget {
  readonly #limit: number
  readonly #whole: RunBudget | undefined
  #work = 0

  /**
   * @param limit  the units of work of all evaluations
   * @param whole  the account of a larger run that this one is a part of
   */
  constructor(limit = MAX_RUN_WORK, whole?: RunBudget) {
    this.#limit = limit
    this.#whole = whole
  }

  /** True when the evaluations so far took all: every further evaluation fails. */
  get isSpent(): boolean {
    return this.#work > this.#limit || this.#whole?.isSpent === true
  }

  /** True when the larger run took all, and this part of it did not. */
  get isSpentByOthers(): boolean {
    return this.#work <= this.#limit && this.#whole?.isSpent === true
  }

  /** Throws LimitExceeded when the evaluations so far took all. */
  check(): void {
    if (this.#work > this.#limit) throw new LimitExceeded(`run limit exceeded: ${this.#limit} units of work in all evaluations`)
    this.#whole?.check()
  }

  /** Takes what the evaluation that just ended has paid, and `nodes` for what it evaluated outside of loops. */
  charge(nodes: number): void {
    this.#work += nodes + account.work
    this.#whole?.charge(nodes)
  }
}
