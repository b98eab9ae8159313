import { DASH, HASH, QUESTION_MARK, SPACE } from './character.ts'
import { MAX_DEPTH } from './limits.ts'
import { lineBelow } from './lines.ts'

const OPENING: ReadonlySet<string> = new Set('[{')
const BRACKET = /[[\]{}]/g

/**
 * Returns the offset at which a text exceeds the depth limit, from its columns and brackets alone, because a parser with an overflowed
 * stack reports no offset. Counts brackets in quotes and block scalars too. Returns 0 when no such offset is found.
 */
export function tooDeepAt(text: string): number {
  const nesting = new Nesting(text)
  for (let line = 0; line < text.length; line = lineBelow(text, line)) {
    const found = nesting.enter(line)
    if (found !== undefined) return found
  }
  return 0
}

/** The open blocks at a line, by their columns, and the number of open brackets. */
class Nesting {
  readonly #text: string
  readonly #columns: number[] = []
  #brackets = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Opens the blocks and brackets of a line. Returns the offset at which the text exceeds the depth limit, or undefined. */
  enter(line: number): number | undefined {
    const content = behindSpaces(this.#text, line)
    const code = this.#text.charCodeAt(content)
    if (code === HASH || content + 1 >= lineBelow(this.#text, line)) return undefined
    return this.#brackets === 0 ? this.#block(line, content) : this.#flow(line, content)
  }

  #block(line: number, content: number): number | undefined {
    while ((this.#columns.at(-1) ?? -1) >= content - line) this.#columns.pop()
    this.#columns.push(content - line)
    let at = content
    while (this.#columns.length <= MAX_DEPTH && isIndicator(this.#text, at)) {
      at = behindSpaces(this.#text, at + 1)
      this.#columns.push(at - line)
    }
    return this.#columns.length > MAX_DEPTH ? at : this.#flow(line, at)
  }

  #flow(line: number, content: number): number | undefined {
    for (const { 0: bracket, index } of this.#text.slice(content, lineBelow(this.#text, line)).matchAll(BRACKET)) {
      this.#brackets = Math.max(0, this.#brackets + (OPENING.has(bracket) ? 1 : -1))
      if (this.#columns.length + this.#brackets > MAX_DEPTH) return content + index
    }
    return undefined
  }
}

function behindSpaces(text: string, offset: number): number {
  let at = offset
  while (text.charCodeAt(at) === SPACE) at++
  return at
}

/** Returns true for a dash or question mark with a space after it. */
function isIndicator(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code === DASH || code === QUESTION_MARK) && text.charCodeAt(at + 1) === SPACE
}
