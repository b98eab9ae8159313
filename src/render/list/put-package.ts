import { objectsOf, readResources } from '../../folder/read-whole-package.ts'
import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import { itemDocument } from '../../resource-list/item-document.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { joinPath, KPTFILE } from '../../resource-list/package-of.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import type { Result } from '../../result.ts'
import { unwritableFiles } from '../clone/package-changes.ts'
import type { RenderedContent, RenderedFiles, RenderedObject } from '../clone/rendered-package.ts'
import type { RenderedPackage } from '../render-request.ts'

export interface PackagePlace {
  /** The folder of its files, relative to the package of `near`. */
  readonly folder: string
  /** An item of the orchestrator's package that the files belong to; undefined for the package whose pipeline runs. */
  readonly near: KrmObject | undefined
  /** If true, the items of the package are in another folder until now. */
  readonly isMoved: boolean
}

/**
 * Writes a rendered package into a list: inserts new items, updates changed ones and removes the others. Unchanged lines of an item
 * keep their bytes.
 */
export function putPackage(list: ResourceList, files: RenderedFiles, downstream: PackageFiles | undefined, place: PackagePlace): void {
  for (const [path, content] of files) if (!isBytes(content)) putFile(list, joinPath(place.folder, path), content, place)
  const kept = new Set([...files.values()].flatMap((content) => (isBytes(content) ? [] : content.map(({ source }) => source))))
  for (const item of itemsOf(downstream)) if (!kept.has(item)) list.remove(item)
}

function itemsOf(files: PackageFiles = new Map()): readonly KrmObject[] {
  return [...files.values()].flatMap((content) => (isBytes(content) ? [] : content))
}

export function placeOf(kptfile: KrmObject): PackagePlace {
  return { folder: (kptfile.file?.path ?? KPTFILE).replace(/\/?[^/]*$/, ''), near: kptfile, isMoved: false }
}

function putFile(list: ResourceList, path: string, content: readonly RenderedObject[], { near, isMoved }: PackagePlace): void {
  const indexes = isMoved ? [...content.keys()] : indexesOf(content)
  for (const [position, { from, source, object }] of content.entries()) {
    const file = { path, index: indexes[position] ?? position }
    const item = itemFrom(list, source, object)
    if (from !== 'ours') list.insert(item, file, near)
    else {
      if (item !== source) source.takeText(item.toText())
      if (isMoved || source.file?.index !== file.index) list.move(source, file, near)
    }
  }
}

/** Returns an object as an item of the list: functions leave documents in the place of items. */
function itemFrom(list: ResourceList, source: KrmObject, object: KrmObject): KrmObject {
  return object.isDocument && !source.isDocument ? list.rewritten(source, object) : object
}

/**
 * Returns the indexes of the documents of a file. Existing documents keep their indexes if these still ascend, and new ones get the
 * next index; else all documents are numbered from 0.
 */
function indexesOf(content: readonly RenderedObject[]): readonly number[] {
  let last = -1
  const indexes = content.map(({ from, source }) => {
    const own = from === 'ours' ? (source.file?.index ?? -1) : last + 1
    const isAfter = own > last
    last = own
    return isAfter ? own : undefined
  })
  return indexes.every((index) => index !== undefined) ? indexes : [...content.keys()]
}

/** Returns the package with what its functions did to its files. An item keeps its place in the list, and a new one is added. */
export function withRun(made: RenderedPackage): RenderedPackage {
  if (made.run === undefined || made.run.changed.size === 0) return made
  const files = new Map(made.files)
  for (const [path, bytes] of made.run.changed) {
    const { layout } = bytes === undefined ? { layout: undefined } : readResources(path, bytes)
    if (layout === undefined) files.delete(path)
    else files.set(path, ranFile(objectsOf(layout), files.get(path)))
  }
  return { ...made, files }
}

/**
 * Returns the objects of a file after a run, each with the item that it was before: by its position, or by its identity in a file that
 * has more or fewer objects now.
 */
function ranFile(objects: readonly KrmObject[], before: RenderedContent = []): readonly RenderedObject[] {
  const known = isBytes(before) ? [] : before
  const isSameLength = known.length === objects.length
  const left = new Set(known)
  return objects.map((object, index): RenderedObject => {
    const one = isSameLength ? known[index] : [...left].find((each) => isSameResource(each.object, object))
    if (one === undefined) return { from: 'made', source: object, object }
    left.delete(one)
    return itemDocument(one.object).toText() === object.toText() ? one : { ...one, object }
  })
}

function isSameResource(a: KrmObject, b: KrmObject): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind && a.namespace === b.namespace && a.name === b.name
}

/** Returns the faults of the files that a package gains and loses. Files without resources are not items, so they are left out. */
export function unwritableItems(files: RenderedFiles, downstream: PackageFiles = new Map(), folder: string): readonly Result[] {
  const created = [...files].filter(([path, content]) => !isBytes(content) && !downstream.has(path))
  const gone = [...downstream.keys()].filter((path) => !files.has(path))
  const changes = [...created.map(([path]) => ({ path, op: 'create' as const })), ...gone.map((path) => ({ path, op: 'delete' as const }))]
  return unwritableFiles(changes, [...downstream.keys()], folder)
}
