import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { readWholePackage, withoutLeftOut } from '../../src/folder/read-whole-package.ts'
import { isOutside } from '../../src/folder/staging.ts'
import { gatedDiskFolder, type WholeFolder } from '../../src/folder/whole-folder.ts'
import type { RevisionFiles } from '../../src/intake/next-revision.ts'
import type { RevisionLayouts } from '../../src/intake/revision-comments.ts'
import { compareRevisions, revisionVersion } from '../../src/kinds/revision.ts'
import { isDns1123Label } from '../../src/kubernetes/names.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import type { Host } from '../host.ts'
import { newFolderFault } from '../new-folder.ts'
import { isFile, isFolder } from '../place-kind.ts'
import { UsageError } from '../usage-error.ts'

/** Finds what the caller named on disk. */
type Places = Pick<Host, 'locate'>

/** The place of a package in a catalog, CATALOG/NAME@REVISION. */
export interface ImportPlace {
  /** The folder of the catalog, as the caller named it. */
  readonly catalog: string
  readonly name: string
  /** The revision to write. If the caller named none: the one after the newest. */
  readonly revision: string
  readonly isNamed: boolean
  /** The newest revision before it. */
  readonly last?: { readonly revision: string } & ReadRevision
  /** The content of the revision, if it exists. */
  readonly present?: RevisionFiles
}

/**
 * Returns the place that `--as` names, with the last revision.
 *
 * @throws UsageError for a place where no package may be written; FunctionError if the last revision cannot be read
 */
export function importPlace(as: string, host: Places): ImportPlace {
  const { catalog, name, revision: asked } = placeOf(as, host)
  const there = revisionsIn(host.locate(catalog), name)
  if (existsSync(join(host.locate(catalog), name, KPTFILE)))
    throw new UsageError(`'${catalog}/${name}' is a package without revisions: rename it to '${name}@v1', or choose another name with --as`)
  const newest = there.at(-1)
  const revision = asked ?? following(newest)
  const order = revisionVersion(revision)
  const earlier = there.filter((each) => {
    const version = revisionVersion(each)
    return order !== undefined && version !== undefined && compareRevisions(version, order) < 0
  })
  const last = earlier.at(-1)
  const shown = (each: string) => `${catalog}/${name}@${each}`
  const present = there.includes(revision) ? readRevision(shown(revision), host).files : undefined
  if (present === undefined) refuseTaken(shown(revision), host)
  return {
    catalog,
    name,
    revision,
    isNamed: asked !== undefined,
    ...(last !== undefined && { last: { revision: last, ...readRevision(shown(last), host) } }),
    ...(present && { present }),
  }
}

function placeOf(as: string, host: Places): { readonly catalog: string; readonly name: string; readonly revision: string | undefined } {
  const path = posix.normalize(as)
  const [, catalog = '', name = '', revision] = /^([\s\S]+)\/([^/@]*)(?:@([^/]*))?$/.exec(path) ?? []
  if (catalog === '' || name === '')
    throw new UsageError(`\`--as\` must be CATALOG/NAME or CATALOG/NAME@REVISION, such as catalog/web@v1, got '${as}'`)
  if (!isDns1123Label(name))
    throw new UsageError(`\`--as\` must have a package name of lower-case letters, digits and '-', at most 63, got '${name}'`)
  if (revision !== undefined && revisionVersion(revision) === undefined)
    throw new UsageError(`\`--as\` must have a revision such as v2 or v1.4.0 behind '@', got '${revision}'`)
  const here = host.locate('.')
  if (posix.isAbsolute(path) || path.startsWith('../') || isOutside(realPlace(here), realPlace(host.locate(catalog))))
    throw new UsageError(`\`--as\` must be inside of the current folder, got '${as}': change to the folder of the fleet first`)
  const fault = newFolderFault(catalog) ?? revisionFault(catalog, host)
  if (fault !== undefined) throw new UsageError(`the catalog of \`--as\` ${fault}, got '${as}'`)
  if (isFile(host.locate(catalog))) throw new UsageError(`\`--as\` must name a folder for the catalog, '${catalog}' is a file`)
  return { catalog, name, revision }
}

/** Returns why no package may be in a folder that is, or would be called like, a revision of a package; undefined for any other one. */
function revisionFault(catalog: string, host: Places): string | undefined {
  const folders = catalog.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  const isRevision = (folder: string) => !isFolder(host.locate(folder)) || existsSync(join(host.locate(folder), KPTFILE))
  const found = folders.find((folder) => posix.basename(folder).includes('@') && isRevision(folder))
  return found && `must not be in a revision of a package, as '${found}' is called`
}

/** Returns the revisions of a package in a catalog, the oldest first. */
function revisionsIn(folder: string, name: string): readonly string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name.startsWith(`${name}@`))
  return names
    .map((entry) => entry.name.slice(name.length + 1))
    .filter((revision) => existsSync(join(folder, `${name}@${revision}`, KPTFILE)))
    .flatMap((revision) => {
      const version = revisionVersion(revision)
      return version === undefined ? [] : [{ revision, version }]
    })
    .toSorted((a, b) => compareRevisions(a.version, b.version))
    .map(({ revision }) => revision)
}

/** Returns the revision after another one: v3 after v2 and after v2.1.0. */
function following(newest: string | undefined): string {
  return `v${newest === undefined ? 1 : Number(/^v?(\d+)/.exec(newest)?.[1] ?? 0) + 1}`
}

/** @throws UsageError for a file or a folder with content at the place of a new package */
function refuseTaken(shown: string, host: Places): void {
  const found = lstatSync(host.locate(shown), { throwIfNoEntry: false })
  if (found === undefined) return
  if (found.isDirectory() && readdirSync(host.locate(shown)).length === 0) return
  throw new UsageError(
    `import overwrites nothing, and '${shown}' is ${found.isDirectory() ? 'a folder with other files' : found.isSymbolicLink() ? 'a link' : 'a file'}: choose another revision with --as, or move it`,
  )
}

/** A revision on disk, and what its files hold. */
interface ReadRevision {
  readonly files: RevisionFiles
  readonly layouts: RevisionLayouts
  readonly links: readonly string[]
  readonly disk: WholeFolder
}

/** @throws FunctionError with every file that cannot be read */
function readRevision(shown: string, host: Places): ReadRevision {
  const folder = gatedDiskFolder(host.locate(shown))
  const { contents, layouts, results } = readWholePackage(folder, { krmignore: false, place: '' })
  const all = [...(folder.gate?.results('') ?? []), ...withoutLeftOut(results, folder, '')]
  if (hasErrors(all))
    throw new FunctionError(
      all.map((result) => (result.file ? { ...result, file: { ...result.file, path: `${shown}/${result.file.path}` } } : result)),
    )
  return { files: contents, layouts, links: folder.links, disk: folder }
}
