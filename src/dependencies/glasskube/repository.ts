import { formatFieldPath } from '../../field-path.ts'
import type { FileTree, TreeEntry } from '../../folder/file-tree.ts'
import { readPackageFile } from '../../folder/read-package-file.ts'
import type { JsonRecord, JsonValue } from '../../json.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { joinPath } from '../../resource-list/package-of.ts'
import { WireError } from '../../resource-list/wire-error.ts'
import type { Result } from '../../result.ts'
import { duplicateKeyResults } from '../../schema/document-faults.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { type Finding, listNames, nameSome } from '../finding.ts'
import { rangeReader } from '../range.ts'
import type { CatalogEntry } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import { childField, fieldAt, type ObjectField, placeOfField } from '../reading/field.ts'
import { MASTERMINDS_TRAPS } from '../reading/written-constraint.ts'

/** The packages of a repository, and all faults of its files. With an error the entries are not complete. */
export interface ReadRepository {
  readonly entries: readonly CatalogEntry[]
  readonly findings: readonly Finding[]
  /** The faults of files that cannot be read as YAML. */
  readonly results: readonly Result[]
}

const INDEX = 'index.yaml'
const VERSIONS = 'versions.yaml'
const MANIFEST = 'package.yaml'

/**
 * Returns the folder of a repository in a tree: the tree itself, or its folder `packages`, as in git repositories of Glasskube. Undefined
 * if no folder there has a `versions.yaml` and there is no `index.yaml` beside folders with a `package.yaml`.
 */
export function findRepository(tree: FileTree): string | undefined {
  return ['', ...foldersIn(tree, '').filter((name) => name === 'packages')].find((folder) => isRepository(tree, folder))
}

function isRepository(tree: FileTree, folder: string): boolean {
  const hasIndex = fileIn(tree, folder, INDEX) !== undefined
  return foldersIn(tree, folder).some((name) => {
    const path = joinPath(folder, name)
    return fileIn(tree, path, VERSIONS) !== undefined || (hasIndex && fileIn(tree, path, MANIFEST) !== undefined)
  })
}

/**
 * Reads a repository folder of Glasskube (seed 004, PackageInfo Reconciliation): `NAME/versions.yaml` lists the versions of a package,
 * `NAME/VERSION/package.yaml` is the manifest of a version, and a package without versions has `NAME/package.yaml` alone. `index.yaml` is
 * compared with them. A version without a manifest is listed as one of which nothing else is known.
 *
 * @param folder      the folder of the repository in the tree, as `findRepository` returns it
 * @param repository  the name of the repository in the cluster (`repositoryName`); '' if none is known
 * @param name        returns the name of a file in findings
 */
export function readRepository(
  tree: FileTree,
  { folder, repository, name }: { readonly folder: string; readonly repository: string; readonly name: (path: string) => string },
): ReadRepository {
  const reader = new RepositoryReader(withKeptLists(tree), name)
  const packages = foldersIn(tree, folder).flatMap((id) => reader.readPackage(joinPath(folder, id), id) ?? [])
  reader.checkIndex(folder, packages)
  const named = repository === '' ? {} : { repository }
  const entries = packages.flatMap(({ id, latest, versions }) =>
    versions.map(({ version, fields }): CatalogEntry => {
      const rest = { ...named, ...(latest !== '' && { latest }) }
      return { ecosystem: 'glasskube', id, version, package: rest, fields }
    }),
  )
  return { entries, findings: reader.findings, results: reader.results }
}

interface RepositoryPackage {
  readonly id: string
  /** `latestVersion` of versions.yaml; '' for a package without versions. */
  readonly latest: string
  readonly versions: readonly { readonly version: string; readonly fields: JsonRecord }[]
}

class RepositoryReader {
  readonly results: Result[] = []
  readonly #faults: Finding[] = []
  readonly #tree: FileTree
  readonly #name: (path: string) => string
  readonly #ranges = rangeReader(DIALECTS.m331validate)
  readonly #collector = new Collector('glasskube', this.#ranges, MASTERMINDS_TRAPS)

  constructor(tree: FileTree, name: (path: string) => string) {
    this.#tree = tree
    this.#name = name
  }

