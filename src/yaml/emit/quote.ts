import type { ScalarStyle } from '../read/node.ts'

/** Matches the words that some reader takes for null, a boolean, a merge key or a default value, in any case. */
const WORD = /^(|~|null|true|false|yes|no|on|off|y|n|=|<<)$/i

const LONGEST_WORD = 'false'.length

/**
 * Matches integers, floats and base 60 of YAML 1.1, YAML 1.2 and Go, without underscores. Also `.` and `e5`, which readers disagree on.
 */
const NUMBER = /^[-+]?(0b[01]*|0o[0-7]*|0x[\da-f]*|(\d+(:[0-5]?\d)*)?(\.\d*)?(e[-+]?\d+)?|\.inf|\.nan)$/i

/** Matches a date, or the beginning of a date with a time. */
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}($|[Tt\s])/

/** Matches letters, digits and `_./-` after a letter that does not begin an exponent: every reader takes these for text, unless a word. */
const LETTERS = /^(?!e[-+_\d])[a-z][\w./-]*$/i

/**
 * Matches characters that must be escaped in every scalar: control characters, and characters that some reader takes for a line break
 * (NEL, LS, PS), drops (BOM) or refuses (lone surrogates, U+FFFE, U+FFFF). @see YAML 1.2.2, c-printable; YAML 1.1, b-char
 */
const UNPRINTABLE = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

/** Returns true for one line of text without a character that must be escaped: a comment can hold the text. */
export function isPrintable(text: string): boolean {
  return !text.includes('\n') && !UNPRINTABLE.test(text)
}

/** Matches the characters that are escaped in double quotes. */
const ESCAPED = new RegExp(`${UNPRINTABLE.source}|[\\t\\n"\\\\]`, 'gu')

/** The characters that have an escape of one letter. @see YAML 1.2.2, 5.7 */
const SHORT_ESCAPES = new Map([
  ['\0', '\\0'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x85', '\\N'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
])

/** Matches a one-line text that means something else than text when unquoted. */
const SPECIAL = /^[\s[\]{},#&*!|>'"%@`]|^[-?:](\s|$)|^(---|\.\.\.)|:(\s|$)|\s#|\s$/

/**
 * Matches a text that a literal block cannot carry for all readers: blanks at the end of a line (editors remove them), a tab where the
 * indentation is detected (go-yaml writes it but refuses to read it), and empty lines at the end (`|+` takes the blank lines that follow).
 */
const LOST_IN_BLOCK = /[ \t](\n|$)|^\n*(\t|$)|\n\n$/

/** Matches a beginning that hides the indentation of a block: spaces, or line feeds, for which go-yaml does not detect it. */
const INDENTED = /^[ \n]/

/**
 * Returns a string as a YAML scalar that every reader takes for the same string. Plain where that is safe; in double quotes if another
 * type would be read or escapes are needed; in single quotes if it has special characters; a literal block for several lines. These are
 * the choices of go-yaml, so that kpt changes none of them. Never folded.
 *
 * @param column  spaces before the lines of a literal block, two more than its parent has; 0: no literal block
 */
export function emitString(text: string, column: number): string {
  // A quick check that holds for nearly all names.
  if (LETTERS.test(text) && (text.length > LONGEST_WORD || !WORD.test(text))) return text
  if (UNPRINTABLE.test(text)) return doubleQuoted(text)
  if (text.includes('\n')) return literal(text, column) ?? doubleQuoted(text)
  if (isAmbiguous(text) || text.includes('\t')) return doubleQuoted(text)
  return SPECIAL.test(text) ? singleQuoted(text) : text
}

/**
 * Returns a string in the style of the scalar that it replaces. Returns undefined if that style cannot carry the string for every reader,
 * on one line or, for a literal block, on lines of its own. Never writes a folded scalar.
 *
 * @param column  as in `emitString`
 */
export function requote(text: string, style: ScalarStyle, column: number): string | undefined {
  if (style === 'double') return doubleQuoted(text)
  if (style === 'single') return isOneLine(text) ? singleQuoted(text) : undefined
  if (style === 'plain') return isPlainText(text) && !isAmbiguous(text) ? text : undefined
  return style === 'literal' && !UNPRINTABLE.test(text) ? literal(text, column) : undefined
}

/** Returns true if a text may be unquoted in block style, even if a reader takes it for another type than text. */
export function isPlainText(text: string): boolean {
  return isOneLine(text) && !SPECIAL.test(text)
}

function isOneLine(text: string): boolean {
  return !UNPRINTABLE.test(text) && !/[\t\n]/.test(text)
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function doubleQuoted(text: string): string {
  return `"${text.replace(ESCAPED, escapeUnit)}"`
}

function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0).toString(16).toUpperCase()
  return SHORT_ESCAPES.get(unit) ?? (code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`)
}

function literal(text: string, column: number): string | undefined {
  if (column === 0 || LOST_IN_BLOCK.test(text)) return undefined
  const header = `|${INDENTED.test(text) ? '2' : ''}${text.endsWith('\n') ? '' : '-'}`
  const lines = text.replace(/\n$/, '').split('\n')
  return `${header}${lines.map((line) => indentLine(line, column)).join('')}`
}

function indentLine(line: string, column: number): string {
  return line === '' ? '\n' : `\n${' '.repeat(column)}${line}`
}

/**
 * Returns true if at least one of YAML 1.1, YAML 1.2 and go-yaml v3 reads an unquoted text as another type than string: `yes`, `1_000`,
 * `12:30`, `0o7`, `1e3`, `2024-01-01`, `~`, `<<`. Returns true in case of doubt.
 * @see YAML 1.1 type repository; YAML 1.2.2, 10.3; go-yaml v3 resolve.go (drops underscores anywhere after the first character)
 */
function isAmbiguous(text: string): boolean {
  return WORD.test(text) || (!text.startsWith('_') && NUMBER.test(text.replaceAll('_', ''))) || TIMESTAMP.test(text)
}
