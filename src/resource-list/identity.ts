import type { FileRef } from '../result.ts'
import { findEntry, type MapNode, type Node, type ScalarNode } from './node.ts'
import { isWireAnnotation, PACKAGE_PATH_ANNOTATION, wireFile } from './wire-annotations.ts'

/** What is known of an object without reading all of it. Texts as written: a name `123` is '123'. */
export interface Identity {
  readonly apiVersion: string | undefined
  readonly kind: string | undefined
  readonly name: string | undefined
  readonly namespace: string | undefined
  readonly labels: ReadonlyMap<string, string>
  /** Those in the object's file. */
  readonly annotations: ReadonlyMap<string, string>
  /** As the annotations of the wire say it. */
  readonly file: FileRef | undefined
  readonly packagePath: string | undefined
}

/** The root keys that make up an identity: all that is read of an item that nobody asks about. */
export const IDENTITY_KEYS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/** The identity in the root node of an object; all undefined and empty when that is no map. */
export function identityOf(root: Node): Identity {
  const metadata = childOf(root, 'metadata')
  const annotations = stringsOf(childOf(metadata, 'annotations'))
  return {
    apiVersion: textOf(childOf(root, 'apiVersion')),
    kind: textOf(childOf(root, 'kind')),
    name: textOf(childOf(metadata, 'name')),
    namespace: textOf(childOf(metadata, 'namespace')),
    labels: stringsOf(childOf(metadata, 'labels')),
    annotations: withoutWireKeys(annotations),
    file: wireFile(annotations),
    packagePath: annotations.get(PACKAGE_PATH_ANNOTATION),
  }
}

/** The group of an apiVersion: '' for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash === -1 ? '' : apiVersion.slice(0, slash)
}

function childOf(node: Node | undefined, key: string): Node | undefined {
  return node?.type === 'map' ? findEntry(node, key)?.value : undefined
}

function textOf(node: Node | undefined): string | undefined {
  return node?.type === 'scalar' && !isMissing(node) ? node.text : undefined
}

function isMissing({ style, text }: ScalarNode): boolean {
  return style === 'plain' && text === ''
}

const NO_STRINGS: ReadonlyMap<string, string> = new Map()

function stringsOf(node: Node | undefined): ReadonlyMap<string, string> {
  if (node?.type !== 'map') return NO_STRINGS
  const strings = new Map<string, string>()
  for (const { key, value } of node.entries) if (value.type === 'scalar') strings.set(key.text, value.text)
  return strings
}

function withoutWireKeys(strings: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kept = new Map<string, string>()
  for (const [key, value] of strings) if (!isWireAnnotation(key)) kept.set(key, value)
  return kept.size === 0 ? NO_STRINGS : kept
}

/** The lines of `metadata` that only the wire has: offsets of their starts. With nothing else below it, `annotations:` is one of them. */
export function wireLines(root: Node): readonly number[] {
  const metadata = childOf(root, 'metadata')
  const entry = metadata?.type === 'map' ? findEntry(metadata, 'annotations') : undefined
  if (entry?.value.type !== 'map' || entry.value.flow) return []
  const wire = wireKeys(entry.value)
  return wire.length === entry.value.entries.length ? [entry.key.start, ...wire] : wire
}

function wireKeys(annotations: MapNode): readonly number[] {
  return annotations.entries.filter(({ key }) => isWireAnnotation(key.text)).map(({ key }) => key.start)
}
