import type { FieldPath } from '../field-path.ts'
import type { FileRef } from '../result.ts'
import { FlowTexts, NO_TEXTS, type TextMap, type Texts } from '../yaml/read/builder.ts'
import type { KeyedNode, MapNode, Node } from '../yaml/read/node.ts'
import type { PassedKeys } from '../yaml/read/plain-maps.ts'
import { type Wanted, wantedKeys } from '../yaml/read/wanted.ts'
import { isWireAnnotation, PACKAGE_PATH_ANNOTATION, wireFile } from './wire-annotations.ts'

/** How many different ones are kept: most lists have objects of few kinds, namespaces and labels. */
const MOST = 1000

/** The longest that is kept. */
const LONGEST = 200

/** Ends a text in a key: no name of Kubernetes holds it. */
const END = '\0'

const texts = new Map<string, string>()

const maps = new Map<string, ReadonlyMap<string, string>>()

/** What is known of an object without reading all of it. Texts as written: a name `123` is '123'. */
export interface Identity {
  readonly apiVersion: string | undefined
  readonly kind: string | undefined
  readonly name: string | undefined
  readonly namespace: string | undefined
  readonly labels: ReadonlyMap<string, string>
  /** Those in the object's file. */
  readonly annotations: ReadonlyMap<string, string>
  /** Where a label or annotation has no value: it counts as absent. */
  readonly blanks: readonly FieldPath[]
  readonly wire: Wire
}

/** Where an object is, as the annotations of the wire say it. */
interface Wire {
  readonly file: FileRef | undefined
  readonly packagePath: string | undefined
  /** How many lines of the object only the wire has. */
  readonly lineCount: number
}

/** Of all documents, of which a fleet may have ten thousands. */
const NO_WIRE: Wire = { file: undefined, packagePath: undefined, lineCount: 0 }

/** The keys that make up an identity: of the object, and of its metadata. */
export const IDENTITY_KEYS: PassedKeys = { root: ['apiVersion', 'kind', 'metadata'], below: ['name', 'namespace', 'labels', 'annotations'] }

/** The root keys that an identity is in: all that is read of an item that nobody asks about. */
export const HEAD: Wanted = wantedKeys(IDENTITY_KEYS.root)

/** What makes up an identity. */
export const IDENTITY: Wanted = new Map([
  ['apiVersion', undefined],
  ['kind', undefined],
  ['metadata', wantedKeys(IDENTITY_KEYS.below)],
])

/** The identity in the texts of an object; all undefined and empty when that is no map. */
export function identityOf(object: Texts): Identity {
  const root = mapOf(object)
  const metadata = mapOf(root.get('metadata'))
  const written = mapOf(metadata.get('annotations'))
  const annotations = stringsOf(written)
  const own = withoutWireKeys(annotations)
  return {
    apiVersion: sharedTextOf(root.get('apiVersion')),
    kind: sharedTextOf(root.get('kind')),
    name: textOf(metadata.get('name')),
    namespace: sharedTextOf(metadata.get('namespace')),
    labels: sharedMap(stringsOf(metadata.get('labels'))),
    annotations: sharedMap(own),
    blanks: blanksOf(metadata),
    wire: annotations.size === own.size ? NO_WIRE : wireOf(annotations, own, written),
  }
}

function wireOf(annotations: ReadonlyMap<string, string>, own: ReadonlyMap<string, string>, written: TextMap): Wire {
  return {
    file: wireFile(annotations),
    packagePath: annotations.get(PACKAGE_PATH_ANNOTATION),
    lineCount: written instanceof FlowTexts ? 0 : countWireLines(annotations.size - own.size, written.size),
  }
}

/** With nothing else below it, the line of `annotations:` is one of the wire's as well. */
function countWireLines(wire: number, all: number): number {
  return wire === all && wire > 0 ? wire + 1 : wire
}

/** The group of an apiVersion: '' for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash === -1 ? '' : apiVersion.slice(0, slash)
}

/** The entries of a key: more than one where two objects lost the line between them. */
function entriesOf(node: Node, key: string): readonly KeyedNode[] {
  return node.type === 'map' ? node.entries.filter((entry) => entry.key.text === key) : []
}

function mapOf(texts: Texts | undefined): TextMap {
  return texts instanceof Map ? texts : NO_TEXTS
}

function textOf(texts: Texts | undefined): string | undefined {
  return typeof texts === 'string' ? texts : undefined
}

/** Of what most objects of a list have in common. */
function sharedTextOf(texts: Texts | undefined): string | undefined {
  const text = textOf(texts)
  return text === undefined ? undefined : sharedText(text)
}

const NO_STRINGS: ReadonlyMap<string, string> = new Map()

/** The scalars of a map, without those that mean nothing. */
function stringsOf(texts: Texts | undefined): ReadonlyMap<string, string> {
  const map = mapOf(texts)
  if (isOfStrings(map)) return map
  const strings = new Map<string, string>()
  for (const [key, value] of map) if (typeof value === 'string') strings.set(key, value)
  return strings
}

const NO_BLANKS: readonly FieldPath[] = []

/** Labels and annotations whose value is `null`, `~` or not written. Of most objects there are none, and nothing is made for these. */
function blanksOf(metadata: TextMap): readonly FieldPath[] {
  let blanks = NO_BLANKS
  for (const field of ['labels', 'annotations'])
    for (const [key, value] of mapOf(metadata.get(field))) if (value === null) blanks = [...blanks, ['metadata', field, key]]
  return blanks
}

function isOfStrings(map: TextMap): map is ReadonlyMap<string, string> {
  for (const value of map.values()) if (typeof value !== 'string') return false
  return true
}

function withoutWireKeys(strings: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kept = new Map<string, string>()
  for (const [key, value] of strings) if (!isWireAnnotation(key)) kept.set(key, value)
  return kept.size === 0 ? NO_STRINGS : kept
}

/** The lines of `metadata` that only the wire has: offsets of their starts. With nothing else below it, `annotations:` is one of them. */
export function wireLines(root: Node): readonly number[] {
  return entriesOf(root, 'metadata').flatMap((metadata) => entriesOf(metadata.value, 'annotations').flatMap(wireLinesOf))
}

function wireLinesOf({ key, value }: KeyedNode): readonly number[] {
  if (value.type !== 'map' || value.flow) return []
  const wire = wireKeys(value)
  return wire.length === value.entries.length ? [key.start, ...wire] : wire
}

function wireKeys(annotations: MapNode): readonly number[] {
  return annotations.entries.filter(({ key }) => isWireAnnotation(key.text)).map(({ key }) => key.start)
}

/** The same text for all that are equal. */
function sharedText(text: string): string {
  if (text.length > LONGEST) return text
  return texts.get(text) ?? keep(texts, text, copyOf(text))
}

/** The same map for all that hold the same one or two texts: it takes more room than these. */
function sharedMap(map: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (map.size === 0 || map.size > 2) return map
  let key = ''
  for (const [name, value] of map) {
    if (name.includes(END) || value.includes(END)) return map
    key += `${name}${END}${value}${END}`
  }
  if (key.length > LONGEST) return map
  return maps.get(key) ?? keep(maps, key, new Map([...map].map(([name, value]) => [copyOf(name), copyOf(value)])))
}

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): Value {
  if (kept.size >= MOST) kept.clear()
  kept.set(copyOf(key), value)
  return value
}

/** A part of a text keeps all of that alive; of a joined one, only what was joined. */
function copyOf(text: string): string {
  return `${text}${END}`.slice(0, -1)
}
