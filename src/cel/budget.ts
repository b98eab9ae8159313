import { MAX_RUN_WORK, MAX_STEPS, MAX_TEXT, MAX_WORK } from './limits.ts'

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

/** The account of all evaluations of one run. Whoever starts the run makes one, and compiles every expression of the run with it. */
export class RunBudget {
  #work = 0

  /** Throws LimitExceeded when the evaluations so far took all. */
  check(): void {
    if (this.#work > MAX_RUN_WORK) throw new LimitExceeded(`run limit exceeded: ${MAX_RUN_WORK} units of work in all evaluations`)
  }

  /** Takes what the evaluation that just ended has paid, and `nodes` for what it evaluated outside of loops. */
  charge(nodes: number): void {
    this.#work += nodes + account.work
  }
}
