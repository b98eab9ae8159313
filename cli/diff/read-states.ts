import { existsSync, realpathSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { CommittedPackages, FleetState } from '../../src/diff/fleet-state.ts'
import { readFleet } from '../../src/fleet/fleet.ts'
import { diskTree, type FileTree } from '../../src/package/file-tree.ts'
import { type FleetNames, fleetNames } from '../../src/package/fleet-identity.ts'
import { gitTreeFolder, topOf } from '../../src/package/git.ts'
import { GitSnapshot, gitIdOf } from '../../src/package/git-snapshot.ts'
import { below, type NamedFolder } from '../../src/package/named-folder.ts'
import type { GitRepository } from '../../src/package/run-git.ts'
import { diskFolder, locateFolder, readText, type WholeFolder } from '../../src/package/whole-folder.ts'
import { type OwnerAnnotation, readOwnerAnnotation } from '../../src/render/package/owner-annotation.ts'
import type { PackageFunctions } from '../../src/render/package/package-functions.ts'
import { planRender } from '../../src/render/plan-render.ts'
import { diskPackageSource, gitPackageSource, snapshotPackageSource } from '../../src/render/source/disk-package-source.ts'
import type { GitPackageSource, PackageSource, SourcePackage } from '../../src/render/source/source-package.ts'
import { diskPlaces, placesBelow } from '../../src/render/target/disk/disk-places.ts'
import { readFleetTree } from '../../src/render/target/disk/read-fleet-folder.ts'
import type { DownstreamPlaces } from '../../src/render/target/lifecycle/package-steps.ts'
import { fleetItems } from '../../src/render/target/list/fleet-items.ts'
import { ListFolders } from '../../src/render/target/list/list-folders.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE } from '../../src/resource-list/package-of.ts'
import { WireError } from '../../src/resource-list/wire-error.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { isPackageVariant, variantMark } from '../../src/variant/find-variant.ts'
import { VARIANT_ANNOTATION } from '../../src/well-known.ts'
import type { Host } from '../host.ts'
import { requireFolder } from '../read-input.ts'
import { type FleetRenderRequest, fleetOf, gitPlaces } from '../render/fleet-to-render.ts'
import { functionsFor, SHORT_LIVED } from '../render/run-render.ts'
import type { Revisions, StateRevision } from './revisions.ts'

/** The options of the caller beside the revisions and the folder. */
export type StatesRequest = Omit<FleetRenderRequest, 'fanOut' | 'only' | 'shard' | 'dryRun' | 'saved'>

/** Two states of a fleet, ready to be compared. */
export interface FleetStates {
  readonly from: FleetState
  readonly to: FleetState
  readonly results: readonly Result[]
  /** The folder of the committed packages, as the caller would name it. */
  readonly out?: string
}

/** A state that was read, before its packages are found. */
interface ReadState {
  readonly revision: StateRevision
  readonly snapshot: GitSnapshot | undefined
  /** The commit with the rendered packages; undefined for those on disk. */
  readonly packages: GitSnapshot | undefined
  readonly fleet: ReturnType<typeof fleetOf>
  readonly own: readonly KrmObject[]
}

interface Reading {
  readonly dir: NamedFolder
  readonly repository: GitRepository
  /** The top of the checkout, and the path of the fleet's folder from there. */
  readonly top: string
  readonly prefix: string
  readonly request: FleetRenderRequest
  readonly host: Host
  readonly functions?: PackageFunctions
  /** An object id of the repository; the length of the id names the hash algorithm of git. */
  readonly hashLike: string
}

/**
 * Reads the fleet in the folder `dir` in two states, each from git without a checkout, or from the folder.
 *
 * @throws UsageError, GitError, FunctionError  with the faults of one state
 */
export async function readStates(
  named: string,
  { from, to, repository }: Revisions,
  asked: StatesRequest,
  host: Host,
): Promise<FleetStates> {
  for (const flag of SHORT_LIVED) setFlagsFromString(flag)
  const dir: NamedFolder = { disk: requireFolder(named, host), shown: posix.join(named, '.') }
  const top = topOf(repository)
  const prefix = slashed(relative(top, realpathSync(dir.disk)))
  const request: FleetRenderRequest = { ...asked, fanOut: true }
  const folders: Reading = { dir, repository, top, prefix, request, host, hashLike: from.commit ?? '' }
  const present = readState(to, folders)
  const old = naming(from, () => readState(from, folders))
  const reading: Reading = { ...folders, ...(await functionsFor(request, present.fleet, host)) }
  const out = outOf([present, old], reading)
  const folder = out === undefined ? undefined : committedIn(out, [old, present], reading)
  const gitSource = readOnceEach(
    gitPackageSource({ ...gitPlaces(request, present.fleet.options, host), base: dir.disk }, present.fleet.options.clone),
  )
  return {
    from: naming(from, () => planState(old, folder, gitSource, reading, { isStrict: folder === undefined })),
    to: planState(present, folder, gitSource, reading, { isStrict: true }),
    results: present.fleet.results,
    ...(folder !== undefined && { out: slashed(relative(host.locate('.'), join(top, folder))) || '.' }),
  }
}

function slashed(path: string): string {
  return path.split('\\').join('/')
}

/** Runs an action. Findings about files of a git revision name the revision. */
function naming<Value>({ name, commit }: StateRevision, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof FunctionError) || commit === undefined) throw error
    throw new FunctionError(
      error.results.map((result) => (result.file ? { ...result, file: { ...result.file, path: `${name}:${result.file.path}` } } : result)),
    )
  }
}

