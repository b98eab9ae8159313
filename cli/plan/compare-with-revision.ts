import type { VariantChange } from '../../src/fleet/change.ts'
import type { Earlier } from '../../src/fleet/change-reason.ts'
import { type Fleet, type FleetObject, readFleet } from '../../src/fleet/fleet.ts'
import type { FormerDownstreams } from '../../src/fleet/former-downstreams.ts'
import { ownerFinder, type SetOwner } from '../../src/fleet/ownership.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { pairRenames } from '../../src/fleet/renames.ts'
import { groupBy } from '../../src/group-by.ts'
import { equalJson, isRecord } from '../../src/json.ts'
import { findCommits, gitTree, listGitFiles } from '../../src/package/git.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import { readTree } from '../../src/package/read-package.ts'
import { GitError, type GitRepository } from '../../src/package/run-git.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'
import { PORCH_CONFIG_GROUP } from '../../src/well-known.ts'
import type { Host } from '../host.ts'
import { placeFile } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'

/** Changes since a revision: by set, and of variants that no set asks for. */
export interface Comparison {
  readonly sets: readonly SetPlan[]
  readonly byHand: readonly VariantChange[]
  readonly earlier?: Earlier
  /** The objects that the revision has, and the repository. */
  readonly before: { readonly items: readonly KrmObject[]; readonly repository: GitRepository }
  /** True when the revision does not have the folder, so that everything is new. */
  readonly isNewFolder: boolean
}

/** A git revision to compare with. */
interface Revision {
  readonly ref: string
  /** The seconds after which a call of git fails. */
  readonly seconds?: number | undefined
}

/**
 * Compares the variants of the folder `dir` after fan-out with those that the folder had at a git revision: the changes of a pull request,
 * even if its variants are not updated yet.
 *
 * @throws UsageError for a revision that git does not know; GitError as `gitTree`; FunctionError with every file of the revision that
 * cannot be read
 */
export function compareWithRevision({ sets, fleet }: FleetPlan, { ref, seconds }: Revision, dir: string, host: Host): Comparison {
  const folder: GitRepository = { dir: host.locate(dir), seconds }
  if (findCommit(ref, dir, folder) === undefined) throw new UsageError(`--against '${ref}': git knows no such revision`)
  const old = readRevision(ref, dir, folder)
  const earlier = { ref, fleet: readFleet(old.list.items) }
  const before = variantsOf(earlier.fleet)
  const touched = new Set(sets.flatMap(({ changes }) => changes.flatMap(({ existing }) => existing?.object ?? [])))
  const others = [...variantsOf(fleet).values()].filter(({ object }) => !touched.has(object)).map(asWritten)
  const planned = sets.map(({ changes }) => changes.filter(({ op }) => op !== 'remove'))
  const after = new Set([...planned.flat(), ...others].map(keyOf))
  const gone = groupBy(
    [...before.values()].filter((variant) => !after.has(keyOf(variant))),
    ownerFinder(sets.map(({ owner }) => owner)),
  )
  const compare = (wanted: readonly VariantChange[], owner: SetOwner | undefined, former: FormerDownstreams) => {
    const changes = wanted.map((change) => changeSince(before.get(keyOf(change)), change))
    return pairRenames(changes, (gone.get(owner) ?? []).map(removal), former)
  }
  return {
    sets: sets.map((set, i) => ({ ...set, changes: compare(planned[i] ?? [], set.owner, set.draft?.former ?? NONE) })),
    byHand: compare(others, undefined, NONE),
    isNewFolder: old.files.length === 0 && listGitFiles(folder, ref).files.length === 0,
    earlier,
    before: { items: old.list.items, repository: folder },
  }
}

const NONE: FormerDownstreams = () => new Map()

function findCommit(ref: string, dir: string, folder: GitRepository): string | undefined {
  try {
    return findCommits(folder, [ref])[0]
  } catch (error) {
    if (!(error instanceof GitError && error.message.includes('not a git repository'))) throw error
    throw new UsageError(`--against '${ref}': '${dir}' must be in a git repository, found none around it`)
  }
}

/** Reads the folder at a revision, with file paths as the caller sees them. Results of files that cannot be read name the revision. */
function readRevision(ref: string, dir: string, folder: GitRepository): FolderPackage {
  try {
    const name = (path: string): string => placeFile(path, dir)
    return readTree(gitTree(ref, folder, name), name)
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    throw new FunctionError(
      error.results.map((result) => (result.file ? { ...result, file: { ...result.file, path: `${ref}:${result.file.path}` } } : result)),
    )
  }
}

function variantsOf(fleet: Fleet): ReadonlyMap<string, FleetObject> {
  return new Map(fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').map((variant) => [keyOf(variant), variant]))
}

function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`
}

/** Returns a variant that fan-out does not change, as a change. */
function asWritten(existing: FleetObject): VariantChange {
  const spec = existing.object.get(['spec'])
  const { name, namespace } = existing
  return { op: 'unchanged', name, namespace, existing, ...(isRecord(spec) && { after: spec }) }
}

/** Returns the change from the former state of a variant to its planned one. */
function changeSince(old: FleetObject | undefined, { existing: _, before: __, ...change }: VariantChange): VariantChange {
  if (old === undefined) return { ...change, op: 'create' }
  const before = old.object.get(['spec'])
  return { ...change, op: equalJson(before, change.after) ? 'unchanged' : 'update', existing: old, ...(before !== undefined && { before }) }
}

function removal(existing: FleetObject): VariantChange {
  const before = existing.object.get(['spec'])
  return { op: 'remove', name: existing.name, namespace: existing.namespace, existing, ...(before !== undefined && { before }) }
}
