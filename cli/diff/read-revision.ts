import { readFleetTree } from '../../src/fleet/read-fleet-folder.ts'
import type { FileTree } from '../../src/folder/file-tree.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { GitSnapshot } from '../../src/git/git-snapshot.ts'
import type { GitRepository } from '../../src/git/run-git.ts'
import { finish } from '../../src/progress.ts'
import { fleetItemsIn } from '../../src/render/list/fleet-items.ts'
import type { PackageFunctions } from '../../src/render/runs/package-functions.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { folderOf, isKptfile } from '../../src/resource-list/package-of.ts'
import { insideTest } from '../../src/resource-list/revision-folders.ts'
import { VARIANT_ANNOTATION } from '../../src/well-known.ts'
import { FleetReading } from '../fleet/fleet-reading.ts'
import type { Host } from '../host.ts'
import type { FleetRenderRequest } from '../render/fleet-render-request.ts'
import type { ReadFleet } from '../render/fleet-to-render.ts'
import type { StateRevision } from './revisions.ts'

/** A fleet that was read at a revision, or from its folder, before its packages are found. */
export interface ReadState {
  readonly revision: StateRevision
  readonly snapshot: GitSnapshot | undefined
  /** The commit with the rendered packages; undefined for those on disk. */
  readonly packages: GitSnapshot | undefined
  readonly fleet: ReadFleet
  readonly own: readonly KrmObject[]
}

/** The checkout with the fleet, and the choices of the caller. */
export interface Reading {
  /** The folder as the caller named it. */
  readonly named: string
  /** Returns the fleet as the folder has it, to edit. */
  readonly present: () => FleetReading
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
  const { named, dir, repository, prefix, request, host, present } = reading
  const snapshot = revision.commit === undefined ? undefined : new GitSnapshot(repository, revision.commit)
  const { packagesAt } = revision
  const packages = packagesAt === undefined ? snapshot : new GitSnapshot(repository, packagesAt)
  const objects = snapshot === undefined ? undefined : finish(readFleetTree(fleetTree(snapshot, prefix), dir))
  const opened = objects === undefined ? present() : new FleetReading(objects, named, request, host)
  const fleet = opened.toRender(request, { showsRefused: true })
  return { revision, snapshot, packages, fleet, own: fleetItemsIn(dir, fleet.items, fleet.options) }
}

const RESOURCE_FILE = /(^|\/)(Kptfile|\.krmignore|[^/]*\.(yaml|yml|json))$/

/** Returns the fleet's folder at a commit, with the files that are read loaded together: not those of rendered packages. */
function fleetTree(snapshot: GitSnapshot, prefix: string): FileTree {
  const paths = snapshot.pathsBelow(prefix).filter((path) => RESOURCE_FILE.test(path))
  const kptfiles = paths.filter(isKptfile)
  snapshot.load(kptfiles)
  const isRendered = insideTest(
    new Set(kptfiles.filter((path) => folderOf(path) !== prefix && isMarked(snapshot.read(path))).map(folderOf)),
  )
  snapshot.load(paths.filter((path) => !isRendered(path)))
  return snapshot.tree(prefix)
}

/** Returns true if the bytes of a Kptfile name a variant as the owner of the package. */
export function isMarked(kptfile: Uint8Array): boolean {
  return new TextDecoder().decode(kptfile).includes(VARIANT_ANNOTATION)
}