function readState(revision: StateRevision, reading: Reading): ReadState {
  const { dir, repository, prefix, request, host } = reading
  const snapshot = revision.commit === undefined ? undefined : new GitSnapshot(repository, revision.commit)
  const { packagesAt } = revision
  const packages = packagesAt === undefined ? snapshot : new GitSnapshot(repository, packagesAt)
  const tree = snapshot === undefined ? diskTree(dir.disk) : fleetTree(snapshot, prefix)
  const fleet = fleetOf(readFleetTree(tree, dir), dir, request, host)
  const own = fleetItems(fleet.items, new ListFolders(fleet.items, dir.shown === '.' ? '' : dir.shown), fleet.options)
  return { revision, snapshot, packages, fleet, own }
}

const RESOURCE_FILE = /(^|\/)(Kptfile|\.krmignore|[^/]*\.(yaml|yml|json))$/

/** Returns the fleet's folder at a commit, with the files that are read loaded together: not those of rendered packages. */
function fleetTree(snapshot: GitSnapshot, prefix: string): FileTree {
  const paths = snapshot.pathsBelow(prefix).filter((path) => RESOURCE_FILE.test(path))
  const kptfiles = paths.filter(isKptfile)
  snapshot.load(kptfiles)
  const rendered = new Set(kptfiles.filter((path) => folderOf(path) !== prefix && isMarked(snapshot.read(path))).map(folderOf))
  snapshot.load(paths.filter((path) => !isInside(path, rendered)))
  return snapshot.tree(prefix)
}

function isMarked(kptfile: Uint8Array): boolean {
  return new TextDecoder().decode(kptfile).includes(VARIANT_ANNOTATION)
}

function isInside(path: string, folders: ReadonlySet<string>): boolean {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) if (folders.has(folder)) return true
  return false
}

/** Returns the folder of the packages from the top of the repository, if anybody names one, or a package of the fleet is in one. */
function outOf(states: readonly ReadState[], { dir, top, request, host }: Reading): string | undefined {
  const configured = states.flatMap(({ fleet }) => fleet.options.out ?? [])[0]
  const named = request.out === undefined ? configured && posix.join(dir.disk, configured) : host.locate(request.out)
  if (named === undefined) return foundOut(states)
  const place = slashed(relative(top, existsSync(named) ? realpathSync(named) : named))
  return place === '..' || place.startsWith('../') ? undefined : place
}

