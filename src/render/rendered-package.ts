import type { JsonRecord } from '../json.ts'
import { isBytes, type PackageContent } from '../merge/package-files.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { emitValue } from '../yaml/emit/emit.ts'
import { renderedOnce } from './shared-contents.ts'

/** An object of a rendered package, and the object that its text is based on. */
export interface RenderedObject {
  readonly from: 'downstream' | 'upstream' | 'made'
  /** The object as its origin has it; for a new object, the object itself. */
  readonly source: KrmObject
  /** `source` itself for an unchanged object, else a draft of `source`. */
  readonly object: KrmObject
}

/** The content of a file of a rendered package: objects, or bytes for a file without resources. */
export type RenderedContent = readonly RenderedObject[] | Uint8Array

/** The files of a rendered package, by their paths below the package's folder. */
export type RenderedFiles = ReadonlyMap<string, RenderedContent>

/** Returns a file as one side has it, without changes. */
export function unchanged(content: PackageContent, from: 'downstream' | 'upstream'): RenderedContent {
  return isBytes(content) ? content : renderedOnce(content, from, () => content.map((object) => ({ from, source: object, object })))
}

/** Returns a new object with the given value. */
export function made(value: JsonRecord): RenderedObject {
  const object = KrmObject.fromDocument(`${emitValue(value, { column: 0, sequences: 'compact' })}\n`)
  return { from: 'made', source: object, object }
}

/** Returns the object to edit: an existing draft, or a new draft of `source`. */
export function draftOf({ source, object }: RenderedObject): KrmObject {
  return object === source ? source.draft() : object
}
