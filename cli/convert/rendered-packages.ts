import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { editObject, shownName } from '../../src/convert/edit-object.ts'
import type { Overlay } from '../../src/convert/fleet-texts.ts'
import { type ObjectPairs, pairObjects } from '../../src/convert/pair-objects.ts'
import { type FieldPath, formatFieldPath } from '../../src/field-path.ts'
import { diskTree } from '../../src/folder/file-tree.ts'
import { findPackageFiles } from '../../src/folder/find-package-files.ts'
import { readDocuments } from '../../src/folder/read-package-file.ts'
import { nearestExisting } from '../../src/folder/staging.ts'
import { writeAt } from '../../src/folder/write-at.ts'
import { layOutFiles } from '../../src/intake/file-layout.ts'
import { objectsOfRevision } from '../../src/intake/next-revision.ts'
import { documentText, readVendorObjects, type VendorObject } from '../../src/intake/vendor-objects.ts'
import { type JsonValue, memberOf } from '../../src/json.ts'
import { isLocalConfig } from '../../src/resource-list/applied-objects.ts'
import { identityOfObject } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import { importPlace } from '../import/import-place.ts'
import type { BuiltTree } from './built-tree.ts'
import { detachSetters, settersOfCluster } from './cluster-setters.ts'
import { withDocument, withObjects } from './fleet-objects.ts'
import { baseObjects, overlayObjects } from './overlay-objects.ts'
import { withUpstreamMark } from './upstream-mark.ts'
import { filesBelow, writeFile } from './write-fleet.ts'

/** A file of a rendered package that no `.krmignore` names, with its objects. */
interface RenderedFile {
  readonly path: string
  /** The objects that the cluster gets. */
  readonly objects: readonly VendorObject[]
  /**
   * True if the file stays without these objects: it has objects that no cluster gets, or documents of comments alone, which people wrote.
   */
  readonly hasOthers: boolean
}

function renderedFiles(work: string, folder: string): readonly RenderedFile[] {
  const root = join(work, 'clusters', folder)
  if (!existsSync(root)) return []
  const read = new Set(findPackageFiles(diskTree(root)))
  return filesBelow(root)
    .filter((path) => /\.ya?ml$/.test(path) && read.has(path))
    .map((path) => {
      const bytes = readFileSync(join(root, path))
      const { objects, results } = readVendorObjects([{ name: `clusters/${folder}/${path}`, bytes }])
      if (hasErrors(results)) throw new FunctionError(results)
      const applied = objects.filter(({ object }) => !isLocalConfig(object))
      return {
        path: `clusters/${folder}/${path}`,
        objects: applied,
        hasOthers: applied.length < objects.length || hasComments(path, bytes),
      }
    })
}

function hasComments(path: string, bytes: Buffer): boolean {
  return readDocuments(path, bytes.toString()).documents.some(({ object, text }) => object === undefined && text.includes('#'))
}

/** Returns the objects of all packages in a folder below `clusters`. */
export function renderedObjects(work: string, folder: string): readonly KrmObject[] {
  return renderedFiles(work, folder).flatMap(({ objects }) => objects.map(({ object }) => object))
}

/** Writes into the rendered packages of a cluster what functions and setters do not explain. Returns a line for each object. */
export function writeOverlayEdits(tree: BuiltTree, overlay: Overlay, work: string): readonly string[] {
  const files = renderedFiles(work, overlay.folder)
  const rendered = files.flatMap(({ objects }) => objects.map(({ object }) => object))
  const pairs = pairsOfRendered(tree, overlay, rendered)
  const lines: string[] = []
  const setters = new Map([...tree.packages.values()].map((name) => [name, settersOfCluster(work, overlay.target, name)]))
  // The package of an Application is one folder, whatever its upstream package is called.
  const settersOf = (path: string) =>
    (overlay.packagePath === undefined
      ? setters.get(path.slice(`clusters/${overlay.folder}/`.length).split('/')[0] ?? '')
      : setters.get(tree.packages.get(overlay.bases[0] ?? '') ?? '')) ?? new Set<string>()
  for (const { path, objects, hasOthers } of files) {
    const now = objects.map((each) => [identityOfObject(each.object), pairs.has(each.object) ? each : undefined] as const)
    const kept = objects.filter(({ object }) => pairs.has(object))
    for (const { object } of objects.filter((each) => !kept.includes(each))) lines.push(`edit: ${shownName(object)} is removed`)
    const changed = kept.flatMap(({ object }) => {
      const [before, was] = [shownName(object), object.toJson()]
      const fields = editObject(object, withUpstreamMark(pairs.get(object)?.toJson() ?? {}, object))
      detachSetters(object, fields, settersOf(path))
      return fields.length === 0
        ? []
        : [`edit: ${before} ${fields.map((field) => formatFieldPath(field) + reasonOf(was, object.toJson(), field)).join(', ')}`]
    })
    lines.push(...changed)
    if (changed.length === 0 && kept.length === objects.length) continue
    if (kept.length === 0 && !hasOthers) rmSync(join(work, path))
    else writeAt(join(work, path), withObjects(path, readFileSync(join(work, path), 'utf8'), new Map(now)))
  }
  const paired = new Set(pairs.values())
  const added = (tree.targets.get(overlay.id) ?? []).filter(({ object }) => !paired.has(object))
  const spare = files.filter(({ objects }) => !objects.some(({ object }) => pairs.has(object))).map(({ path }) => path)
  writeAdded(tree, overlay, { added, read: new Set(files.map(({ path }) => path)), spare: new Set(spare) }, work)
  return [...lines, ...added.map(({ object }) => `edit: ${shownName(object)} is added, ${othersWith(tree, overlay, object)}`)]
}

