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
  readonly text: string
  readonly cut: Cut
  readonly items: readonly KrmObject[]
  readonly functionConfig: KrmObject | undefined
  readonly siblings: Siblings
}

/**
 * Reads a ResourceList: the quick way where text and every item are laid out as kpt emits them, else by one full parse.
 *
 * @throws WireError  when the text is no ResourceList, or not one that can be worked on
 */
export function parseList(text: string): ParsedList {
  const nul = text.indexOf('\0')
  if (nul !== -1) throw new WireError('expected YAML text, found a NUL byte', positionAt(text, nul))
  return parseUsual(text) ?? objectsOf(text, cutUnusual(text))
}

/** undefined: the layout is unusual, or a slice is no YAML by itself, so that a cut may have been wrong. */
function parseUsual(text: string): ParsedList | undefined {
  const cut = cutList(text)
  if (cut === undefined || !isResourceList(cut.pieces)) return undefined
  try {
    const list = objectsOf(text, cut)
    return list.items.every((item) => item.isMap()) && endsWhole(list) ? list : undefined
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

const KIND = /^kind: ResourceList *\n?$/
const API_VERSION = /^apiVersion: config\.kubernetes\.io\/v1(beta1|alpha1)? *\n?$/

function isResourceList(pieces: readonly Piece[]): boolean {
  return pieces.some(({ text }) => KIND.test(text)) && pieces.some(({ text }) => API_VERSION.test(text))
}

/** A text that was cut off shows it in its last item, in functionConfig, results or metadata, which are therefore read to the end. */
function endsWhole({ items, functionConfig, cut }: ParsedList): boolean {
  items.at(-1)?.readAll()
  functionConfig?.readAll()
  for (const { key, text } of cut.pieces) if (key === 'results' || key === 'metadata') new ObjectText(text, 'entry').rootNode()
  return true
}

function objectsOf(text: string, cut: Cut): ParsedList {
  if (cut.slices.length > MAX_ITEMS) throw new WireError(`expected at most ${MAX_ITEMS} items, found ${cut.slices.length}`)
  const texts = cut.slices.map((slice) => new ObjectText(slice, cut.bareItems ? 'document' : 'item'))
  const items = texts.map((source) => new KrmObject(source))
  const siblings = siblingsOf(texts, items, cut)
  for (const source of texts) source.siblings = siblings
  const config = cut.pieces.find(({ key }) => key === 'functionConfig')?.text
  const functionConfig = config === undefined ? undefined : new KrmObject(new ObjectText(config, cut.bareRoot ? 'document' : 'entry'))
  return { text, cut, items, functionConfig: functionConfig?.isMap() ? functionConfig : undefined, siblings }
}
