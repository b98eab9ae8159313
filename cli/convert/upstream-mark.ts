import { shownName } from '../../src/convert/edit-object.ts'
import { distinctItems } from '../../src/group-by.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import { asRecord, type JsonRecord } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { UPSTREAM_IDENTIFIER } from '../../src/well-known.ts'
import { nameFirst } from '../../src/wording.ts'

/**
 * Takes the annotation with the upstream identity away from built objects: it is that of another package, and each render writes its own.
 * Returns a line with the objects that had it, none if there are none.
 */
export function dropUpstreamMarks(objects: readonly VendorObject[]): readonly string[] {
  const marked = objects.map(({ object }) => object).filter((object) => object.annotations.has(UPSTREAM_IDENTIFIER))
  if (marked.length === 0) return []
  for (const object of marked) {
    const isAlone = Object.keys(asRecord(object.get(['metadata', 'annotations']))).length === 1
    object.delete(['metadata', 'annotations', ...(isAlone ? [] : [UPSTREAM_IDENTIFIER])])
  }
  const names = distinctItems(marked.map(shownName)).toSorted()
  return [`the annotation ${UPSTREAM_IDENTIFIER}, with which kpt marks clones, is left out: ${nameFirst(names, 3)}`]
}

/** Returns a value with the annotation by which kpt finds the upstream of a rendered object. */
export function withUpstreamMark(value: JsonRecord, rendered: KrmObject): JsonRecord {
  const mark = rendered.annotations.get(UPSTREAM_IDENTIFIER)
  if (mark === undefined) return value
  const metadata = asRecord(value.metadata)
  return { ...value, metadata: { ...metadata, annotations: { ...asRecord(metadata.annotations), [UPSTREAM_IDENTIFIER]: mark } } }
}

/** Returns the value of a rendered object without that annotation. */
export function withoutUpstreamMark(rendered: KrmObject): JsonRecord {
  const value = rendered.toJson()
  if (!rendered.annotations.has(UPSTREAM_IDENTIFIER)) return value
  const { annotations, ...metadata } = asRecord(value.metadata)
  const others = Object.entries(asRecord(annotations)).filter(([key]) => key !== UPSTREAM_IDENTIFIER)
  return { ...value, metadata: others.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(others) } }
}
