import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, KPTFILE, locate, packageOf } from '../resource-list/package-of.ts'
import { FunctionError, type Result } from '../result.ts'
import { quoteNames } from '../schema/describe-value.ts'

/** The folder of a package whose resources are only copied from: never part of the package, never injection points. */
export const SOURCE_FOLDER = 'sources'

/** One package of a list, as a variant's mutations see it. */
export interface VariantPackage {
  /** Its folder among all packages of the list; '' for the top. */
  readonly folder: string
  readonly kptfile: KrmObject
  /**
   * Its own items, the Kptfile among them, that a test picks: no subpackage's, none below a source folder. The test comes first, and
   * must not throw, since it sees other packages' items too: most items of a large package are never looked at, not even for their files.
   */
  pick(test: (item: KrmObject) => boolean): readonly KrmObject[]
}

/** An item with the place of its file among all packages of the list. */
interface Located {
  readonly object: KrmObject
  readonly location: string
}

/**
 * The package whose pipeline runs: the one with the Kptfile that stands above all others. Like the controller, it goes by the
 * file's name (docs/porch.md 34, 37).
 *
 * @throws FunctionError  when no Kptfile stands above all others, or its file holds another document
 */
export function rootPackage(items: readonly KrmObject[], sourceFolders: readonly string[] = [SOURCE_FOLDER]): VariantPackage {
  const kptfiles = locateItems(items.filter((item) => item.mayHold(KPTFILE))).filter(({ location }) => isKptfile(location))
  const root = findRoot(kptfiles)
  const folder = folderOf(root.location)
  refuseTwoDocuments(kptfiles.filter(({ location }) => location === root.location))
  const folders = new Set(kptfiles.map(({ location }) => folderOf(location)))
  const isOwn = ({ location }: Located) => packageOf(location, folders) === folder && !isBelow(location, folder, sourceFolders)
  return {
    folder,
    kptfile: root.object,
    pick: (test) => locateItems(items.filter(test)).flatMap((located) => (isOwn(located) ? [located.object] : [])),
  }
}

/** The items below folders of a package, of whatever package they are themselves. */
export function itemsBelow(items: readonly KrmObject[], { folder }: VariantPackage, folders: readonly string[]): readonly KrmObject[] {
  const lastNames = folders.map((name) => name.slice(name.lastIndexOf('/') + 1))
  const candidates = items.filter((item) => lastNames.some((name) => item.mayHold(name)))
  return locateItems(candidates).flatMap(({ object, location }) => (isBelow(location, folder, folders) ? [object] : []))
}

/** The path of an item's file below the package's folder. */
export function pathInPackage(object: KrmObject, { folder }: VariantPackage): string {
  const location = locate(object.file?.path ?? '', object.packagePath)
  return folder !== '' && location.startsWith(`${folder}/`) ? location.slice(folder.length + 1) : location
}

function locateItems(items: readonly KrmObject[]): readonly Located[] {
  return items.flatMap((object) => (object.file === undefined ? [] : [{ object, location: locate(object.file.path, object.packagePath) }]))
}

function isKptfile(location: string): boolean {
  return location === KPTFILE || location.endsWith(`/${KPTFILE}`)
}

function isBelow(location: string, folder: string, below: readonly string[]): boolean {
  return below.some((name) => location.startsWith(folder === '' ? `${name}/` : `${folder}/${name}/`))
}

function findRoot(kptfiles: readonly Located[]): Located {
  const [first] = [...kptfiles].sort((a, b) => a.location.length - b.location.length)
  if (first === undefined) throw refusal('must hold the Kptfile of the package, found none')
  const folder = folderOf(first.location)
  const beside = kptfiles.filter(({ location }) => folder !== '' && !location.startsWith(`${folder}/`))
  if (beside.length === 0) return first
  const found = [first, ...beside].map(({ location }) => location).sort()
  throw refusal(`must hold one Kptfile that stands above all others, found ${quoteNames(found)}`)
}

function refusal(message: string): FunctionError {
  return new FunctionError([{ severity: 'error', message: `\`items\` ${message}`, tags: { rule: 'kptfile-missing' } }])
}

function refuseTwoDocuments(documents: readonly Located[]): void {
  if (documents.length < 2) return
  throw new FunctionError(documents.slice(1).map(({ object }) => secondDocument(object)))
}

function secondDocument(object: KrmObject): Result {
  return {
    severity: 'error',
    message: `\`kind\` must be that of the only document in a Kptfile, got a second one: ${object.kind} ${object.name}`,
    resourceRef: object.ref,
    ...(object.file && { file: object.file }),
    position: object.positionOf(['kind']),
    tags: { rule: 'kptfile-documents' },
  }
}