/** Returns the folder above REPOSITORY/PACKAGE of a variant whose package is there at a commit. */
function foundOut(states: readonly ReadState[]): string | undefined {
  const variants = states.flatMap(({ own }) => own.filter(isPackageVariant))
  const marks = new Map(variants.map((object) => [placeOfVariant(object), variantMark(object)]))
  for (const { packages: snapshot } of states) {
    if (snapshot === undefined) continue
    const candidates = snapshot.pathsBelow('').flatMap((path) => {
      const tail = isKptfile(path) ? tails(folderOf(path)).find((each) => marks.has(each)) : undefined
      return tail === undefined ? [] : [{ path, tail }]
    })
    snapshot.load(candidates.map(({ path }) => path))
    const found = candidates.find(({ path, tail }) => textAt(snapshot, path).includes(`${VARIANT_ANNOTATION}: ${marks.get(tail) ?? ''}`))
    if (found !== undefined) return folderOf(found.path).slice(0, -found.tail.length).replace(/\/$/, '')
  }
  return undefined
}

function textAt(snapshot: GitSnapshot, path: string): string {
  return new TextDecoder().decode(snapshot.read(path))
}

function placeOfVariant(object: KrmObject): string {
  return ['repo', 'package'].map((key) => String(object.get(['spec', 'downstream', key]) ?? '')).join('/')
}

/** Returns the ends of a folder's path: `a/b/c` → `a/b/c`, `b/c`, `c`. */
function tails(folder: string): readonly string[] {
  const steps = folder.split('/')
  return steps.map((_, i) => steps.slice(i).join('/'))
}

/** Returns the folder if one of the states has a rendered package in it. */
function committedIn(out: string, states: readonly ReadState[], { top }: Reading): string | undefined {
  const holds = states.some(({ packages: snapshot }) => {
    if (snapshot === undefined) return diskPlaces(folderAt(top, out), (path) => readText(join(top, out, path))).marked.length > 0
    const kptfiles = snapshot.pathsBelow(out).filter(isKptfile)
    snapshot.load(kptfiles)
    return kptfiles.some((path) => isMarked(snapshot.read(path)))
  })
  return holds ? out : undefined
}

function folderAt(top: string, out: string): NamedFolder {
  return { disk: join(top, out), shown: out === '' ? '.' : out }
}

/** Returns git repositories that read each package once: both states mostly ask for the same ones. */
function readOnceEach(gitSource: GitPackageSource): GitPackageSource {
  const known = new Map<string, SourcePackage | undefined>()
  return {
    ...gitSource,
    folder: (repository, commit, folder) => {
      const key = JSON.stringify([repository, commit, folder])
      const found = known.has(key) ? known.get(key) : gitSource.folder(repository, commit, folder)
      known.set(key, found)
      return found
    },
  }
}

/**
 * Plans the packages of a state. Removals and moved tags, which `render` may refuse, are allowed: they are what a reviewer must see.
 *
 * @param isStrict  true to throw the faults of the plan. The packages of FROM are committed, and need not be rendered
 */
function planState(
  state: ReadState,
  out: string | undefined,
  gitSource: GitPackageSource,
  reading: Reading,
  { isStrict }: { readonly isStrict: boolean },
): FleetState {
  const { revision, fleet, own } = state
  const { dir, top } = reading
  const folder = folderAt(top, out ?? '')
  const names = fleetNames(dir.disk, folder.disk, fleet.options.fleet)
  const { maxDeletions: _, ...configured } = fleet.options
  const options = { ...configured, fleet: names.name, allowEmpty: true, allowMoved: true, discardEdits: true }
  const places = out === undefined ? noPlaces : () => placesOf(state, folder, out)
  const { functions } = reading
  const committed = out === undefined ? undefined : committedPackages(state, names, out, reading)
  const plan = planRender({
    items: own,
    options,
    hadName: names.hadName,
    shelves: packageSourceOf(state, gitSource, reading),
    places,
    downstreams: {
      folder: (path) => committed?.folder(path) ?? NO_PACKAGE,
      tree: (_, id) => gitTreeFolder(top, id),
      shown: (path) => below(folder, path).shown,
    },
    ...(functions && { functions }),
  })
  if (isStrict && hasErrors(plan.results)) throw new FunctionError(plan.results.filter(({ severity }) => severity !== 'info'))
  return {
    name: { name: revision.name, ...(revision.commit !== undefined && { commit: revision.commit }) },
    items: own,
    fleet: readFleet(own),
    sets: fleet.sets,
    plan,
    ...(committed && { committed }),
  }
}