  get findings(): readonly Finding[] {
    return [...this.#collector.findings, ...this.#faults]
  }

  /** Reads the folder of a package; undefined for a folder of something else. */
  readPackage(path: string, id: string): RepositoryPackage | undefined {
    const hasVersions = fileIn(this.#tree, path, VERSIONS) !== undefined
    if (hasVersions) return this.#readVersions(path, id)
    if (fileIn(this.#tree, path, MANIFEST) === undefined) return undefined
    const fields = this.#readManifest(joinPath(path, MANIFEST), id)
    return fields && { id, latest: '', versions: [{ version: '', fields }] }
  }

  #readVersions(path: string, id: string): RepositoryPackage | undefined {
    const object = this.#readObject(joinPath(path, VERSIONS))
    if (object === undefined) return undefined
    for (const key of ['versions', 'latestVersion']) this.#collector.nearMiss(object, [], key)
    const list = fieldAt(object, ['versions'])
    const listed = this.#collector.items(list).map((item) => childField(item, 'version'))
    const versions = listed.flatMap((field) => {
      const version = this.#collector.name(field)
      if (version === '') return []
      if (this.#ranges.version(version) !== undefined) return [version]
      this.#fault(field, `must be a version, got '${version}'`)
      return []
    })
    const latestField = fieldAt(object, ['latestVersion'])
    const latest = this.#collector.name(latestField)
    if (versions.length === 0) this.#fault(list, 'must list at least one version')
    else if (latest !== '' && !versions.includes(latest))
      this.#fault(latestField, `must be one of the versions, got '${latest}'; the last one is '${versions.at(-1)}'`)
    const folders = new Set(foldersIn(this.#tree, path))
    for (const folder of folders) {
      if (versions.includes(folder) || fileIn(this.#tree, joinPath(path, folder), MANIFEST) === undefined) continue
      this.#fault(list, `does not list '${folder}', whose folder has a ${MANIFEST}; Glasskube does not find it`, 'warning')
    }
    const without: string[] = []
    const read = [...new Set(versions)].map((version) => {
      const folder = joinPath(path, version)
      // The folders were listed: a version such as '../..' is none of them.
      const isThere = folders.has(version) && fileIn(this.#tree, folder, MANIFEST) !== undefined
      if (!isThere) without.push(version)
      return { version, fields: (isThere ? this.#readManifest(joinPath(folder, MANIFEST), id) : undefined) ?? {} }
    })
    if (without.length > 0) {
      const what = `what ${listNames(nameSome(without, (each) => `'${each}'`))} ${without.length === 1 ? 'requires' : 'require'}`
      this.#fault(list, `must list versions with a ${MANIFEST}; ${what} is not known`, 'warning')
    }
    return { id, latest, versions: read }
  }

  /** Reads the fields of a manifest that count for dependencies. */
  #readManifest(path: string, id: string): JsonRecord | undefined {
    const object = this.#readObject(path)
    if (object === undefined) return undefined
    for (const key of ['dependencies', 'components', 'scope', 'defaultNamespace']) this.#collector.nearMiss(object, [], key)
    const nameField = fieldAt(object, ['name'])
    const name = this.#collector.name(nameField)
    if (name !== '' && name !== id) this.#fault(nameField, `must be the name of its folder, '${id}', got '${name}'`)
    const scope = this.#collector.choice(fieldAt(object, ['scope']), ['Cluster', 'Namespaced'])
    const defaultNamespace = this.#collector.text(fieldAt(object, ['defaultNamespace'])) ?? ''
    const dependencies = this.#readRequirements(fieldAt(object, ['dependencies']), ['name', 'version'])
    const components = this.#readRequirements(fieldAt(object, ['components']), ['name', 'version', 'installedName', 'values'])
    return {
      ...(scope !== undefined && { scope }),
      ...(components.length > 0 && defaultNamespace !== '' && { defaultNamespace }),
      dependencies,
      ...(components.length > 0 && { components }),
    }
  }

  #readRequirements(list: ObjectField, keys: readonly string[]): readonly JsonValue[] {
    return this.#collector.items(list).flatMap((item) => {
      if (!this.#collector.map(item, keys)) return []
      const name = this.#collector.name(childField(item, 'name'))
      const range = childField(item, 'version')
      const text = this.#collector.text(range) ?? ''
      if (text !== '') this.#collector.constraint(text, () => ({ field: range, known: () => [], tags: { dependency: name } }))
      if (keys.includes('installedName')) this.#collector.text(childField(item, 'installedName'))
      return item.value === undefined ? [] : [item.value]
    })
  }

  /** Compares `index.yaml`, by which Glasskube lists packages and finds their latest versions, with the folders. */
  checkIndex(folder: string, packages: readonly RepositoryPackage[]): void {
    if (fileIn(this.#tree, folder, INDEX) === undefined) return
    const object = this.#readObject(joinPath(folder, INDEX))
    if (object === undefined) return
    const byName = new Map(packages.map((each) => [each.id, each]))
    const listed = new Set<string>()
    for (const item of this.#collector.items(fieldAt(object, ['packages']))) {
      const nameField = childField(item, 'name')
      const name = this.#collector.name(nameField)
      const latestField = childField(item, 'latestVersion')
      const latest = this.#collector.text(latestField) ?? ''
      const found = byName.get(name)
      listed.add(name)
      if (name !== '' && found === undefined)
        this.#fault(nameField, `must be the name of a folder with a package, got '${name}'`, 'warning')
      const own = found?.latest ?? ''
      if (own !== '' && latest !== own)
        this.#fault(latestField, `must be that of ${name}/${VERSIONS}, '${own}', got '${latest}'; '${own}' is used`, 'warning')
    }
    const unlisted = packages.filter(({ id }) => !listed.has(id)).map(({ id }) => `'${id}'`)
    if (unlisted.length > 0)
      this.#fault(fieldAt(object, ['packages']), `does not list ${unlisted.join(', ')}: Glasskube does not show them`, 'warning')
  }

  /** Returns the only document of a file, a map; undefined with its fault. */
  #readObject(path: string): KrmObject | undefined {
    const name = this.#name(path)
    const refuse = (message: string): undefined => {
      this.results.push({ severity: 'error', message, file: { path: name, index: 0 }, tags: { rule: 'package-repository' } })
    }
    if (entryAt(this.#tree, path)?.isLink === true) return refuse('must be a file, is a link')
    try {
      const { file, results } = readPackageFile(name, this.#tree.read(path))
      this.results.push(
        ...results.map((result) => ({ ...result, severity: 'error' as const, message: result.message.replace(ADVICE, '') })),
      )
      if (file === undefined) return undefined
      const objects = file.documents.flatMap(({ object }) => object ?? [])
      const [object] = objects
      const repeated = duplicateKeyResults(objects)
      this.results.push(...repeated)
      if (object === undefined || objects.length > 1)
        return refuse(`must hold one map, holds ${objects.length === 0 ? 'none' : `${objects.length} documents`}`)
      return repeated.length > 0 ? undefined : object
    } catch (error) {
      if (error instanceof WireError) return refuse(error.message.replace(`${path}: `, ''))
      throw error
    }
  }

  #fault(field: ObjectField, message: string, severity: 'error' | 'warning' = 'error'): void {
    const place = placeOfField(field)
    const text = `\`${formatFieldPath(place.path)}\` ${message}`
    this.#faults.push({ rule: 'package-repository', severity, message: text, place, tags: { ecosystem: 'glasskube' } })
  }
}

/** The advice to ignore a file, which is for folders of resources. */
const ADVICE = /; a file that is no resource can be named in \.krmignore$/

/** Returns a tree that lists each folder once. */
function withKeptLists({ list, read }: FileTree): FileTree {
  const lists = new Map<string, readonly TreeEntry[]>()
  return { read, list: (folder) => remember(lists, folder, list) }
}

/** Returns the names of the folders in a folder. Hidden ones hold no packages. */
function foldersIn(tree: FileTree, folder: string): readonly string[] {
  return tree.list(folder).flatMap(({ name, type }) => (type === 'folder' && !name.startsWith('.') ? [name] : []))
}

function entryAt(tree: FileTree, path: string): TreeEntry | undefined {
  const slash = path.lastIndexOf('/')
  return fileIn(tree, path.slice(0, Math.max(slash, 0)), path.slice(slash + 1))
}

function fileIn(tree: FileTree, folder: string, name: string): TreeEntry | undefined {
  return tree.list(folder).find((entry) => entry.type === 'file' && entry.name === name)
}
