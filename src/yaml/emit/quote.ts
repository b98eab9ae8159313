import type { ScalarStyle } from '../read/node.ts'

/** What some reader takes for null, a boolean, a merge key or a default value, in any case of letters. */
const WORD = /^(|~|null|true|false|yes|no|on|off|y|n|=|<<)$/i

const LONGEST_WORD = 'false'.length

/** Integers, floats and base 60 of YAML 1.1, YAML 1.2 and Go, without underscores. Readers differ on `.` and `e5`, which it covers too. */
const NUMBER = /^[-+]?(0b[01]*|0o[0-7]*|0x[\da-f]*|(\d+(:[0-5]?\d)*)?(\.\d*)?(e[-+]?\d+)?|\.inf|\.nan)$/i

/** A date, or what begins as a date with a time. */
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}($|[Tt\s])/

/** Letters, digits and `_./-` behind a letter that does not begin an exponent: nothing but a word is something else than text. */
const LETTERS = /^(?!e[-+_\d])[a-z][\w./-]*$/i

/**
 * What no scalar may hold unescaped: control characters, and the characters that some reader takes for a line break (NEL, LS, PS),
 * drops (BOM) or refuses (lone surrogates, U+FFFE, U+FFFF). @see YAML 1.2.2, c-printable; YAML 1.1, b-char
 */
const UNPRINTABLE = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

/** What stands escaped between double quotes. */
const ESCAPED = new RegExp(`${UNPRINTABLE.source}|[\\t\\n"\\\\]`, 'gu')

/** The characters that have an escape of one letter. @see YAML 1.2.2, 5.7 */
const SHORT_ESCAPES = new Map([
  ...[...'\0\x07\b\t\n\v\f\r\x1b'].map((unit, i) => [unit, `\\${'0abtnvfre'[i]}`] as const),
  ...[...'"\\\x85\u2028\u2029'].map((unit, i) => [unit, `\\${'"\\NLP'[i]}`] as const),
])

/** What makes a one-line text something else than text when it is not quoted. */
const SPECIAL = /^[\s[\]{},#&*!|>'"%@`]|^[-?:](\s|$)|^(---|\.\.\.)|:(\s|$)|\s#|\s$/

/**
 * What a literal block does not carry everywhere: blanks at the end of a line (editors drop them), a tab where the indentation is found
 * out (go-yaml refuses to read it, though it writes it), and empty lines at the end (`|+` takes in the blank lines of the text that follow).
 */
const LOST_IN_BLOCK = /[ \t](\n|$)|^\n*(\t|$)|\n\n$/

/** A beginning from which the indentation cannot be found out, or, for line feeds, go-yaml does not try. */
const INDENTED = /^[ \n]/

/**
 * A string as a YAML scalar that every reader takes for the same string. Plain where that is safe; in double quotes what would
 * be read as another type or needs escapes; in single quotes what has special characters (the choices of go-yaml, so that
 * kpt changes none of them); several lines as a literal block. Never folded.
 *
 * @param column  spaces before the lines of a literal block, two more than its parent has; 0: no literal block
 */
export function emitString(text: string, column: number): string {
  if (isOrdinary(text)) return text
  if (UNPRINTABLE.test(text)) return doubleQuoted(text)
  if (text.includes('\n')) return literal(text, column) ?? doubleQuoted(text)
  if (isAmbiguous(text) || text.includes('\t')) return doubleQuoted(text)
  return SPECIAL.test(text) ? singleQuoted(text) : text
}

/**
 * A string in the style that the scalar in its place has; undefined when that style cannot carry it on one line
 * (on lines of its own for a literal block) for every reader. Folded text is never written.
 *
 * @param column  as in `emitString`
 */
export function requote(text: string, style: ScalarStyle, column: number): string | undefined {
  if (style === 'double') return doubleQuoted(text)
  if (style === 'single') return isOneLine(text) ? singleQuoted(text) : undefined
  if (style === 'plain') return isPlainText(text) && !isAmbiguous(text) ? text : undefined
  return style === 'literal' && !UNPRINTABLE.test(text) ? literal(text, column) : undefined
}

/** Whether a text may stand unquoted in block style, whatever it then means. */
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

/** Whether a text is one that every reader takes for a string, as nearly all names are: seen at one look, without the other patterns. */
function isOrdinary(text: string): boolean {
  return LETTERS.test(text) && (text.length > LONGEST_WORD || !WORD.test(text))
}

/**
 * Whether an unquoted text is no string for at least one of YAML 1.1, YAML 1.2 and go-yaml v3: `yes`, `1_000`, `12:30`, `0o7`,
 * `1e3`, `2024-01-01`, `~`, `<<`. Errs on the side of yes.
 * @see YAML 1.1 type repository; YAML 1.2.2, 10.3; go-yaml v3 resolve.go (drops underscores anywhere after the first character)
 */
function isAmbiguous(text: string): boolean {
  return WORD.test(text) || (!text.startsWith('_') && NUMBER.test(text.replaceAll('_', ''))) || TIMESTAMP.test(text)
}
