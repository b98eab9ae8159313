import type { JsonRecord } from '../json.ts'
import { isBytes, type PackageContent } from '../merge/package-files.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { emitValue } from '../yaml/emit/emit.ts'
import { renderedOnce } from './shared-contents.ts'

/** One object of a package in the making, with the object that its text begins with. */
export interface RenderedObject {
  readonly from: 'downstream' | 'upstream' | 'made'
  /** As it stands where it comes from; of one that is made here, the object itself. */
  readonly source: KrmObject
  /** `source` itself where nothing changed, else a draft of it. */
  readonly object: KrmObject
}

/** What a file of a package in the making holds: objects, or bytes where it holds no resources. */
export type RenderedContent = readonly RenderedObject[] | Uint8Array

/** A package in the making: every file by its path below the package's folder. */
export type RenderedFiles = ReadonlyMap<string, RenderedContent>

/** A file as one side has it. */
export function unchanged(content: PackageContent, from: 'downstream' | 'upstream'): RenderedContent {
  return isBytes(content) ? content : renderedOnce(content, from, () => content.map((object) => ({ from, source: object, object })))
}

/** A new object. */
export function made(value: JsonRecord): RenderedObject {
  const object = KrmObject.fromDocument(`${emitValue(value, { column: 0, sequences: 'compact' })}\n`)
  return { from: 'made', source: object, object }
}

/** The object to change: a draft of what the text begins with, made once. */
export function draftOf({ source, object }: RenderedObject): KrmObject {
  return object === source ? source.draft() : object
}
