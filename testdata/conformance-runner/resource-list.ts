import { asRecord, type JsonRecord, type JsonValue, lookup } from '../../src/json.ts'
import { wireAnnotations } from './wire.ts'
import { readResource, type WrittenResource } from './written-resource.ts'

/**
 * Returns the items of a ResourceList with the text of each, as the runner's own reader reads them, without the annotations of the wire:
 * `annotations` may be empty.
 */
export function itemsIn(list: string): readonly WrittenResource[] {
  const [, items = ''] = /^items:[ \t]*\n((?:(?:-| |#)[^\n]*\n|\n)*)/m.exec(list) ?? []
  const texts = items.split(/^(?=- )/m).filter((text) => text.startsWith('- '))
  return texts.map((text, index) => {
    const own = text.replace(/^(?:- | {2})/gm, '')
    const item = readResource(own, { path: '', index })
    if (item === undefined) throw new Error(`item ${index} is no map: ${own}`)
    const { path, index: place } = placeOf(item.annotations)
    return { ...item, path, index: place, value: withoutWire(item.value) }
  })
}

/** Returns the results of a ResourceList. */
export function resultsOf(list: string): readonly JsonRecord[] {
  const at = list.search(/^results:/m)
  const read = at === -1 ? undefined : readResource(list.slice(at), { path: '', index: 0 })
  const results = read?.value.results
  return Array.isArray(results) ? results.map(asRecord) : []
}

function placeOf(annotations: JsonRecord): { readonly path: string; readonly index: number } {
  return { path: String(annotations['config.kubernetes.io/path'] ?? ''), index: Number(annotations['config.kubernetes.io/index'] ?? 0) }
}

const WIRE = Object.keys(wireAnnotations('', 0, 0))

/** Returns a resource without the annotations of the wire; without `annotations` if there were no others. */
export function withoutPlace(value: JsonRecord): JsonRecord {
  const own = withoutWire(value)
  const { annotations, ...metadata } = asRecord(lookup(own, 'metadata'))
  const had = Object.keys(asRecord(lookup(asRecord(value.metadata), 'annotations'))).length
  return had > 0 && Object.keys(asRecord(annotations)).length === 0 ? { ...own, metadata } : own
}

function withoutWire(value: JsonRecord): JsonRecord {
  const metadata = asRecord(lookup(value, 'metadata'))
  const annotations = lookup(metadata, 'annotations')
  if (annotations === undefined) return value
  const own: readonly (readonly [string, JsonValue])[] = Object.entries(asRecord(annotations)).filter(([key]) => !WIRE.includes(key))
  const { annotations: _, ...others } = metadata
  return { ...value, metadata: { ...others, annotations: Object.fromEntries(own) } }
}
