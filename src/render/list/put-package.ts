import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import type { RenderedFiles, RenderedObject } from '../rendered-package.ts'
import { joinFolders } from '../upstream/upstream-places.ts'

/** Where a package goes in a list. */
export interface PackagePlace {
  /** The folder of its files, from that of the package that `near` is of. */
  readonly folder: string
  /** An item of the package that its files are of; undefined: the one whose pipeline runs. */
  readonly near: KrmObject | undefined
  /** Whether its items stand elsewhere until now. */
  readonly isMoved: boolean
}

/** Makes the items of a package what was rendered: of those that are there the text changes where it must, and nothing else. */
export function putPackage(list: ResourceList, files: RenderedFiles, downstream: PackageFiles | undefined, place: PackagePlace): void {
  for (const [path, content] of files) if (!isBytes(content)) putFile(list, joinFolders(place.folder, path), content, place)
  const kept = new Set([...files.values()].flatMap((content) => (isBytes(content) ? [] : content.map(({ source }) => source))))
  for (const item of itemsOf(downstream)) if (!kept.has(item)) list.remove(item)
}

function itemsOf(files: PackageFiles = new Map()): readonly KrmObject[] {
  return [...files.values()].flatMap((content) => (isBytes(content) ? [] : content))
}

/** Where the package of a Kptfile is: its files are beside it. */
export function placeOf(kptfile: KrmObject): PackagePlace {
  return { folder: (kptfile.file?.path ?? KPTFILE).replace(/\/?[^/]*$/, ''), near: kptfile, isMoved: false }
}

function putFile(list: ResourceList, path: string, content: readonly RenderedObject[], { near, isMoved }: PackagePlace): void {
  const indexes = isMoved ? [...content.keys()] : indexesOf(content)
  for (const [position, { from, source, object }] of content.entries()) {
    const file = { path, index: indexes[position] ?? position }
    if (from !== 'downstream') list.insert(object, file, near)
    else {
      if (object !== source) source.takeText(object.toText())
      if (isMoved || source.file?.index !== file.index) list.move(source, file, near)
    }
  }
}

/** The numbers of the documents of a file: those that they have, as long as these still tell their order, and the next for new ones behind. */
function indexesOf(content: readonly RenderedObject[]): readonly number[] {
  let last = -1
  const indexes = content.map(({ from, source }) => {
    const own = from === 'downstream' ? (source.file?.index ?? -1) : last + 1
    const isAfter = own > last
    last = own
    return isAfter ? own : undefined
  })
  return indexes.every((index) => index !== undefined) ? indexes : [...content.keys()]
}
