import { readFleetFolder, readFleetTree } from '../../src/fleet/read-fleet-folder.ts'
import type { FileTree } from '../../src/folder/file-tree.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { GitSnapshot } from '../../src/git/git-snapshot.ts'
import type { GitRepository } from '../../src/git/run-git.ts'
import { finish } from '../../src/progress.ts'
import { fleetItems } from '../../src/render/list/fleet-items.ts'
import { ListFolders } from '../../src/render/list/list-folders.ts'
import type { PackageFunctions } from '../../src/render/runs/package-functions.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { folderOf, isKptfile } from '../../src/resource-list/package-of.ts'
import { isInside } from '../../src/resource-list/revision-folders.ts'
import { VARIANT_ANNOTATION } from '../../src/well-known.ts'
import type { Host } from '../host.ts'
import { type FleetRenderRequest, fleetOf } from '../render/fleet-to-render.ts'
import type { StateRevision } from './revisions.ts'

/** A fleet that was read at a revision, or from its folder, before its packages are found. */
export interface ReadState {
  readonly revision: StateRevision
  readonly snapshot: GitSnapshot | undefined
  /** The commit with the rendered packages; undefined for those on disk. */
  readonly packages: GitSnapshot | undefined
  readonly fleet: ReturnType<typeof fleetOf>
  readonly own: readonly KrmObject[]
  /** The folders of packages that were made for variants, below the folder of the fleet. */
  readonly made: readonly string[]
}

/** The checkout with the fleet, and the choices of the caller. */
export interface Reading {
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

/** Returns the fleet at a revision. @throws FunctionError  with the faults of its files and options */
export function readRevision(revision: StateRevision, reading: Reading): ReadState {
  const { dir, repository, prefix, request, host } = reading
  const snapshot = revision.commit === undefined ? undefined : new GitSnapshot(repository, revision.commit)
  const { packagesAt } = revision
  const packages = packagesAt === undefined ? snapshot : new GitSnapshot(repository, packagesAt)
  const objects = finish(
    snapshot === undefined ? readFleetFolder(dir, { packages: 'leave-out' }) : readFleetTree(fleetTree(snapshot, prefix), dir),
  )
  const fleet = fleetOf(objects, dir, request, host, { showsRefused: true })
  const own = fleetItems(fleet.items, new ListFolders(fleet.items, dir.shown === '.' ? '' : dir.shown), fleet.options)
  return { revision, snapshot, packages, fleet, own, made: objects.made }
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

/** Returns true if the bytes of a Kptfile name a variant as the owner of the package. */
export function isMarked(kptfile: Uint8Array): boolean {
  return new TextDecoder().decode(kptfile).includes(VARIANT_ANNOTATION)
}