interface AddedObjects {
  readonly added: readonly VendorObject[]
  /** The files that may get objects of a base. Any other file at their place is a person's. */
  readonly read: ReadonlySet<string>
  /** Those without objects that clusters get. One that has comments alone may be the file that an object had before. */
  readonly spare: ReadonlySet<string>
}

/**
 * Writes the objects that an overlay has and its rendered packages do not. One that a base has goes into the file of the base: an object
 * that the overlay took away comes back to its file, whatever prefix or suffix its name has.
 */
function writeAdded(tree: BuiltTree, overlay: Overlay, { added, read, spare }: AddedObjects, work: string): void {
  const folderOf = (base: string) =>
    `clusters/${overlay.folder}${overlay.packagePath === undefined ? `/${tree.packages.get(base) ?? ''}` : ''}`
  const write = (place: string, text: string) => writeFile(work, place, withDocument(work, place, text))
  const known = filesInBases(tree, overlay, work, folderOf)
  const others = added.filter((each) => {
    const place = known.get(each.object)
    if (place === undefined || !(read.has(place) || isFree(join(work, place)))) return true
    write(place, documentText(each))
    return false
  })
  const folder = folderOf(overlay.bases[0] ?? '')
  const taken = existsSync(join(work, folder)) ? filesBelow(join(work, folder)).filter((path) => !spare.has(`${folder}/${path}`)) : []
  for (const [path, text] of layOutFiles(others, [], taken)) write(`${folder}/${path}`, text)
}

/** Returns true if a file can be made: nothing is at its place, and no file in that of a folder above it. */
function isFree(place: string): boolean {
  return !existsSync(place) && statSync(nearestExisting(place)).isDirectory()
}

/** Returns the file of each object of an overlay that a base has, where the package of the base has the object. */
function filesInBases(tree: BuiltTree, overlay: Overlay, work: string, folderOf: (base: string) => string): ReadonlyMap<KrmObject, string> {
  const wanted = overlayObjects(tree, overlay)
  return new Map(
    overlay.bases.flatMap((base) => {
      const { last } = importPlace(`catalog/${tree.packages.get(base) ?? ''}`, { locate: (path) => join(work, path) })
      const pairs = pairObjects(objectsOfRevision(last?.files ?? new Map()), wanted)
      return [...pairs].flatMap(([{ file }, object]) => (file === undefined ? [] : [[object, `${folderOf(base)}/${file.path}`] as const]))
    }),
  )
}

/** Pairs rendered objects with those of the overlay, also if their names differ and both are made of one object of a base. */
function pairsOfRendered(tree: BuiltTree, overlay: Overlay, rendered: readonly KrmObject[]): ObjectPairs {
  const wanted = overlayObjects(tree, overlay)
  const pairs = new Map(pairObjects(rendered, wanted))
  const taken = new Set(pairs.values())
  const own = overlay.bases.flatMap((path) => baseObjects(tree, path))
  const [made, asked] = [pairObjects(own, rendered), pairObjects(own, wanted)]
  for (const object of own) {
    const [one, other] = [made.get(object), asked.get(object)]
    if (one === undefined || other === undefined || pairs.has(one) || taken.has(other)) continue
    pairs.set(one, other)
    taken.add(other)
  }
  return pairs
}

/** Returns why a field is an edit and no setter, in parentheses; '' if its value is of a kind that no setter writes. */
function reasonOf(was: JsonValue, is: JsonValue, path: FieldPath): string {
  const [from, to] = [was, is].map((root) => path.reduce<JsonValue | undefined>(memberOf, root))
  if (from === undefined) return ' (no value before)'
  if (to === undefined) return ' (taken away)'
  const isList = Array.isArray(from) && Array.isArray(to)
  return isList && from.length !== to.length ? ` (${countOf(from.length, 'entry')} before, ${to.length} now)` : ''
}

/** Returns which overlays have an object that no base has. */
function othersWith({ overlays, targets }: BuiltTree, overlay: Overlay, object: KrmObject): string {
  const has = (id: string) => targets.get(id)?.some((each) => identityOfObject(each.object) === identityOfObject(object)) === true
  const others = overlays.filter(({ id }) => id !== overlay.id && has(id)).map(({ id }) => id)
  return others.length === 0 ? 'only this overlay has it' : `${nameFirst(others, 3)} ${others.length === 1 ? 'has' : 'have'} it too`
}
