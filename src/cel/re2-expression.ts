import type { RE2JS } from '@bufbuild/re2'
import { MAX_REGEX_SIZE } from './budget.ts'
import { compileRe2, estimateRegexSize } from './builtins/regex-size.ts'
import { type RegularExpression, RegularExpressionError } from './regular-expression.ts'

/** Characters times instructions that one expression may read: a megabyte with the largest expression, 90 megabytes with a usual one. */
const MAX_MATCHING_WORK = 1_000_000_000

/** Finding the groups takes that many times as long as testing, measured on an expression of ten instructions. */
const GROUPS_COST = 20

/** Compiles a regular expression of Go (RE2). @throws RegularExpressionError  for an invalid or too large expression */
export function compileRegularExpression(pattern: string): RegularExpression {
  return new Re2Expression(pattern)
}

class Re2Expression implements RegularExpression {
  readonly #regex: RE2JS
  readonly #size: number
  #work = 0

  constructor(pattern: string) {
    this.#size = estimateRegexSize(pattern)
    if (this.#size > MAX_REGEX_SIZE) throw new RegularExpressionError(`must compile to at most ${MAX_REGEX_SIZE} instructions`)
    this.#regex = compileRe2(pattern, (message) => {
      throw new RegularExpressionError(`must be a regular expression of Go (RE2): ${message}`)
    })
  }

  test(text: string): boolean {
    this.#spend(text.length)
    return this.#regex.test(text)
  }

  groups(text: string): readonly string[] | undefined {
    this.#spend(text.length * GROUPS_COST)
    const ends = firstMatch(this.#regex.re2().prog, text)
    if (ends === undefined) return undefined
    return Array.from({ length: this.#regex.groupCount() }, (_, index) => {
      const [start, end] = ends.slice(2 * index + 2, 2 * index + 4)
      return start === undefined ? '' : text.slice(start, end)
    })
  }

  #spend(characters: number): void {
    this.#work += characters * (1 + this.#size / 2)
    if (this.#work > MAX_MATCHING_WORK)
      throw new RegularExpressionError('must cost less: the texts times the size of the expression are too large')
  }
}

type Program = ReturnType<RE2JS['re2']>['prog']

/** The operations of the library's instructions, which the library does not export. */
const OP = { alt: 1, altMatch: 2, capture: 3, emptyWidth: 4, match: 6, nop: 7, firstRune: 8 } as const

/** A state of the matching: the next instruction, and the offsets of the groups so far. */
interface Thread {
  readonly pc: number
  readonly ends: readonly number[]
}

/**
 * Returns the offsets of the groups of the first match, start and end in turn from index 2, undefined for a group that took no part.
 * Runs all states at once, in the order in which a backtracking matcher would try them (Pike's algorithm), since the library only
 * returns whether an expression matches.
 */
function firstMatch(program: Program, text: string): readonly (number | undefined)[] | undefined {
  const reached = new ReachedThreads(program)
  let threads: readonly Thread[] = []
  let found: readonly (number | undefined)[] | undefined
  let before = -1
  for (let at = 0; at <= text.length; at += before > 0xffff ? 2 : 1) {
    const rune = text.codePointAt(at) ?? -1
    reached.moveTo(at, before, rune)
    for (const { pc, ends } of threads) reached.add(pc, ends)
    if (found === undefined) reached.add(program.start, [])
    // A match ends the threads that a backtracking matcher would try after it.
    const match = reached.threads.findIndex(({ pc }) => program.getInst(pc).op === OP.match)
    if (match !== -1) found = reached.threads[match]?.ends
    threads = reached.threads.slice(0, match === -1 ? undefined : match).flatMap(({ pc, ends }) => {
      const instruction = program.getInst(pc)
      return rune >= 0 && instruction.matchRune(rune) ? [{ pc: instruction.out, ends }] : []
    })
    before = rune
    if (found !== undefined && threads.length === 0) break
  }
  return found
}

/** The threads at one offset of the text, in order of priority, each instruction once. */
class ReachedThreads {
  threads: Thread[] = []
  readonly #program: Program
  /** The number of the offset at which an instruction was reached last. */
  readonly #seen: Uint32Array
  #turn = 0
  #at = 0
  #widths = 0

  constructor(program: Program) {
    this.#program = program
    this.#seen = new Uint32Array(program.numInst())
  }

  /** Begins anew at an offset between two characters; -1 is the start or the end of the text. */
  moveTo(at: number, before: number, after: number): void {
    this.threads = []
    this.#turn++
    this.#at = at
    this.#widths = emptyWidthsBetween(before, after)
  }

  /** Follows the instructions that read no character. A stack instead of recursion, since a program may have thousands in a row. */
  add(start: number, startEnds: readonly number[]): void {
    const stack: Thread[] = [{ pc: start, ends: startEnds }]
    for (let thread = stack.pop(); thread !== undefined; thread = stack.pop()) {
      const { pc, ends } = thread
      if (this.#seen[pc] === this.#turn) continue
      this.#seen[pc] = this.#turn
      const { op, out, arg } = this.#program.getInst(pc)
      if (op === OP.alt || op === OP.altMatch) stack.push({ pc: arg, ends }, { pc: out, ends })
      else if (op === OP.nop || (op === OP.emptyWidth && (arg & ~this.#widths) === 0)) stack.push({ pc: out, ends })
      else if (op === OP.capture) stack.push({ pc: out, ends: withOffset(ends, arg, this.#at) })
      else if (op === OP.match || op >= OP.firstRune) this.threads.push({ pc, ends })
    }
  }
}

function withOffset(ends: readonly number[], slot: number, at: number): readonly number[] {
  const copy = [...ends]
  copy[slot] = at
  return copy
}

/** Returns the bits of the conditions that hold between two characters; -1 is the start or the end of the text. */
function emptyWidthsBetween(before: number, after: number): number {
  const line = (before < 0 || before === LINE_FEED ? 1 : 0) | (after < 0 || after === LINE_FEED ? 2 : 0)
  const text = (before < 0 ? 4 : 0) | (after < 0 ? 8 : 0)
  return line | text | (isWord(before) === isWord(after) ? 32 : 16)
}

const LINE_FEED = 10

/** Returns true for a letter, a digit and `_` of ASCII, as `\w` and `\b` of RE2 do. */
function isWord(rune: number): boolean {
  const letter = rune | 0x20
  return (letter >= 0x61 && letter <= 0x7a && rune < 0x80) || (rune >= 0x30 && rune <= 0x39) || rune === 0x5f
}
