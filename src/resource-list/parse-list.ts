import { MAX_UNUSUAL } from '../yaml/read/limits.ts'
import { positionAt } from '../yaml/read/position.ts'
import { type Cut, cutList, type Piece } from './cut.ts'
import { cutUnusual } from './cut-unusual.ts'
import { KrmObject } from './krm-object.ts'
import { MAX_ITEMS } from './limits.ts'
import { ObjectText, type Siblings } from './object-text.ts'
import { siblingsOf } from './siblings.ts'
import { WireError } from './wire-error.ts'

/** A ResourceList, its objects beside the slices they came from. */
export interface ParsedList {
  /** Without what ends the document. */
  readonly text: string
  /** A line `...` and what stands below it: nothing may be written behind it. */
  readonly end: string
  readonly cut: Cut
  readonly items: readonly KrmObject[]
  readonly functionConfig: KrmObject | undefined
  readonly siblings: Siblings
}

/**
 * Reads a ResourceList: the quick way where it is laid out as kpt emits it and each item can be read by itself, else as a whole.
 *
 * @throws WireError  when the text is no ResourceList, or not one that can be worked on
 */
export function parseList(text: string): ParsedList {
  const nul = text.indexOf('\0')
  if (nul !== -1) throw new WireError('expected YAML text, found a NUL byte', positionAt(text, nul))
  const end = documentEnd(text)
  const body = end === '' ? text : text.slice(0, -end.length)
  return { ...(parseUsual(body) ?? objectsOf(body, cutUnusual(body))), end }
}

/** The line that ends the document, with the blank lines and comments below it, at the end of the text. */
function documentEnd(text: string): string {
  const line = text.lastIndexOf('\n...') + 1
  const end = line === 0 ? '' : text.slice(line)
  return /^\.\.\.[ \t]*(?:[ \t]#[^\n]*)?\r?(?:\n|$)/.test(end) && !/\n[ \t\r]*[^ \t\r\n#]/.test(end) ? end : ''
}

type Body = Omit<ParsedList, 'end'>

/**
 * undefined: the layout is unusual, or a slice is no YAML by itself, so that a cut may have been wrong. Of a text that is too large to be
 * read as a whole, the fault of the slice is told.
 */
function parseUsual(text: string): Body | undefined {
  const cut = cutList(text)
  if (cut === undefined || !isResourceList(cut.pieces)) return undefined
  try {
    const list = objectsOf(text, cut)
    for (const item of list.items) if (!item.isMap()) item.readAll()
    readEnds(list)
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

/** A text that was cut off shows it in its last item, in functionConfig, results or metadata, which are therefore read to the end. */
function readEnds({ items, functionConfig, cut }: Body): void {
  items.at(-1)?.readAll()
  functionConfig?.readAll()
  for (const { key, text } of cut.pieces) if (key === 'results' || key === 'metadata') new ObjectText(text, 'entry').rootNode()
}

function objectsOf(text: string, cut: Cut): Body {
  if (cut.slices.length > MAX_ITEMS) throw new WireError(`expected at most ${MAX_ITEMS} items, found ${cut.slices.length}`)
  const texts = cut.slices.map((slice) => new ObjectText(slice, cut.bareItems ? 'document' : 'item'))
  const items = texts.map((source) => new KrmObject(source))
  const siblings = siblingsOf(texts, items, cut)
  for (const source of texts) source.siblings = siblings
  const config = cut.pieces.find(({ key }) => key === 'functionConfig')?.text
  const functionConfig = config === undefined ? undefined : new KrmObject(new ObjectText(config, cut.bareRoot ? 'document' : 'entry'))
  return { text, cut, items, functionConfig: functionConfig?.isMap() ? functionConfig : undefined, siblings }
}
