import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { isPackageOfRepository, readRepositoryPackages } from '../../src/dependencies/carvel/repository-entries.ts'
import { toResults } from '../../src/dependencies/config/options.ts'
import { readPackageContents, sourceFault } from '../../src/dependencies/crossplane/package-contents.ts'
import { findRepository, readRepository } from '../../src/dependencies/glasskube/repository.ts'
import type { CatalogEntry } from '../../src/dependencies/reading/catalog.ts'
import { readBoundedFile } from '../../src/folder/bounded-file.ts'
import { diskTree, type FileTree } from '../../src/folder/file-tree.ts'
import { readTree } from '../../src/folder/read-package.ts'
import { readPackageFile } from '../../src/folder/read-package-file.ts'
import { isImage, PACKAGE_YAML, type PackageImage, readImages } from '../../src/image/image.ts'
import { folderFiles, type ImageFiles, tarFiles, withFile } from '../../src/image/image-files.ts'
import { ArchiveError } from '../../src/image/tar.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { isFile, isFolder } from '../place-kind.ts'
import { placeFile } from '../print/print-results.ts'

/** A source of package versions, as the caller names it. */
export interface CatalogSource {
  /** The path on disk. */
  readonly place: string
  /** The path as the caller wrote it. */
  readonly name: string
  /** The reference before `=`, or ''. */
  readonly reference: string
}

/** A kind of source. */
interface SourceKind {
  /** The source in messages. */
  readonly noun: string
  /** Returns true if the kind reads what is at the place. */
  readonly holds: (place: string) => boolean
  /**
   * Returns the versions that a source holds, and adds warnings to a list.
   *
   * @throws FunctionError, ArchiveError for a source that is refused
   */
  readonly read: (source: CatalogSource, warnings: Result[]) => readonly CatalogEntry[]
}

/** The kinds of sources: the first one that holds a source reads it. */
const SOURCE_KINDS: readonly SourceKind[] = [
  { noun: 'an .xpkg, a bundle of imgpkg or another image archive', holds: isFile, read: readImageArchive },
  { noun: 'a folder with the layout of an image', holds: (place) => isImage(folderFiles(place)), read: readImageFolder },
  { noun: 'a folder with the package.yaml of an image', holds: holdsPackageYaml, read: readUnpackedImage },
  { noun: 'a folder with a crossplane.yaml', holds: (place) => isFile(join(place, METADATA_FILE)), read: readPackageFolder },
  { noun: 'a Project of Upbound with its upbound.yaml', holds: (place) => isFile(join(place, PROJECT_FILE)), read: readProject },
  { noun: 'a repository folder of Glasskube', holds: holdsRepository, read: readRepositoryFolder },
  { noun: 'a package repository of Carvel', holds: holdsCarvelRepository, read: readCarvelRepository },
]

const METADATA_FILE = 'crossplane.yaml'
const PROJECT_FILE = 'upbound.yaml'

/**
 * Returns the versions of packages that a source holds.
 *
 * @param warnings  receives the warnings about the source
 * @throws FunctionError with every fault of the source
 */
export function readSource(source: CatalogSource, warnings: Result[]): readonly CatalogEntry[] {
  const kind = existsSync(source.place) ? SOURCE_KINDS.find(({ holds }) => holds(source.place)) : undefined
  if (kind === undefined) {
    const found = existsSync(source.place) ? 'something else' : 'missing'
    const nouns = SOURCE_KINDS.map(({ noun }) => noun)
    const message = `must be ${nouns.slice(0, -1).join(', ')} or ${nouns.at(-1)}, is ${found}`
    throw new FunctionError([sourceFault(source.name, 'package-source', message)])
  }
  try {
    return kind.read(source, warnings)
  } catch (error) {
    throw error instanceof ArchiveError ? new FunctionError([sourceFault(source.name, 'archive-refused', error.message)]) : error
  }
}

function readImageArchive(source: CatalogSource, warnings: Result[]): readonly CatalogEntry[] {
  return withFile(source.place, (bytes) => readImage(tarFiles(bytes), source, warnings))
}

