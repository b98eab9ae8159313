import { YamlDocument } from '../yaml/document.ts'
import { MAX_UNUSUAL } from '../yaml/read/limits.ts'
import { lineBreakAt, positionAt } from '../yaml/read/lines.ts'
import { type Cut, cutList, type Piece } from './cut.ts'
import { cutUnusual, type WrapperRule } from './cut-unusual.ts'
import { FilePositions, type Siblings, siblingsOf } from './file-positions.ts'
import { KrmObject } from './krm-object.ts'
import { MAX_ITEMS } from './limits.ts'
import { WireError } from './wire-error.ts'

/** A parsed ResourceList: its objects, and the pieces of text that they were cut from. */
export interface ParsedList {
  /** The text without the end of the document. */
  readonly text: string
  /** The line `...` and the lines below it, '' if there are none: nothing may be written after it. */
  readonly end: string
  /** The line break of the first line, which new lines get. */
  readonly lineBreak: '\n' | '\r\n'
  readonly cut: Cut
  readonly items: readonly KrmObject[]
  readonly functionConfig: KrmObject | undefined
  readonly siblings: Siblings
}

/**
 * Parses a ResourceList. Cuts a list in kpt's layout without parsing it whole, if each item is YAML by itself; parses any other list
 * whole.
 *
 * @throws WireError  when the text is not a ResourceList, or exceeds a limit
 */
export function parseList(text: string, wrapper: WrapperRule): ParsedList {
  const nul = text.indexOf('\0')
  if (nul !== -1) throw new WireError('expected YAML text, found a NUL byte', positionAt(text, nul))
  const end = documentEnd(text)
  const body = end === '' ? text : text.slice(0, -end.length)
  return { ...(parseUsual(body) ?? objectsOf(body, cutUnusual(body, wrapper))), end }
}

/** Returns the line `...` at the end of the text with the blank lines and comments below it, '' if there is none. */
function documentEnd(text: string): string {
  for (let lineFeed = text.lastIndexOf('\n'); lineFeed !== -1; lineFeed = lineFeed === 0 ? -1 : text.lastIndexOf('\n', lineFeed - 1)) {
    const line = lineFeed + 1
    if (text.startsWith('...', line)) return matchesAt(DOCUMENT_END, text, line) ? text.slice(line) : ''
    if (!matchesAt(NO_CONTENT, text, line)) return ''
  }
  return ''
}

const DOCUMENT_END = /\.\.\.[ \t]*(?:[ \t]#[^\n]*)?\r?(?:\n|$)/y
/** Matches the start of a blank line or of a comment. */
const NO_CONTENT = /[ \t\r]*(?:[\n#]|$)/y

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

type Body = Omit<ParsedList, 'end'>

/**
 * Parses a list in kpt's layout. Returns undefined if the layout is unusual, or if a slice is not YAML by itself, because then a cut
 * may be wrong. If the text is too large for the full parser, throws the fault of the slice instead.
 */
function parseUsual(text: string): Body | undefined {
  const cut = cutList(text)
  if (cut === undefined || !isResourceList(cut.pieces)) return undefined
  try {
    const list = objectsOf(text, cut)
    for (const item of list.items) if (!item.isMap()) item.readAll()
    // A truncated text has its fault in the last item, functionConfig, results or metadata: these are read to their ends.
    list.items.at(-1)?.readAll()
    list.functionConfig?.readAll()
    // What is no map is refused with its place, or is null.
    if (list.functionConfig === undefined && cut.pieces.some(({ key }) => key === 'functionConfig') && text.length <= MAX_UNUSUAL)
      return undefined
    for (const piece of cut.pieces) if (piece.key === 'results' || piece.key === 'metadata') KrmObject.of(piece.text, 'entry').written()
    return list
  } catch (error) {
    if (error instanceof WireError && text.length <= MAX_UNUSUAL) return undefined
    throw error
  }
}

const KIND = /^kind: ResourceList *\n?$/
const API_VERSION = /^apiVersion: config\.kubernetes\.io\/v1(beta1|alpha1)? *\n?$/

function isResourceList(pieces: readonly Piece[]): boolean {
  return pieces.some(({ text }) => KIND.test(text)) && pieces.some(({ text }) => API_VERSION.test(text))
}

function objectsOf(text: string, cut: Cut): Body {
  if (cut.slices.length > MAX_ITEMS) throw new WireError(`expected at most ${MAX_ITEMS} items, found ${cut.slices.length}`)
  const documents: YamlDocument[] = []
  const items: KrmObject[] = []
  const siblings = siblingsOf(documents, items, cut)
  const positions = new FilePositions(cut.bareItems ? 'document' : 'item', { siblings })
  for (const slice of cut.slices) {
    const document = new YamlDocument(slice, positions)
    documents.push(document)
    items.push(new KrmObject(document, positions))
  }
  const config = cut.pieces.find(({ key }) => key === 'functionConfig')?.text
  const functionConfig = config === undefined ? undefined : KrmObject.of(config, cut.bareRoot ? 'document' : 'entry')
  const lineBreak = lineBreakAt(text, 0)
  return { text, lineBreak, cut, items, functionConfig: functionConfig?.isMap() ? functionConfig : undefined, siblings }
}
