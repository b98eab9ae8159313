import type { FieldPath } from '../../field-path.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'

const origins = new WeakMap<KrmObject, readonly KrmObject[]>()

/**
 * Returns the texts that an object of a simulation is made of: the changes that were merged into it, the last one first, then the object as
 * its file has it. No text for an object that a controller made; undefined for an object of which `setOrigins` knows nothing.
 */
export function originsOf(object: KrmObject): readonly KrmObject[] | undefined {
  return origins.get(object)
}

/** Says what texts an object is made of: whatever becomes of the object, its places are those of the texts. */
export function setOrigins(object: KrmObject, texts: readonly KrmObject[]): void {
  origins.set(object, texts)
}

/**
 * Returns the text that a field of an object comes from: the last one that has the field, and of the fields that name the object, which
 * every change repeats, the first. The object itself if nothing else is known; undefined for an object that a controller made.
 */
export function originAt(object: KrmObject, path: FieldPath): KrmObject | undefined {
  const texts = originsOf(object) ?? [object]
  const first = texts.at(-1)
  return texts.length < 2 || NAMING.has(path.join('.')) ? first : (texts.find((text) => text.get(path) !== undefined) ?? first)
}

const NAMING: ReadonlySet<string> = new Set(['', 'apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace'])
