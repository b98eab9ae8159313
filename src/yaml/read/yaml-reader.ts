import type { Alias, CST, Document, Pair, Scalar, YAMLMap, YAMLParseError, YAMLSeq } from 'yaml'
import { tooDeepAt } from './depth-place.ts'
import { explicitBlock } from './fast-scalar.ts'
import { MAX_DEPTH, MAX_UNUSUAL } from './limits.ts'
import type { KeyedNode, Node, ScalarNode, ScalarStyle, SequenceItem } from './node.ts'
import { joinQuotedLines, resolveEscapes } from './quoted-text.ts'
import { linesInScalars, type Repair, repairFlow, withLooseComments } from './repair-text.ts'
import { unusualPart } from './unusual-part.ts'
import { YamlError } from './yaml-error.ts'
import { yamlLibrary } from './yaml-library.ts'
import {
  describeSeparator,
  ITEM_AMONG_KEYS,
  MARK_IN_KEY,
  markInKey,
  NO_KEY_BEFORE_COLON,
  nameMistake,
  oddSeparator,
  placeOfMistake,
} from './yaml-mistake.ts'

/** Returns the error for a fault, with the probable mistake and its offset. */
function mistake(text: string, reason: string, offset: number): YamlError {
  const place = placeOfMistake(text, offset, reason)
  return new YamlError(nameMistake(text, place, reason), place)
}

/**
 * Reads any YAML document into nodes. Aliases stay aliases, merge keys stay keys, and repeated keys are kept: the object refuses them
 * when a value is read or edited there.
 *
 * @throws YamlError  with the first fault of a text that is not YAML; when the text is too large for this parser
 */
export function readYaml(text: string): Node {
  if (text.length > MAX_UNUSUAL) {
    const { message, offset } = unusualPart(text)
    throw new YamlError(message, offset)
  }
  const loose = withLooseComments(withoutLoneReturns(text))
  const repair = repairFlow(loose)
  const root = readRepaired(text, repair)
  const others = linesInScalars(root, repair.lines)
  return others.length === 0 ? root : readRepaired(text, repairFlow(loose, others))
}

/** Reads a repaired text into nodes with the offsets of the original. @throws YamlError  with the first fault */
function readRepaired(text: string, repair: Repair): Node {
  const documents = parse(repair.text)
  const [document, second] = documents
  if (second !== undefined) throw new YamlError('a second document begins', repair.origin(second.range[0]))
  const fault = document?.errors[0]
  // The library reports a stack overflow as a fault of the text.
  if (fault?.code === 'RESOURCE_EXHAUSTION') throw new YamlError(TOO_DEEP, tooDeepAt(text))
  if (fault !== undefined) throw mistake(text, reasonOf(fault), repair.origin(fault.pos[0]))
  const root = new Conversion(text, repair).node(document?.contents, 0, 0)
  const separator = oddSeparator(text, root)
  if (separator !== undefined) throw new YamlError(describeSeparator(text, separator) ?? '', separator)
  const mark = markInKey(text, root)
  if (mark !== undefined) throw new YamlError(MARK_IN_KEY, mark)
  return root
}

/** Replaces lone carriage returns, which end a line too (YAML 1.2.2, 5.4) but not for the library. Offsets stay. */
function withoutLoneReturns(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text
}

/**
 * The options of the library. Tags are not resolved: a `!!timestamp` stays text. The library's own check for repeated keys is quadratic:
 * 50,000 keys take it 20 s.
 */
const OPTIONS = { schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false, keepSourceTokens: true, prettyErrors: false } as const

function parse(text: string): readonly Document.Parsed[] {
  const { Composer } = yamlLibrary()
  try {
    return [...new Composer(OPTIONS).compose(tokensOf(text))]
  } catch (error) {
    if (error instanceof RangeError) throw new YamlError(TOO_DEEP, tooDeepAt(text))
    throw error
  }
}

/** Yields the tokens of the library's parser. Throws YamlError at the depth limit: the library takes a second for 100,000 brackets. */
function* tokensOf(text: string): Generator<CST.Token, void> {
  const { Lexer, Parser } = yamlLibrary()
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > MOST_OPEN) throw new YamlError(TOO_DEEP, tooDeepAt(text))
  }
  yield* parser.end()
}

/** The most entries of the parser's stack: more than the depth that the conversion accepts. */
const MOST_OPEN = 2 * MAX_DEPTH

function reasonOf({ message }: YAMLParseError): string {
  return message.split('\n')[0] ?? message
}