function readImageFolder(source: CatalogSource, warnings: Result[]): readonly CatalogEntry[] {
  return readImage(folderFiles(source.place), source, warnings)
}

/** Returns the versions in the images of an archive. A tag before `=` chooses one of several images. */
function readImage(files: ImageFiles, source: CatalogSource, warnings: Result[]): readonly CatalogEntry[] {
  if (!isImage(files)) throw new ArchiveError('must be an image, has neither index.json nor manifest.json')
  const all = readImages(files)
  const bundles = all.filter(({ isBundle }) => isBundle)
  // An archive of imgpkg also has the images that its bundle names.
  const images = bundles.length > 0 ? bundles : all
  const tag = tagOf(source.reference)
  const chosen = images.length === 1 ? images : images.filter(({ name }) => source.reference === '' || tagOf(name) === tag)
  if (chosen.length === 0) {
    const names = images.map(({ name }) => name || 'one without a name').join(', ')
    throw new FunctionError([sourceFault(source.name, 'package-reference', `must hold an image with the tag '${tag}', holds ${names}`)])
  }
  return chosen.flatMap((image) => {
    const { name, digest } = image
    const bytes = image.isBundle ? undefined : image.packageYaml()
    if (bytes === undefined) return packagesOf(bundledPackages(image), source, warnings)
    const reference = source.reference || (name.includes('/') ? name : '')
    return entriesOf(objectsIn(bytes, `${source.name}/${PACKAGE_YAML}`), { ...source, reference, digest })
  })
}

/** Returns the folder of a bundle of imgpkg that holds the Packages of a repository. */
function bundledPackages({ isBundle, folder }: PackageImage): FileTree {
  const found = folder(CARVEL_FOLDER)
  if (found !== undefined) return found
  throw new ArchiveError(
    isBundle
      ? `must have files in the folder '${CARVEL_FOLDER}' of its bundle, has none`
      : `must have '${PACKAGE_YAML}' in the root of its files, or a folder '${CARVEL_FOLDER}', has none`,
  )
}

/** Returns the tag of a reference, or a text that is a tag alone. */
function tagOf(reference: string): string {
  const [name = ''] = reference.split('@')
  return name.slice(name.lastIndexOf(':') + 1)
}

function holdsPackageYaml(place: string): boolean {
  const path = join(place, PACKAGE_YAML)
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path, 'utf8').includes('meta.pkg.crossplane.io')
}

function readUnpackedImage(source: CatalogSource): readonly CatalogEntry[] {
  const bytes = readBoundedFile(join(source.place, PACKAGE_YAML), PACKAGE_YAML)
  return entriesOf(objectsIn(bytes, placeFile(PACKAGE_YAML, source.name)), { ...source, digest: '' })
}

/** Reads the folder that `crossplane xpkg build` builds a package from: all resources but the examples. */
function readPackageFolder(source: CatalogSource, warnings: Result[]): readonly CatalogEntry[] {
  const { list, results } = readTree(withoutExamples(diskTree(source.place)), (path) => placeFile(path, source.name))
  const found = results.map(asCrossplaneReads)
  if (hasErrors(found)) throw new FunctionError(found)
  warnings.push(...found)
  return entriesOf(list.items, { ...source, digest: '' })
}

/** Returns a finding as a warning if Crossplane accepts the file: of two equal keys it takes the last. Keys of the metadata stay errors. */
function asCrossplaneReads(result: Result): Result {
  const isMetadata = result.resourceRef?.apiVersion.startsWith('meta.pkg.crossplane.io/') !== false
  if (result.tags.rule !== 'duplicate-key' || isMetadata) return result
  return { ...result, severity: 'warning', message: `${result.message}; Crossplane takes the last` }
}

function withoutExamples(tree: FileTree): FileTree {
  return {
    ...tree,
    list: (folder) => {
      const entries = tree.list(folder).filter(({ name, type }) => !(folder === '' && name === 'examples' && type === 'folder'))
      const link = entries.find(({ isLink, name }) => isLink === true && /\.ya?ml$/.test(name))
      if (link !== undefined) throw new ArchiveError(`'${folder === '' ? '' : `${folder}/`}${link.name}' must be a file, is a link`)
      return entries
    },
  }
}

