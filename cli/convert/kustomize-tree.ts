import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix, relative, resolve } from 'node:path'
import type { Overlay } from '../../src/convert/fleet-texts.ts'
import { freeName, slugOf } from '../../src/convert/free-names.ts'
import type { FieldPath } from '../../src/field-path.ts'
import { definedEntries } from '../../src/group-by.ts'
import { asList, isRecord, type JsonRecord, scalarText } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { shellPath } from '../../src/shell-word.ts'
import type { Host } from '../host.ts'
import { KUSTOMIZATIONS, readKustomizationFile } from '../import/kustomize-faults.ts'
import { isFile, isFolder } from '../place-kind.ts'
import { UsageError } from '../usage-error.ts'
import { type FluxTree, readFluxTree } from './flux-folder.ts'

/** A tree as its kustomizations name it. Paths are relative to the tree. */
export interface KustomizeTree {
  /** The name of the folder. */
  readonly name: string
  readonly overlays: readonly Overlay[]
  /** The upstream package of each base, by the path of the base. */
  readonly packages: ReadonlyMap<string, string>
  /** The kustomizations that name no base and that no other one uses: no cluster gets them. */
  readonly leftOut: readonly string[]
  /** The objects of Flux beside a kustomize tree. */
  readonly flux?: FluxTree
}

/** The names that an earlier conversion gave to overlays and bases, by their paths: a new folder must not take them. */
export interface KnownNames {
  readonly overlays: ReadonlyMap<string, string>
  readonly bases: ReadonlyMap<string, string>
}

/**
 * Reads which folders of a tree are overlays, and of which bases.
 *
 * @throws UsageError for a folder without overlays, and for remote bases, by their names
 */
export function readKustomizeTree(dir: string, known: KnownNames, host: Host): KustomizeTree {
  const root = host.locate(dir)
  requireFolder(dir, host)
  const { found, links } = kustomizationsBelow(dir, root, '')
  if (found.length === 0) throw new UsageError(`'${dir}' is no kustomize tree: no folder in it has a kustomization.yaml`)
  const kustomizations = found.map(({ path, file }) => readKustomization(dir, root, path, file))
  const remote = kustomizations.flatMap(({ remotes }) => remotes)
  if (remote.length > 0) throw remoteBases(remote)
  const built = kustomizations.filter(({ isComponent }) => !isComponent)
  const flux = readFluxTree(dir, built, known.overlays, host)
  const deployed = new Set(flux.overlays.flatMap(({ parts }) => parts.map(({ path }) => path)))
  const used = new Set(kustomizations.flatMap((each) => each.used))
  const notDeployed = built.filter(({ path }) => !deployed.has(path))
  const alone = overlaysOf(notDeployed, used)
  const overlays = [...alone, ...flux.overlays]
  if (overlays.length === 0)
    throw new UsageError(
      `'${dir}' has no overlay: no kustomization names a folder outside of its own; ${flux.notes[0] ?? 'krm-variants import --kustomize makes a package of a single one'}`,
    )
  const wanted = overlays.map(({ path }) => [path, targetNames(path, basename(root))] as const)
  const targets = uniqueNames(wanted, known.overlays)
  const bases = [...new Set(overlays.flatMap((each) => each.bases))].toSorted()
  refuseUnusedLinks(dir, links, used)
  const given = new Set([...deployed, ...alone.map(({ path }) => path)])
  const leftOut = kustomizations.filter(({ path }) => !given.has(path) && !used.has(path || '.')).map(({ file }) => file)
  return {
    name: basename(root),
    leftOut,
    flux,
    packages: uniqueNames(
      bases.map((path) => [path, packageNames(root, path)] as const),
      known.bases,
    ),
    overlays: overlays.map((each) => {
      const target = targets.get(each.path) ?? ''
      return { ...each, id: target, target, folder: target, labels: labelsOf(each.path) }
    }),
  }
}

type Kustomization = ReturnType<typeof readKustomization>
type OverlayBases = Pick<Overlay, 'path' | 'bases'>

/** Returns the kustomizations that are clusters, each with its bases. @param used  what kustomizations name */
function overlaysOf(kustomizations: readonly Kustomization[], used: ReadonlySet<string>): readonly OverlayBases[] {
  const named = kustomizations.flatMap((each) => overlayOf(each, used))
  const beside = kustomizations.filter((each) => !used.has(each.path) && isBeside(each, named))
  return [...named, ...beside.map(({ path }) => ({ path, bases: [path] }))]
}