const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`

const STYLES: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
}

/**
 * Returns true if the text between the quotes of a scalar ends inside a doubled or escaped quote. The library ends a scalar above a line
 * that begins with a tab, and takes a quote there for the closing one.
 */
function isCutShort(source: string, type: 'QUOTE_SINGLE' | 'QUOTE_DOUBLE'): boolean {
  const [last = ''] = (type === 'QUOTE_SINGLE' ? /'+$/ : /\\+$/).exec(source) ?? []
  return last.length % 2 === 1
}

/** Matches an escaped line break with a blank line after it. */
const BLANK_BEHIND_ESCAPED = /\\\r?\n[ \t]*\r?\n/

/** Returns true for a key behind `? `. */
function isExplicit({ srcToken }: Pair): boolean {
  return srcToken?.start.some((token) => token.type === 'explicit-key-ind') === true
}

/** Returns true for a key of which nothing is written, no tag or anchor either. */
function isMissing({ style, tag, anchor, start, end }: ScalarNode): boolean {
  return style === 'plain' && start === end && tag === undefined && anchor === undefined
}

type Properties = { tag?: string; anchor?: string }

/** Converts the library's tree to nodes. No other code uses the library's tree. */
class Conversion {
  readonly #source: string
  readonly #repair: Repair

  constructor(source: string, repair: Repair) {
    this.#source = source
    this.#repair = repair
  }

  /** @param empty  the offset of an empty value */
  node(parsed: unknown, empty: number, depth: number): Node {
    const { isAlias, isMap, isScalar, isSeq } = yamlLibrary()
    if (depth > MAX_DEPTH) throw new YamlError(TOO_DEEP, tooDeepAt(this.#source))
    if (isMap(parsed)) return this.#map(parsed, depth)
    if (isSeq(parsed)) return this.#sequence(parsed, depth)
    if (isAlias(parsed)) return this.#alias(parsed)
    return isScalar(parsed) ? this.#scalar(parsed, empty) : this.#empty(empty)
  }

  #empty(offset: number): Node {
    const start = this.#repair.origin(offset)
    return { type: 'scalar', style: 'plain', text: '', start, end: start }
  }

  #scalar(scalar: Scalar, empty: number): Node {
    const style = STYLES[scalar.type ?? 'PLAIN'] ?? 'plain'
    const [from, to] = scalar.range ?? [empty, empty]
    const text = this.#textOf(scalar, from, to)
    if (style === 'plain' && from === to) return { ...this.#empty(this.#emptyPlace(scalar, empty)), ...properties(scalar) }
    const explicit = scalar.srcToken?.type === 'block-scalar' ? explicitBlock(this.#repair.text, from, scalar.srcToken.indent) : undefined
    if (explicit !== undefined) return { ...explicit, ...this.#place(from, explicit.end), ...properties(scalar) }
    const end = style === 'literal' || style === 'folded' ? blockEnd(this.#repair.text, from, to) : to
    return { type: 'scalar', style, text, ...this.#place(from, end), ...properties(scalar) }
  }

  #textOf(scalar: Scalar, from: number, to: number): string {
    const { type, value } = scalar
    const text = String(value ?? '')
    if (type === 'QUOTE_SINGLE' || type === 'QUOTE_DOUBLE') return this.#quotedText(text, type, from, to)
    const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED'
    return isBlock && to === this.#repair.text.length ? this.#lastBlockText(text, from) : text
  }

  /**
   * Returns the text of a quoted scalar. Blank lines after an escaped line break are line breaks (YAML 1.2.2, 7.3.1, s-double-escaped); the
   * library makes a space of one of them.
   */
  #quotedText(text: string, type: 'QUOTE_SINGLE' | 'QUOTE_DOUBLE', from: number, to: number): string {
    const source = this.#repair.text.slice(from + 1, to - 1)
    const quote = type === 'QUOTE_SINGLE' ? "'" : '"'
    if (isCutShort(source, type)) throw mistake(this.#source, `Missing closing ${quote}quote`, this.#repair.origin(to))
    const isEscaped = type === 'QUOTE_DOUBLE' && BLANK_BEHIND_ESCAPED.test(source)
    return isEscaped ? resolveEscapes(joinQuotedLines(source, 'double', -1)) : text
  }

  /**
   * Returns the text of a block scalar that ends the text. Removes the final line break that the library adds when the text has none.
   * Blanks at the end of the text are no line.
   */
  #lastBlockText(text: string, from: number): string {
    const written = this.#repair.text.slice(from)
    if (text === '\n' && /^[^\n]*\n +$/.test(written)) return ''
    return text.endsWith('\n') && isLastLineOpen(written, text) ? text.slice(0, -1) : text
  }

  /** Returns the offset of an empty scalar: directly after its tag or anchor, if it has one. */
  #emptyPlace({ tag, anchor, range }: Scalar, empty: number): number {
    return tag === undefined && anchor === undefined ? empty : this.#repair.text.slice(0, range?.[0] ?? empty).trimEnd().length
  }

  #alias(alias: Alias): Node {
    const [from, to] = alias.range ?? [0, 0]
    return { type: 'alias', anchor: alias.source, ...this.#place(from, to) }
  }

  #map(map: YAMLMap, depth: number): Node {
    const entries = map.items.map((pair) => this.#entry(pair, depth))
    const flow = map.flow === true
    const explicit = map.items.some(isExplicit)
    return {
      type: 'map',
      flow,
      entries,
      ...(explicit && { explicit }),
      ...this.#collectionPlace(map, flow, entries[0]?.key.start, entries.at(-1)?.value.end),
      ...properties(map),
    }
  }

  #entry(pair: Pair, depth: number): KeyedNode {
    const { sep, value: written } = pair.srcToken ?? {}
    const colon = sep?.find((token) => token.type === 'map-value-ind')?.offset
    const key = this.node(pair.key, colon ?? 0, depth + 1)
    if (key.type !== 'scalar') throw mistake(this.#source, 'a key must be a scalar', key.start)
    // The library takes `{a: b}: c` behind a key for two entries, and drops a list in the column of the `?` above it.
    if (!isExplicit(pair) && isMissing(key)) throw mistake(this.#source, NO_KEY_BEFORE_COLON, key.start)
    if (colon === undefined && written != null) throw mistake(this.#source, ITEM_AMONG_KEYS, this.#repair.origin(written.offset))
    const behind = colon === undefined ? this.#rangeEnd(pair.key) : colon + 1
    return { key, value: this.node(pair.value, behind, depth + 1) }
  }

  #rangeEnd(parsed: unknown): number {
    return yamlLibrary().isNode(parsed) ? (parsed.range?.[1] ?? 0) : 0
  }

  #sequence(sequence: YAMLSeq, depth: number): Node {
    const flow = sequence.flow === true
    const tokens = sequence.srcToken?.type === 'block-seq' ? sequence.srcToken.items : []
    const items = sequence.items.map((item, index): SequenceItem => {
      const dash = tokens[index]?.start.find((token) => token.type === 'seq-item-ind')?.offset
      const value = this.node(item, (dash ?? 0) + 1, depth + 1)
      return { dash: dash === undefined ? value.start : this.#repair.origin(dash), value }
    })
    const place = this.#collectionPlace(sequence, flow, items[0]?.dash, items.at(-1)?.value.end)
    return { type: 'sequence', flow, items, ...place, ...properties(sequence) }
  }

  /** Returns the offsets of a collection: of its brackets in flow style, of its first and last members in block style. */
  #collectionPlace(node: YAMLMap | YAMLSeq, flow: boolean, first: number | undefined, last: number | undefined) {
    const [from, to] = node.range ?? [0, 0]
    return flow || first === undefined || last === undefined ? this.#place(from, to) : { start: first, end: last }
  }

  #place(from: number, to: number): { start: number; end: number } {
    return { start: this.#repair.origin(from), end: this.#repair.origin(to) }
  }
}

function properties(node: { tag?: string | undefined; anchor?: string | undefined; type?: unknown }): Properties {
  const explicit = node.tag !== undefined && node.tag !== ''
  return { ...(explicit && { tag: node.tag ?? '' }), ...(node.anchor !== undefined && { anchor: node.anchor }) }
}

/**
 * Returns the end of a block scalar: of its last line of content. Lines with no more blanks than the indentation of the first line are
 * not part of it.
 */
function blockEnd(text: string, from: number, to: number): number {
  const source = text.slice(from, to)
  if (/^[|>][1-9]?\+/.test(source)) return to - (/\r?\n$/.exec(source)?.[0].length ?? 0)
  const indent = /\n( *)[^ \r\n]/.exec(source)?.[1]?.length ?? 0
  const end = blankStart(source, indent)
  const header = /^[|>][-+0-9]*/.exec(source)?.[0].length ?? 0
  return from + (source.lastIndexOf('\n', end - 1) === -1 ? header : end)
}

/**
 * Returns the offset at which the blank lines at the end of a text begin, with the line break before them. Searches backwards, because a
 * pattern would try each line of the text.
 */
function blankStart(source: string, indent: number): number {
  let end = source.length
  for (;;) {
    let at = end
    while (source[at - 1] === ' ' && end - at < indent) at--
    if (source[at - 1] !== '\n') return end
    end = source[at - 2] === '\r' ? at - 2 : at - 1
  }
}

/**
 * Returns true if the last line of a text that ends inside a block scalar belongs to the scalar, and is not only blanks up to the
 * scalar's indentation. In go-yaml v3 such a line has no line break to keep.
 *
 * @param written  the text from the scalar's header to its end
 * @param value    of the scalar
 */
function isLastLineOpen(written: string, value: string): boolean {
  const last = written.slice(written.lastIndexOf('\n') + 1)
  const blanks = last.length
  if (/[^ ]/.test(last)) return true
  const [, indent] = /\n( *)[^ \r\n]/.exec(written) ?? []
  const [, own = ''] = /(?<![^\n])( *)[^ \r\n]/.exec(value) ?? []
  return indent !== undefined && blanks > indent.length - own.length
}
