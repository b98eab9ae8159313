import type { FileTree } from '../../folder/file-tree.ts'
import type { JsonRecord } from '../../json.ts'
import { isBytes, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import { remember } from '../../remember.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { emitValue } from '../../yaml/emit/emit.ts'

/** An object of a rendered package, and the object that its text is based on. */
export interface RenderedObject {
  readonly from: 'ours' | 'theirs' | 'made'
  /** The object as its origin has it; for a new object, the object itself. */
  readonly source: KrmObject
  /** `source` itself for an unchanged object, else a draft of `source`. */
  readonly object: KrmObject
}

/** The content of a file of a rendered package: objects, or bytes for a file without resources. */
export type RenderedContent = readonly RenderedObject[] | Uint8Array

/** The files of a rendered package, by their paths below the package's folder. */
export type RenderedFiles = ReadonlyMap<string, RenderedContent>

/** Returns a file with its objects as they will be written. */
export function contentToWrite(content: RenderedContent): PackageContent {
  return isBytes(content) ? content : content.map(({ object }) => object)
}

/** Returns the files of a rendered package with their objects as they will be written. */
export function contentsOf(files: RenderedFiles): PackageFiles {
  return new Map([...files].map(([path, content]) => [path, contentToWrite(content)]))
}

/** Returns an object of a file as it will be written, the first one if no other is asked for; undefined for a file without it. */
export function objectAt(files: RenderedFiles, path: string, index = 0): KrmObject | undefined {
  const content = files.get(path)
  return content === undefined || isBytes(content) ? undefined : content[index]?.object
}

/** Returns a file as one side has it, without changes. */
export function unchanged(content: PackageContent, from: 'ours' | 'theirs'): RenderedContent {
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

/** Facts about a file that many packages of a fleet share. */
interface Shared {
  /** True for a word that the text of one of its objects may hold. */
  readonly words: Map<string, boolean>
  /** The result of `unchanged` for the file, by side. */
  readonly rendered: Map<string, RenderedContent>
}

/**
 * Facts of shared files only. The facts of a file of one package are never needed twice, and entries of a WeakMap outlive the
 * collections of short-lived objects.
 */
const shared = new WeakMap<object, Shared>()

/** Marks a file as shared by many packages and returns the file. Its objects must not change from then on. */
export function share<Content extends PackageContent | RenderedContent>(content: Content): Content {
  if (!shared.has(content)) shared.set(content, { words: new Map(), rendered: new Map() })
  return content
}

/** Returns true if a word may be in the text of one of the objects. A shared file is searched once for each word. */
export function mayHoldWord<T>(list: readonly T[], word: string, objectOf: (entry: T) => KrmObject): boolean {
  const words = shared.get(list)?.words
  const held = words?.get(word) ?? list.some((entry) => objectOf(entry).mayHold(word))
  words?.set(word, held)
  return held
}

/** Returns the rendered form of a file for one side. A shared file is rendered once for each side. */
function renderedOnce(content: PackageContent, from: string, render: () => RenderedContent): RenderedContent {
  const known = shared.get(content)
  return known === undefined ? render() : remember(known.rendered, from, () => share(render()))
}

/** A package in memory whose functions are to run. */
export interface PackageToRun {
  /** The folder of the package, for findings. */
  readonly folder: string
  readonly paths: readonly string[]
  /** The upstream package that it was made from, whose own functions may remove what the next render needs; such objects stay. */
  readonly upstream?: PackageFiles
  /** Returns a finding about the package at its cause, which may be in another file. */
  readonly atCause?: (result: Result) => Result
  /** Returns the bytes of a file. */
  read(path: string): Uint8Array
  /** As of `FileTree`; absent for a package whose files were not read before. */
  readonly documents?: FileTree['documents']
}

/** The result of running the functions of one package. */
export interface FunctionRun {
  /** `failed`: nothing must be written. `saved`: a function failed, and the Kptfile asks for what the functions before it did. */
  readonly outcome: 'done' | 'failed' | 'saved' | 'unmatched'
  /** The new bytes of each file that the functions changed; undefined for a deleted file. */
  readonly changed: ReadonlyMap<string, Uint8Array | undefined>
  /** The names of the functions that ran, in order. */
  readonly ran: readonly string[]
  /** The failure, and what the functions reported, without infos: thousands of packages report the same. */
  readonly results: readonly Result[]
}

export function afterRun(pkg: PackageToRun, { changed }: Pick<FunctionRun, 'changed'>): PackageToRun {
  const paths = [...new Set([...pkg.paths, ...changed.keys()])].filter((path) => !changed.has(path) || changed.get(path) !== undefined)
  return {
    ...pkg,
    paths,
    read: (path) => changed.get(path) ?? pkg.read(path),
    documents: (path, name) => (changed.has(path) ? undefined : pkg.documents?.(path, name)),
  }
}
