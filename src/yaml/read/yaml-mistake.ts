import { lineStart } from './lines.ts'
import { type Node, walk } from './node.ts'

/** A fault: the library's reason, the line, and the value on the line after `key: ` or `- `. */
interface Spot {
  readonly reason: string
  readonly line: string
  readonly value: string
}

type Namer = (spot: Spot) => string | undefined

/**
 * Returns the probable mistake behind a fault that the library reports in terms of its parser; the library's reason when no mistake fits.
 *
 * @param reason  the library's
 */
export function nameMistake(text: string, offset: number, reason: string): string {
  const line = lineAt(text, offset)
  const spot = {
    reason,
    line,
    value: /^\s*(?:- +)*(?:(?:[^\s'"{[][^'"]*?|"(?:[^"\\]|\\.)*"|'[^']*'):[ \t]+|- +)?(.*?)\s*$/.exec(line)?.[1] ?? '',
  }
  for (const name of NAMERS) {
    const mistake = name(spot)
    if (mistake !== undefined) return mistake
  }
  return reason
}

/** Returns the offset to report for a fault: for an unclosed quote, found at the end of the text, the offset of the opening quote. */
export function placeOfMistake(text: string, offset: number, reason: string): number {
  const quote = UNCLOSED.exec(reason)?.[1]
  if (quote === undefined) return offset
  const opening = new RegExp(`^[^'"#]*?[:-][ \\t]+${quote}(?:[^\\\\${quote}]|\\\\.)*$`)
  let start = lineStart(text, offset)
  for (let seen = 0; seen < MOST_LINES; seen++) {
    const line = lineAt(text, start)
    if (opening.test(line)) return start + line.indexOf(quote)
    if (start === 0) break
    start = lineStart(text, start - 1)
  }
  return offset
}

/** The most lines to search upwards for an opening quote. */
const MOST_LINES = 1000

/** The most characters of a line to examine: longer lines are not written by hand. */
const MOST_CHARACTERS = 1000

/** The longest value in a message. */
const LONGEST = 80

function lineAt(text: string, offset: number): string {
  const start = lineStart(text, offset)
  const end = text.indexOf('\n', offset)
  return text.slice(start, Math.min(end === -1 ? text.length : end, start + MOST_CHARACTERS)).replace(/\r$/, '')
}

const UNCLOSED = /^Missing closing (["'])quote/
const NO_KEY = /^Implicit (map )?keys need/
const BEHIND = 'Unexpected scalar at node end'
/** Matches the reason for text after a closing bracket: `{a: 1}[x]` is one value in CEL, but a map and further text in YAML. */
const BEHIND_BRACKET = /^Unexpected \S+ at node end$/
const NESTED = 'Nested mappings are not allowed'
const BLOCK_OF_TEXT = 'a block of text must begin on the line below its | or >'

/** The reasons for faults that the library passes over in some places. */
export const ITEM_AMONG_KEYS = 'A block sequence may not'
export const NO_KEY_BEFORE_COLON = 'No key before a colon'

const BETWEEN = "a comma must be between two entries within [ ] and { }, and no entry may begin with '- '"

/** Returns a namer for reasons that begin so. */
function named(beginning: string, mistake: (spot: Spot) => string): Namer {
  return (spot) => (spot.reason.startsWith(beginning) ? mistake(spot) : undefined)
}

/** The mistakes that the library's reason names alone, but in words of its parser. */
const BY_REASON: readonly Namer[] = [
  named('An alias node must not', () => 'an alias, *NAME, must have no anchor and no tag before its *'),
  named('Anchor cannot be an empty', ({ value }) => `a value that begins with & is an anchor; put quotes around it: ${quoted(value)}`),
  named('A node can have at most one anchor', () => 'a value must have one anchor, &NAME, at most'),
  named('A node can have at most one tag', () => 'a value must have one tag, !NAME, at most'),
  ({ reason, value }) =>
    /^(?:The \S+ tag has no suffix|Could not resolve tag|Not a valid tag|Verbatim tags)/.test(reason)
      ? `a value that begins with ! has a tag, and this one is not known; put quotes around a text: ${quoted(value)}`
      : undefined,
  named('%YAML directive', () => "the directive %YAML must have a version alone, '%YAML 1.2'"),
  named('%TAG directive', () => 'the directive %TAG must have a handle and a prefix'),
  named('Missing directives-end', () => "a line '---' must follow the directives, the lines that begin with %"),
  named('Block collection cannot start on same line', () => "a document must begin on the line below its '---'"),
  named('Missing newline after block', () => 'an anchor or a tag must be on the line above the map or list that has it'),
  named(
    'Unexpected block-seq-ind on same line',
    ({ value }) => `a list must begin on the line below its key; put quotes around a text: ${quoted(value)}`,
  ),
  named('Block scalar header includes', ({ value }) => `${BLOCK_OF_TEXT}; put quotes around a text: ${quoted(value)}`),
  named('Comments must be separated', () => 'a space must be before the # of a comment; put quotes around a text with a #'),
  named('Map comment with trailing', () => 'a comment must be indented as the keys of its map, and not between a key and its value'),
  named(
    NO_KEY_BEFORE_COLON,
    ({ value }) => `a key must be in front of a colon with a space behind it; put quotes around a text: ${quoted(value)}`,
  ),
  named('Missing , or :', () => 'a comma must be between two entries within [ ] and { }, a colon and a space between a key and its value'),
  named('Unexpected , in', () => 'a comma must be behind an entry, got one without'),
  named('Unexpected empty item', () => 'a comma must be behind an entry, got one without'),
  ({ reason }) => (/^(?:Block collections are not allowed within|Missing , |Implicit keys of flow)/.test(reason) ? BETWEEN : undefined),
  ({ reason }) => {
    const bracket = /^Unexpected flow-(?:map|seq)-end token.*"(.)"$/.exec(reason)?.[1]
    return bracket && `the ${bracket} closes nothing; put quotes around a text with brackets`
  },
]

// The first match counts. A pattern looks at the text first, and at the library's reason second.
const NAMERS: readonly Namer[] = [
  ({ line }) => (/^\s*(<{7}|={7}|>{7})(\s|$)/.test(line) ? 'a conflict of a merge is left in the file' : undefined),
  ({ line }) => {
    const placeholder = /\{\{[^}]*\}?\}?/.exec(line)?.[0]
    return placeholder && `${shown(placeholder)} is a placeholder that nothing replaces here; write the value, or quotes around all of it`
  },
  ({ line }) => describeSeparator(line),
  ({ reason }) => (reason.startsWith('Tabs are not allowed') ? 'a tab indents the line, only spaces may' : undefined),
  ({ reason }) => {
    const quote = UNCLOSED.exec(reason)?.[1]
    return quote && `the text that begins with ${quote} is not closed`
  },
  ({ reason, line }) => {
    const [, key, value] = (NO_KEY.test(reason) && /^\s*(?:- +)*([A-Za-z][\w./-]*):([^\s:/].*)$/.exec(line)) || []
    return key && `a space must follow the colon: ${shown(`${key}: ${value}`)}`
  },
  ({ reason, line }) =>
    NO_KEY.test(reason)
      ? `a line among the keys of a map must be a key with a colon and a space behind it, got ${shown(line.trim())}`
      : undefined,
  ({ reason, value }) =>
    BEHIND_BRACKET.test(reason) && /^["']/.test(value)
      ? `the value goes on behind its closing quote; put quotes around all of it: ${quoted(value)}`
      : undefined,
  ({ reason, value }) =>
    BEHIND_BRACKET.test(reason) && /^[[{]/.test(value)
      ? `a value that begins with ${value.charAt(0)} ends with its bracket; put quotes around all of it: ${quoted(value)}`
      : undefined,
  ({ reason, line }) =>
    reason === 'Unexpected scalar token' && /^\s*(?:- +)*["']/.test(line)
      ? `a key must end with its closing quote, got ${shown(line.trim())}`
      : undefined,
  ({ reason, value }) =>
    reason === BEHIND && value.startsWith('*') ? `an alias must be the whole value; put quotes around a text: ${quoted(value)}` : undefined,
  ({ reason, line }) =>
    reason === BEHIND ? `the value above ends before this line, which belongs to nothing, got ${shown(line.trim())}` : undefined,
  ({ reason, value }) =>
    reason.startsWith(NESTED) && /:(\s|$)/.test(value)
      ? `a value with a colon and a space in it needs quotes: ${quoted(value)}`
      : undefined,
  ({ reason }) => (reason.startsWith(NESTED) ? 'the line below is indented deeper, as if it belonged to this value' : undefined),
  ({ reason }) => (reason.startsWith('The : indicator must be at most') ? 'a key must have at most 1,024 characters' : undefined),
  ({ reason, value }) => {
    const first = /^Plain value cannot start with (?:reserved|directive indicator|flow indicator) character (.)/.exec(reason)?.[1]
    return first && `a value must not begin with ${first}; put quotes around it: ${quoted(value)}`
  },
  ({ reason, value }) =>
    reason === 'Alias cannot be an empty string'
      ? `a value that begins with * is an alias; put quotes around it: ${quoted(value)}`
      : undefined,
  ({ reason, line }) =>
    reason.startsWith('All mapping items must start') && /^\s*#/.test(line)
      ? 'the line below this comment belongs to no key: a key must begin in the column of its map, and no comment may be within a text'
      : undefined,
  ({ reason, line }) =>
    reason.startsWith('All mapping items must start') && !/:(\s|$)/.test(line)
      ? `a line among the keys of a map must be a key with a colon and a space behind it, got ${shown(line.trim())}; a text of several lines must be indented evenly, and ends at a comment`
      : undefined,
  ({ reason }) =>
    reason.startsWith('All mapping items must start')
      ? 'the keys of one map must begin in one column, this line begins in another'
      : undefined,
  ({ reason }) =>
    reason.startsWith('Sequence item without') ? "an item of a list must begin with '- ' in the column of the others" : undefined,
  ({ reason }) => (reason.startsWith(ITEM_AMONG_KEYS) ? "a list item, '- ', must not be among the keys of a map" : undefined),
  ({ reason, line }) => {
    const [, indented, bracket] = /must (be sufficiently indented and )?end with a ([\]}])/.exec(reason) ?? []
    const opening = bracket === ']' ? '[' : '{'
    const isOther = line.trim() === '' || line.includes(opening) || (/^\s*[^\s,]+:(\s|$)/.test(line) && !line.includes(bracket ?? ''))
    const isBelow = indented !== undefined && !isOther
    const orIndented = isBelow ? ', or goes on in this line, which is not indented deeper than its key' : ''
    return bracket && `the ${bracket === ']' ? 'list' : 'map'} that begins with ${opening} is not closed with ${bracket}${orIndented}`
  },
  ({ reason }) => {
    const sequence = /^Invalid escape sequence (.+)/.exec(reason)?.[1]
    return (
      sequence && `${sequence} is no escape between double quotes; a backslash is written \\\\ there, or as it is between single quotes`
    )
  },
  ({ reason }) => (reason.startsWith('Not a YAML token') ? BLOCK_OF_TEXT : undefined),
  ...BY_REASON,
]

function quoted(value: string): string {
  if (!value.includes("'")) return shownAs(value, "'")
  return value.includes('"') ? `a block below '>-' needs none` : shownAs(value, '"')
}

function shown(text: string): string {
  return shownAs(text, "'")
}

function shownAs(text: string, quote: string): string {
  return `${quote}${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}${quote}`
}

/** The characters that go-yaml v3, like YAML 1.1, takes for the end of a line, each with the demand for its spelling. */
const DEMANDS: ReadonlyMap<string, string> = new Map([
  ['\x85', 'U+0085 must be written as \\N'],
  ['\u2028', 'U+2028 must be written as \\L'],
  ['\u2029', 'U+2029 must be written as \\P'],
])

const SEPARATOR = /[\x85\u2028\u2029]/g

/**
 * Matches the uses between quotes that go-yaml changes: it turns U+0085 into a space, and changes U+2028 and U+2029 beside blanks and
 * beside document markers.
 */
const MEANS_MORE = /\x85|[ \t\r\n][\u2028\u2029]|[\u2028\u2029](?:[ \t\r\n]|---|\.\.\.)/

/**
 * Returns the offset of the first separator that go-yaml reads differently: each one outside the quotes of a value, and in quotes one
 * that go-yaml changes. Returns undefined when there is none.
 *
 * @see go-yaml v3 scannerc.go
 */
export function oddSeparator(text: string, root: Node): number | undefined {
  const odd = new Set(Array.from(text.matchAll(SEPARATOR), ({ index }) => index))
  if (odd.size === 0) return undefined
  for (const { node } of walk(root)) {
    if (node.type !== 'scalar' || (node.style !== 'single' && node.style !== 'double')) continue
    if (MEANS_MORE.test(text.slice(node.start, node.end))) continue
    for (let at = node.start; at < node.end; at++) odd.delete(at)
  }
  const [first] = odd
  return first
}

/** Returns the message for the separator at an offset, by default the first of the text; undefined when there is none. */
export function describeSeparator(text: string, offset = text.search(SEPARATOR)): string | undefined {
  const demand = DEMANDS.get(text.charAt(offset))
  return demand && `${demand} in double quotes, since other readers end the line there`
}

export const MARK_IN_KEY = 'U+FEFF, an invisible byte order mark, must not be in a key: remove it, or write it as \\uFEFF in double quotes'

/**
 * Returns the offset of the first byte order mark in a plain key; undefined when there is none. YAML 1.2.2 (5.2) allows none there. Readers
 * take the mark for a part of the key or drop it. Concatenated files have a mark before the first key of each file.
 */
export function markInKey(text: string, root: Node): number | undefined {
  if (!text.includes('\ufeff', 1)) return undefined
  for (const { key } of walk(root)) {
    const at = key?.style === 'plain' ? text.slice(key.start, key.end).indexOf('\ufeff') : -1
    if (key !== undefined && at !== -1) return key.start + at
  }
  return undefined
}
