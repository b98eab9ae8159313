/*
 * Packages of a fleet differ from each other in a few words. A pattern is the text of one package, with the places of the words that may be
 * others in the text of another package.
 *
 *   text, words site-1, eu:  site: site-1\nzone: eu\n
 *   pattern:                 site: ?\nzone: ?\n
 *   text of another package: site: site-2\nzone: us\n  →  site-1 is site-2, eu is us
 */

/** A text in pieces: literal text at even positions, words that may differ at odd ones. */
export type Pieces = readonly string[]

const WORD = /[A-Za-z0-9_-]+/g

export function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? []
}

/** Returns a text in pieces, split at the given words. */
export function piecesOf(text: string, words: ReadonlySet<string>): Pieces {
  const pieces: string[] = []
  let end = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!words.has(word)) continue
    pieces.push(text.slice(end, index), word)
    end = index + word.length
  }
  return [...pieces, text.slice(end)]
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** The words of one package, each with that of another package, and the other way round. */
export interface Renamed {
  readonly words: Map<string, string>
  readonly back: Map<string, string>
}

/** Returns true if a text has the same literals, and each word stands for one other word everywhere. */
export function fits(pieces: Pieces, text: string, taken: ReadonlySet<string>, renamed: Renamed): boolean {
  const next = /[A-Za-z0-9_-]+/y
  let end = 0
  for (const [at, piece] of pieces.entries()) {
    next.lastIndex = end
    const word = at % 2 === 0 ? piece : (next.exec(text)?.[0] ?? '')
    if (at % 2 === 0 ? !text.startsWith(piece, end) : !renames(piece, word, taken, renamed)) return false
    end += word.length
  }
  return end === text.length
}

/** Returns true if a word may stand for another one, and stands for no third one elsewhere. */
function renames(former: string, word: string, taken: ReadonlySet<string>, { words, back }: Renamed): boolean {
  if ((words.get(former) ?? word) !== word || (back.get(word) ?? former) !== former) return false
  words.set(former, word)
  back.set(word, former)
  return word === former || (isName(word) && !taken.has(word))
}

/** Returns true for a word that YAML reads as a text, in quotes or without. */
export function isName(word: string): boolean {
  return /^[a-z][a-z0-9-]{1,62}$/.test(word) && !/^(?:null|true|false|yes|no|on|off|nan|inf)$/.test(word)
}

/** Returns the text of a pattern with the words of another package. */
export function textWith(pieces: Pieces, words: ReadonlyMap<string, string>): string {
  let text = ''
  for (const [at, piece] of pieces.entries()) text += at % 2 === 0 ? piece : (words.get(piece) ?? piece)
  return text
}