const NO_PACKAGE: WholeFolder = { files: new Map(), links: [], gitFolders: [], leftovers: [] }

function noPlaces(): DownstreamPlaces {
  return {
    at: () => undefined,
    marked: [],
    faults: [],
    isShared: false,
    linkAbove: () => undefined,
    folderOf: ({ downstream }) => `${downstream.repo}/${downstream.package}`,
  }
}

function packageSourceOf(
  { snapshot, fleet: { options } }: ReadState,
  gitSource: GitPackageSource,
  { dir, prefix, request, host }: Reading,
): PackageSource {
  const allowOutside = request.allowOutside === true
  if (snapshot !== undefined) return snapshotPackageSource({ snapshot, prefix, shown: dir.shown, allowOutside }, gitSource, options.clone)
  return {
    ...diskPackageSource(dir, { ...gitPlaces(request, options, host), base: dir.disk, allowOutside }, options.clone),
    git: gitSource,
  }
}

function placesOf({ packages: snapshot }: ReadState, folder: NamedFolder, out: string): DownstreamPlaces {
  if (snapshot === undefined) return diskPlaces(folder, (path) => readText(locateFolder(folder.disk, path)))
  const read = (path: string): string => textAt(snapshot, posix.join(out, path))
  return placesBelow(folder, {
    read,
    scan: (visit) => {
      const kptfiles = snapshot.pathsBelow(out).filter(isKptfile)
      snapshot.load(kptfiles)
      const closed = new Set<string>()
      for (const path of kptfiles) {
        const own = out === '' ? path : path.slice(out.length + 1)
        if (!isInside(own, closed) && !visit(folderOf(own), read(own))) closed.add(folderOf(own))
      }
      return []
    },
    holdsAnything: (path) => snapshot.hasFolder(posix.join(out, path)),
    linkAbove: () => undefined,
  })
}

/** Returns the packages that a state holds for variants of the fleet. */
function committedPackages(
  { packages: snapshot }: ReadState,
  names: FleetNames,
  out: string,
  { top, hashLike }: Reading,
): CommittedPackages {
  const isOwn = (mark: OwnerAnnotation | undefined): boolean =>
    mark !== undefined && (mark.fleet === undefined || mark.fleet === names.name || names.hadName(mark.fleet))
  if (snapshot === undefined) {
    const root = folderAt(top, out)
    const places = diskPlaces(root, (path) => readText(join(root.disk, path)))
    const folders = places.marked.filter(({ mark }) => isOwn(mark)).map(({ folder }) => folder)
    const at = (folder: string) => diskFolder(join(root.disk, folder))
    return {
      folders,
      shown: root.shown,
      load: () => {},
      folder: at,
      digests: (folder) => new Map(Array.from(at(folder).files, ([path, file]) => [path, gitIdOf(file.read(), hashLike)])),
    }
  }
  const kptfiles = snapshot.pathsBelow(out).filter(isKptfile)
  snapshot.load(kptfiles)
  const marked = kptfiles.filter((path) => isOwn(ownerIn(textAt(snapshot, path)))).map(folderOf)
  return {
    folders: marked.map((folder) => (out === '' ? folder : folder.slice(out.length + 1))),
    shown: folderAt(top, out).shown,
    load: (folders) => snapshot.load(folders.flatMap((folder) => snapshot.pathsBelow(posix.join(out, folder)))),
    folder: (folder) => snapshot.folder(posix.join(out, folder)),
    digests: (folder) => snapshot.idsBelow(posix.join(out, folder)),
  }
}

function ownerIn(kptfile: string): OwnerAnnotation | undefined {
  if (!kptfile.includes(VARIANT_ANNOTATION)) return undefined
  try {
    return readOwnerAnnotation(KrmObject.fromDocument(kptfile, { path: KPTFILE, index: 0, line: 1 }))
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}
