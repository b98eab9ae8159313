import { MAX_STEPS, MAX_TEXT, MAX_WORK } from './limits.ts'

/** Reading a character is that much cheaper than evaluating a node. */
const CHARACTERS_PER_UNIT = 8

/** An evaluation that asked for more than a limit allows. The text says which. */
export class LimitExceeded extends Error {}

// Evaluation is synchronous, so one account serves all programs: `openBudget` starts it anew for each evaluation.
let steps = 0
let work = 0
let overdrawn: LimitExceeded | undefined

/** Starts the account of one evaluation. */
export function openBudget(): void {
  steps = 0
  work = 0
  overdrawn = undefined
}

/** The limit that this evaluation exceeded, also when an operator such as `||` went on without it. */
export function exceededLimit(): LimitExceeded | undefined {
  return overdrawn
}

/** Pays for reading or copying `units` characters or elements. Throws LimitExceeded. */
export function spend(units: number): void {
  work += units
  if (work > MAX_WORK) overdraw(`evaluation limit exceeded: ${MAX_WORK} units of work`)
}

/** Pays for one step of a comprehension that evaluates `nodes` nodes. Throws LimitExceeded. */
export function spendStep(nodes: number): void {
  steps += 1
  if (steps > MAX_STEPS) overdraw(`evaluation limit exceeded: ${MAX_STEPS} steps of comprehensions`)
  spend(nodes)
}

/** Checks the length of a string or of bytes about to be built. Throws LimitExceeded. */
export function checkLength(length: number): void {
  if (length > MAX_TEXT) overdraw(`evaluation limit exceeded: ${MAX_TEXT} characters in one string`)
}

function overdraw(message: string): never {
  overdrawn = new LimitExceeded(message)
  throw overdrawn
}

/** Pays for reading or copying a text of so many characters. Throws LimitExceeded. */
export function spendText(length: number): void {
  spend(length / CHARACTERS_PER_UNIT)
}
