import { groupBy } from '../group-by.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE, locate, nearestFolder } from '../resource-list/package-of.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { FunctionError, type Result } from '../result.ts'
import { quoteNames } from '../schema/describe-value.ts'
import { SOURCE_FOLDER, type VariantPackage } from './variant-package.ts'

/** A package of a ResourceList. */
export interface ListPackage extends VariantPackage {
  /** The folder of the package among all packages of the list; '' for the top. */
  readonly folder: string
}

/** An item with the path of its file among all packages of the list. */
interface Located {
  readonly object: KrmObject
  readonly location: string
}

/**
 * Returns the package whose pipeline runs: the package whose Kptfile is above all other Kptfiles. A Kptfile is recognised by the name of
 * the file, as in Porch's controller (docs/porch.md 34, 37).
 *
 * @throws FunctionError  if no Kptfile is above all others, or the file of that Kptfile holds a second document
 */
export function rootPackage(list: ResourceList, sourceFolders: readonly string[] = [SOURCE_FOLDER]): ListPackage {
  const { items } = list
  const kptfiles = findKptfiles(items)
  const root = findRoot(kptfiles)
  const folder = folderOf(root.location)
  refuseTwoDocuments(kptfiles.filter(({ location }) => location === root.location))
  const packageOf = nearestFolder(new Set(kptfiles.map(({ location }) => folderOf(location))))
  return packageAt(list, root, items, (item) => {
    const location = locationOf(item)
    return location !== undefined && packageOf(location) === folder && !isBelow(location, folder, sourceFolders)
  })
}

/**
 * Returns every package of a list, in the order of the Kptfiles. An item belongs to the package with the nearest Kptfile above the item's
 * file; items below a source folder belong to no package.
 *
 * @throws FunctionError  with every Kptfile whose file holds a second document
 */
export function packagesOf(list: ResourceList, sourceFolders: readonly string[] = [SOURCE_FOLDER]): readonly ListPackage[] {
  const kptfiles = groupBy(findKptfiles(list.items), ({ location }) => folderOf(location))
  for (const documents of kptfiles.values()) refuseTwoDocuments(documents)
  const packageOf = nearestFolder(new Set(kptfiles.keys()))
  const items = groupBy(locateItems(list.items), ({ location }) => packageOf(location))
  return Array.from(kptfiles, ([folder, [kptfile]]) => {
    const own = (items.get(folder) ?? []).flatMap(({ object, location }) => (isBelow(location, folder, sourceFolders) ? [] : [object]))
    return packageAt(list, kptfile, own, () => true)
  })
}

/**
 * Returns a package with its Kptfile.
 *
 * @param items  with all items of the package
 * @param isOwn  returns true for an item of the package; called only for the items that pass a test, since it reads their identity
 */
function packageAt(
  list: ResourceList,
  { object: kptfile, location }: Located,
  items: readonly KrmObject[],
  isOwn: (item: KrmObject) => boolean,
): ListPackage {
  const folder = folderOf(location)
  return {
    folder,
    kptfile,
    pick: (word, test) => {
      const found: KrmObject[] = []
      for (const item of items) if (item.mayHold(word) && test(item) && isOwn(item)) found.push(item)
      return found
    },
    files: () => {
      // Newer kpt leaves the functionConfig out of the items, although its file belongs to the package.
      const config = list.functionConfig === undefined ? [] : [list.functionConfig]
      return [...new Set(locateItems([...items.filter(isOwn), ...config]).map((item) => pathBelow(folder, item.location)))]
    },
    add: (value, file) => list.upsert(value, `${folderPrefix(kptfile)}${file}`, kptfile),
  }
}

/** Returns the items below folders of a package, including items of subpackages. */
export function itemsBelow(items: readonly KrmObject[], { folder }: ListPackage, folders: readonly string[]): readonly KrmObject[] {
  const lastNames = folders.map((name) => name.slice(name.lastIndexOf('/') + 1))
  const candidates = items.filter((item) => lastNames.some((name) => item.mayHold(name)))
  return locateItems(candidates).flatMap(({ object, location }) => (isBelow(location, folder, folders) ? [object] : []))
}

/** Returns the folder in the path annotation of an object, with the final slash: the prefix of the files beside the object's file. */
export function folderPrefix({ file }: KrmObject): string {
  return file?.path.replace(/[^/]*$/, '') ?? ''
}

function pathBelow(folder: string, location: string): string {
  return folder !== '' && location.startsWith(`${folder}/`) ? location.slice(folder.length + 1) : location
}

function findKptfiles(items: readonly KrmObject[]): readonly Located[] {
  const found: Located[] = []
  for (const object of items) {
    const location = object.mayHold(KPTFILE) ? locationOf(object) : undefined
    if (location !== undefined && isKptfile(location)) found.push({ object, location })
  }
  return found
}

function locateItems(items: readonly KrmObject[]): readonly Located[] {
  return items.flatMap((object) => {
    const location = locationOf(object)
    return location === undefined ? [] : [{ object, location }]
  })
}

/** Returns the path of an item's file among all packages of the list; undefined if the item has no file. */
function locationOf({ file, packagePath }: KrmObject): string | undefined {
  return file && locate(file.path, packagePath)
}

function isBelow(location: string, folder: string, below: readonly string[]): boolean {
  return below.some((name) => location.startsWith(folder === '' ? `${name}/` : `${folder}/${name}/`))
}

function findRoot(kptfiles: readonly Located[]): Located {
  const [first] = [...kptfiles].sort((a, b) => a.location.length - b.location.length)
  if (first === undefined) throw refusal('must contain the Kptfile of the package, found none')
  const folder = folderOf(first.location)
  const beside = kptfiles.filter(({ location }) => folder !== '' && !location.startsWith(`${folder}/`))
  if (beside.length === 0) return first
  const found = [first, ...beside].map(({ location }) => location).sort()
  throw refusal(`must contain one Kptfile that is above all others, found ${quoteNames(found)}`)
}

function refusal(message: string): FunctionError {
  return new FunctionError([{ severity: 'error', message: `\`items\` ${message}`, tags: { rule: 'kptfile-missing' } }])
}

function refuseTwoDocuments(documents: readonly Located[]): void {
  if (documents.length < 2) return
  throw new FunctionError(documents.slice(1).map(({ object }) => secondDocument(object)))
}

/** Returns the error of a second document in a Kptfile. */
export function secondDocument(object: KrmObject): Result {
  const { kind = 'an object', name = '' } = object
  return {
    severity: 'error',
    message: `\`kind\` must be that of the only document in a Kptfile, got a second one: ${`${kind} ${name}`.trimEnd()}`,
    ...objectPlace(object),
    position: object.positionOf(['kind']),
    tags: { rule: 'kptfile-documents' },
  }
}