function holdsRepository(place: string): boolean {
  return statSync(place).isDirectory() && findRepository(diskTree(place)) !== undefined
}

/** Reads the metadata and the APIs of a Project of Upbound, of which `up project build` makes a Configuration. */
function readProject(source: CatalogSource, warnings: Result[]): readonly CatalogEntry[] {
  const bytes = readBoundedFile(join(source.place, PROJECT_FILE), PROJECT_FILE)
  const [project, ...others] = objectsIn(bytes, placeFile(PROJECT_FILE, source.name))
  const apis = textAt(project, ['spec', 'paths', 'apis']) || 'apis'
  if (posix.isAbsolute(apis) || posix.normalize(apis).startsWith('..'))
    throw new FunctionError([
      sourceFault(source.name, 'package-contents', `must have its APIs in a folder of its own, \`spec.paths.apis\` is '${apis}'`),
    ])
  const tree = diskTree(join(source.place, apis))
  const isThere = existsSync(join(source.place, apis))
  const { list, results } = isThere
    ? readTree(tree, (path) => placeFile(`${apis}/${path}`, source.name))
    : { list: { items: [] }, results: [] }
  const found = results.map(asCrossplaneReads)
  if (hasErrors(found)) throw new FunctionError(found)
  warnings.push(...found)
  return entriesOf([...(project === undefined ? [] : [project]), ...others, ...list.items], { ...source, digest: '' })
}

function textAt(object: KrmObject | undefined, path: readonly string[]): string {
  const value = object?.get(path)
  return typeof value === 'string' ? value : ''
}

/** The folder of a package repository that kapp-controller reads, as the bundle of imgpkg has it. */
const CARVEL_FOLDER = 'packages'

function holdsCarvelRepository(place: string): boolean {
  const folder = join(place, CARVEL_FOLDER)
  if (!isFolder(folder)) return false
  return readTree(diskTree(folder), (path) => path).list.items.some(isPackageOfRepository)
}

/** Reads the Packages in the folder `packages`: only this folder is deployed (kapp-controller pkg/packagerepository/app_template.go). */
function readCarvelRepository(source: CatalogSource, warnings: Result[]): readonly CatalogEntry[] {
  return packagesOf(diskTree(join(source.place, CARVEL_FOLDER)), source, warnings)
}

function packagesOf(tree: FileTree, { name }: CatalogSource, warnings: Result[]): readonly CatalogEntry[] {
  const { list, results } = readTree(tree, (path) => placeFile(`${CARVEL_FOLDER}/${path}`, name))
  const { entries, faults } = readRepositoryPackages(list.items)
  const all = [...results, ...faults]
  if (hasErrors(all)) throw new FunctionError(all)
  warnings.push(...all)
  return entries
}

/** Reads a repository folder of Glasskube. The text before `=` is the name of the repository. */
function readRepositoryFolder({ place, name, reference }: CatalogSource, warnings: Result[]): readonly CatalogEntry[] {
  const tree = diskTree(place)
  const folder = findRepository(tree) ?? ''
  const { entries, findings, results } = readRepository(tree, { folder, repository: reference, name: (path) => placeFile(path, name) })
  const all = [...results, ...toResults(findings, { severities: new Map(), strict: false })]
  if (hasErrors(all)) throw new FunctionError(all)
  warnings.push(...all)
  return entries
}

function objectsIn(bytes: Uint8Array, name: string): readonly KrmObject[] {
  const { file, results } = readPackageFile(name, bytes)
  if (hasErrors(results)) throw new FunctionError(results)
  return file?.documents.flatMap(({ object }) => object ?? []) ?? []
}

function entriesOf(
  objects: readonly KrmObject[],
  { name, reference, digest }: CatalogSource & { readonly digest: string },
): readonly CatalogEntry[] {
  const { entry, faults } = readPackageContents({ name, objects, reference, digest })
  if (faults.length > 0) throw new FunctionError(faults)
  return entry === undefined ? [] : [entry]
}
