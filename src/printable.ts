import { cutText } from './wording.ts'

/**
 * Returns a value or name as part of one line. Control characters, characters that reorder or hide text, and line breaks become escapes.
 * Letters, marks and emoji of every script are kept.
 *
 * @example
 * ```ts
 * printable('a\u202eb\n::error::c') // 'a\\u202eb\\n::error::c'
 * ```
 */
export function printable(text: string): string {
  return isPlain(text) ? text : printableText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/**
 * Returns a message as people read it. A line break is kept before an expression, its caret, an indented line, a further error of CEL,
 * and a hint. Any other line break belongs to a value and is escaped, so that no value begins a line of its own.
 *
 * @param expression  the value of the field that the message is about: a line that equals the value is an expression without a caret
 */
export function printableMessage(text: string, expression?: unknown): string {
  if (isPlain(text)) return text
  const [first = '', ...others] = printableText(text).split('\n')
  const isOwn = (line: string, next = '') =>
    OWN_LINE.test(line) || CARET.test(next) || (PLACE_OF_CEL.test(line) && next.startsWith(' | ')) || line === expression
  return others.reduce((message, line, i) => `${message}${isOwn(line, others[i + 1]) ? '\n' : '\\n'}${line}`, first.replaceAll('\t', '\\t'))
}

/**
 * Returns a text of whole lines: line feeds, tabs and the colours of this tool are kept, everything else that `printable` escapes is
 * escaped. No line begins with a workflow command of GitHub Actions, whose runner reads `::` after any blanks (ActionCommand.TryParseV2).
 */
export function printableLines(text: string): string {
  const seen = text.includes(ESC) ? text.split(OWN_COLOUR).map(escapeOrKeep).join('') : printableText(text)
  return seen.includes('::') ? seen.replaceAll(COMMAND, '$1\\u003a:') : seen
}

/** Escapes a part of a split text; a part at an odd index is a separator and is kept. */
function escapeOrKeep(part: string, index: number): string {
  return index % 2 === 1 ? part : printableText(part)
}

/** Returns true for ASCII without control characters, which needs no escapes. Most texts are such, and are recognised without a copy. */
function isPlain(text: string): boolean {
  return !NO_ASCII.test(text) && !text.includes(OLD_COMMAND)
}

/** Matches the marks that turn the direction of text, so that a reader sees another name. */
export const TURNS_TEXT = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/

const NO_ASCII = /[^ -~]/

/** The colours of `cli/print/styles.ts`. */
const ESC = '\u001B'
const OWN_COLOUR = new RegExp(`(${ESC}\\[(?:[0-2]|3[1-5])m)`)

const COMMAND = new RegExp(`^((?:[^\\S\\n]|${ESC}\\[\\d+m)*)::`, 'gm')

/**
 * The former beginning of a workflow command, which the runner of GitHub Actions still reads anywhere in a line (ActionCommand.TryParse).
 */
const OLD_COMMAND = '##['

const OWN_LINE = /^(?:[ \t^]|hint: |ERROR: <input>:\d+:\d+: )/
/** Matches a further error of CEL without the compiler's own beginning; the line of the expression follows. */
const PLACE_OF_CEL = /^\d+:\d+: /
const CARET = /^[ \t]*\^/

/**
 * Returns a text of whole lines without colours, such as a diff: keeps line feeds and tabs, escapes everything else that `printable`
 * escapes.
 */
export function printableText(text: string): string {
  const seen = text.replaceAll(UNUSUAL, (run) => run.replaceAll(UNSEEN, escaped))
  return seen.includes(OLD_COMMAND) ? seen.replaceAll(OLD_COMMAND, '\\u0023#[') : seen
}

/**
 * Matches the runs that contain all characters to escape; most of a text is outside of such runs and is read once. Arrows, of which a
 * plan has one or two in a line, dashes and Latin letters are excluded from the runs. Characters that Unicode lists as pictographic, such
 * as `©`, must be in one run with their joiner.
 */
const UNUSUAL = /[^\t\n -~\u00c0-\u024f\u2013\u2014\u2026\u2190\u2192]+/g

/**
 * Matches control characters, halves of surrogate pairs, characters that Unicode lists as ignorable (zero-width, bidi, tag characters),
 * noncharacters, and line separators. A joiner between two emoji is not matched, since it joins the two into one; neither are U+FE0E and
 * U+FE0F, which choose the form of an emoji.
 */
const UNSEEN =
  /(?![\ufe0e\ufe0f\u200d])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029\ufff9-\ufffb]|(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})/gu

/**
 * Returns a path in printable ASCII, with everything else and backslashes as escapes, so that two paths that look alike are printed
 * differently. A long path is cut.
 */
export function printablePath(path: string): string {
  const line = printable(path.replaceAll('\\', '\\\\'))
  return cutText(line.replaceAll(/[^ -~]/g, escaped), LONGEST_PATH)
}

const LONGEST_PATH = 300

/** Returns a character as an escape of JSON, so that an escaped JSON document keeps its meaning. */
function escaped(character: string): string {
  if (character === '\r') return '\\r'
  return Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
}