/** Returns a kustomization with its bases; none if it is no overlay. @param used  what kustomizations name */
function overlayOf({ path, bases, hasComponents }: Kustomization, used: ReadonlySet<string>): readonly OverlayBases[] {
  if (bases.length > 0) return [{ path, bases }]
  // Components change what the folder itself names: the folder is its own base.
  return hasComponents && !used.has(path || '.') ? [{ path, bases: [path] }] : []
}

/**
 * Returns true for a kustomization that names no base, in a folder of clusters beside overlays: `overlays/dev` beside `overlays/prod`, or
 * `dev` beside `prod`. The cluster has objects of its own alone. One in any other folder may be deployed anywhere, or be a part of
 * something.
 */
function isBeside({ path, isEmpty, bases, hasComponents }: Kustomization, overlays: readonly OverlayBases[]): boolean {
  const folder = posix.dirname(path)
  const isOfCluster = CONTAINERS.has(posix.basename(folder)) || Object.keys(labelsOf(posix.basename(path))).length > 0
  const isOverlay = bases.length > 0 || hasComponents
  return !isOverlay && !isEmpty && isOfCluster && overlays.some((each) => posix.dirname(each.path) === folder)
}

/** @throws UsageError for a link to a folder with a kustomization that no kustomization names */
function refuseUnusedLinks(dir: string, links: readonly string[], used: ReadonlySet<string>): void {
  const link = links.find((path) => ![...used].some((each) => each === path || each.startsWith(`${path}/`)))
  if (link !== undefined)
    throw new UsageError(
      `'${posix.join(dir, link)}' is a link to a folder with a kustomization, and convert follows only links that a kustomization names: put the folder itself there`,
    )
}

/** @throws UsageError for a file, and for what is not there */
function requireFolder(dir: string, host: Host): void {
  const place = host.locate(dir)
  if (isFolder(place)) return
  if (!isFile(place)) throw new UsageError(`convert must be given the folder of a kustomize tree, there is no folder '${dir}'`)
  const advice = KUSTOMIZATIONS.includes(basename(dir))
    ? `krm-variants convert kustomize ${shellPath(posix.dirname(dir))} converts this one, the folder around all bases and overlays the whole tree`
    : /^kind: *ApplicationSet$/m.test(readFileSync(place, 'utf8'))
      ? `krm-variants convert applicationset ${shellPath(dir)} converts an ApplicationSet`
      : 'name the folder with the bases and overlays'
  throw new UsageError(`convert must be given the folder of a kustomize tree, '${dir}' is a file: ${advice}`)
}

/** Returns a line for each overlay whose cluster has another name than its path gives, since an overlay before has that name. */
export function clashingNames({ overlays, name }: KustomizeTree): readonly string[] {
  return overlays.flatMap(({ path, target }) => {
    const [wanted = ''] = targetNames(path, name)
    return wanted === target ? [] : [`overlay '${path}' becomes the cluster '${target}': another overlay is '${wanted}'`]
  })
}

interface FoundKustomizations {
  readonly found: readonly { readonly path: string; readonly file: string }[]
  /** Links to folders with a kustomization. */
  readonly links: readonly string[]
}

/**
 * Returns the kustomizations of a folder and below it.
 *
 * @throws UsageError for a kustomization whose file has a name that kustomize does not know, so that no overlay is missed
 */
function kustomizationsBelow(dir: string, root: string, path: string): FoundKustomizations {
  const entries = readdirSync(join(root, path), { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const names = entries.map(({ name }) => name)
  const file = kustomizationIn(dir, root, path)
  const misnamed = names.find((name) => MISNAMED.test(name) && !KUSTOMIZATIONS.includes(name) && isKustomization(join(root, path, name)))
  if (file === undefined && misnamed !== undefined)
    throw new UsageError(
      `'${posix.join(dir, path, misnamed)}' has a name that kustomize does not read: call the file kustomization.yaml, kustomization.yml or Kustomization`,
    )
  const own = file === undefined ? [] : [{ path, file: posix.join(path, file) }]
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
  const below = folders.map(({ name }) => kustomizationsBelow(dir, root, posix.join(path, name)))
  const linked = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => posix.join(path, name))
  const links = linked.filter((each) => isFolder(join(root, each)) && KUSTOMIZATIONS.some((name) => isFile(join(root, each, name))))
  return { found: [...own, ...below.flatMap(({ found }) => found)], links: [...links, ...below.flatMap((each) => each.links)] }
}

/**
 * Returns the name of the kustomization of a folder; undefined for a folder without one.
 *
 * @throws UsageError for what is neither a file nor a folder, so that no overlay is missed and no pipe is waited for
 */
export function kustomizationIn(dir: string, root: string, path: string): string | undefined {
  const found = KUSTOMIZATIONS.filter((name) => lstatSync(join(root, path, name), { throwIfNoEntry: false }) !== undefined)
  const special = found.find((name) => !isFile(join(root, path, name)) && !isFolder(join(root, path, name)))
  if (special === undefined) return found.find((name) => isFile(join(root, path, name)))
  const isLink = lstatSync(join(root, path, special)).isSymbolicLink()
  throw new UsageError(
    `'${posix.join(dir, path, special)}' must be a file, is ${isLink ? 'a link to no file' : 'a pipe, a socket or a device'}: put the kustomization there, or remove it`,
  )
}

const MISNAMED = /^kustomi[sz](?:ation|e)(?:\.ya?ml|\.json)?$/i

/** Returns true for a file with fields of a kustomization: Flux has objects of the same name, which have a `spec`. */
function isKustomization(place: string): boolean {
  if (!isFile(place)) return false
  const text = readFileSync(place, 'utf8')
  return /^[{ ]*["']?(?:resources|bases|components)["']? *:/m.test(text) && !/^[{ ]{0,2}["']?spec["']? *:/m.test(text)
}

/**
 * Returns the folders outside of its own that the kustomization of a folder names, relative to the root.
 *
 * @throws UsageError for remote ones
 */
export function outerBases(dir: string, root: string, path: string): readonly string[] {
  const { bases, remotes } = readKustomization(dir, root, path, posix.join(path, kustomizationIn(dir, root, path) ?? ''))
  if (remotes.length > 0) throw remoteBases(remotes)
  return bases
}

function remoteBases(named: readonly string[]): UsageError {
  return new UsageError(
    `remote bases are not converted: ${named.join(', ')}; copy each into the tree and name the copy, or import it with krm-variants import`,
  )
}

function readKustomization(dir: string, root: string, path: string, file: string) {
  const shown = posix.join(dir, file)
  const place = join(root, file)
  let object: KrmObject
  let content: JsonRecord
  try {
    object = readKustomizationFile(place)
    content = object.toJson()
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(`${place}: `, '').split('\n')[0] : ''
    throw new UsageError(`'${shown}' cannot be read as YAML: ${reason}`)
  }
  const placeOf = (field: FieldPath) => {
    const { line, column } = object.positionOf(field)
    return `${shown}:${line}:${column}`
  }
  for (const field of ['resources', 'bases', 'components']) {
    const value = content[field]
    if (value !== undefined && value !== null && !Array.isArray(value))
      throw new UsageError(`${placeOf([field])}: \`${field}\` must be a list of files and folders, got '${scalarText(value)}'`)
  }
  const references = referencesOf(content)
  const remotes = references.filter(({ text }) => isRemote(text))
  const local = references
    .filter((each) => FOLDERS.includes(String(each.field[0])) && !remotes.includes(each))
    .map(({ field, text }) => ({ field, path: relative(root, resolve(root, path, text)) || '.' }))
  const missing = local.find((each) => !existsSync(join(root, each.path)))
  if (missing !== undefined)
    throw new UsageError(
      `${placeOf(missing.field)}: \`${missing.field[0]}\` names '${posix.join(dir, missing.path)}', which is neither a file nor a folder: write it, or copy a remote base into the tree`,
    )
  const outside = local.filter((each) => isFolder(join(root, each.path)) && isOutside(path, each.path))
  const bases = outside.filter(({ field }) => field[0] !== 'components').map((each) => each.path)
  return {
    path,
    file,
    isComponent: content.kind === 'Component',
    remotes: remotes.map(({ field, text }) => `'${text}' of ${placeOf(field)}`),
    bases: [...new Set(bases)],
    hasComponents: outside.length > bases.length,
    /** True if nothing is built of the folder. */
    isEmpty: [...FOLDERS, ...GENERATED].every((field) => asList(content[field]).length === 0),
    used: local.map((each) => each.path),
  }
}

/** The fields that name folders, or files of resources. */
const FOLDERS: readonly string[] = ['resources', 'bases', 'components']
/** The other fields that make objects. */
const GENERATED = ['generators', 'configMapGenerator', 'secretGenerator', 'helmCharts']
/** The other fields that may name an address. */
const FILES = ['patchesStrategicMerge', 'configurations', 'crds', 'generators', 'transformers', 'validators']
/** The fields with entries of which `path` names a file. */
const WITH_PATHS = ['patches', 'patchesJson6902', 'replacements']

/** Returns the files, folders and addresses that a kustomization names, each with its field. */
function referencesOf(content: JsonRecord): readonly { readonly field: FieldPath; readonly text: string }[] {
  const entriesOf = (key: string) => asList(content[key])
  const lists = [...FOLDERS, ...FILES].flatMap((key) => entriesOf(key).map((value, index) => ({ field: [key, index], value })))
  const paths = WITH_PATHS.flatMap((key) =>
    entriesOf(key).map((value, index) => ({ field: [key, index, 'path'], value: isRecord(value) ? value.path : undefined })),
  )
  return [...lists, ...paths].flatMap(({ field, value }) =>
    typeof value === 'string' && !value.includes('\n') ? [{ field, text: value }] : [],
  )
}

function isOutside(path: string, other: string): boolean {
  return path === '' ? other.startsWith('..') : other !== path && !other.startsWith(`${path}/`)
}

function isRemote(reference: string): boolean {
  return /^[a-z][a-z+]*:\/\/|^[\w.-]+@[\w.-]+:|^(?:github|gitlab|bitbucket)\.(?:com|org)\/|\?ref=|^git::/.test(reference)
}

/** Words of paths that say nothing about a cluster. */
const CONTAINERS = new Set(['overlays', 'overlay', 'clusters', 'envs', 'environments', 'kustomize'])

function targetNames(path: string, tree: string): readonly string[] {
  if (path === '') return [slugOf(tree, 'app')]
  const parts = path.split('/').filter((part) => !CONTAINERS.has(part) && part !== '..')
  return [slugOf((parts.length === 0 ? [tree] : parts).join('-'), 'app'), slugOf(path, 'app')]
}

/** Returns the names for the package of a base: that of its folder; a folder `base` says nothing, so then that of the folder above. */
export function packageNames(root: string, path: string): readonly string[] {
  const whole = resolve(root, path)
  const isPlain = /^bases?$/.test(basename(whole))
  return [slugOf(basename(isPlain ? resolve(whole, '..') : whole), 'app'), slugOf(path, 'app')]
}

/** Returns a name for each path: the known one, else the first of its names that no other path has, else the last with a number. */
export function uniqueNames(
  wanted: readonly (readonly [string, readonly string[]])[],
  known: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const names = new Map(wanted.flatMap(([path]) => (known.has(path) ? [[path, known.get(path) ?? ''] as const] : [])))
  const taken = new Set(names.values())
  for (const [path, choices] of wanted) {
    if (names.has(path)) continue
    const name = choices.find((each) => !taken.has(each)) ?? freeName(choices.at(-1) ?? '', taken)
    taken.add(name)
    names.set(path, name)
  }
  return names
}

const ENVIRONMENTS = /^(?:dev|development|test|testing|qa|int|uat|stage|staging|preprod|prd|prod|production|sandbox)$/
const REGIONS = /^(?:us|eu|ap|sa|ca|af|me|asia|europe|northamerica|southamerica|australia)-[a-z]+-?\d*$/

const REGION_IN_NAME = /(?:^|[-_.])((?:us|eu|ap|sa|ca|af|me|asia|europe)-[a-z]+-?\d+)(?=$|[-_.])/

/** Returns the labels that a path shows: `prod/eu-west-1` and `prod-eu-west-1` → env prod, region eu-west-1. */
export function labelsOf(path: string): Readonly<Record<string, string>> {
  const parts = path.split('/')
  const words = [...parts, ...parts.flatMap((part) => part.split(/[-_.]/))]
  const env = words.find((part) => ENVIRONMENTS.test(part))
  const region = parts.find((part) => REGIONS.test(part)) ?? parts.flatMap((part) => REGION_IN_NAME.exec(part)?.[1] ?? [])[0]
  return asTexts({ env, region })
}

function asTexts(record: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(definedEntries(Object.entries(record)))
}
