import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { planAsConfigured } from '../../functions/fan-out/fan-out.ts'
import { judgeRingsSince } from '../../src/fleet/rings-since.ts'
import { gitTree, topOf } from '../../src/package/git.ts'
import type { NamedFolder } from '../../src/package/named-folder.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import { readTree } from '../../src/package/read-package.ts'
import { GitError } from '../../src/package/run-git.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../../src/resource-list/package-of.ts'
import type { Result } from '../../src/result.ts'
import { withFunctionConfig } from '../function-config.ts'
import type { Host } from '../host.ts'
import { type Revision, readAgainst } from '../plan/compare-with-revision.ts'
import { configuredOptions } from '../render/run-render.ts'
import { packagesFolder } from '../rings/read-rings.ts'

/**
 * Returns what the change since a git revision does to the rings of a fleet that `promote` would refuse.
 *
 * @throws UsageError for a revision that git does not know; FunctionError with every fault of the fleet, or of a file of the revision
 */
export function ringFindings({ list }: FolderPackage, dir: string, revision: Revision, host: Host): readonly Result[] {
  const plan = planAsConfigured(withFunctionConfig(list, 'fan-out', dir))
  if (plan.sets.every(({ set }) => set === undefined || set.rings.length === 0)) return []
  const { items } = readAgainst(revision, dir, host).list
  const out = packagesFolder(dir, {}, configuredOptions(list.items, dir, host), host)
  return judgeRingsSince(plan, [...items, ...(out === undefined ? [] : kptfilesAt(revision, out, items))])
}

/** Returns the Kptfiles that a folder of packages outside of the fleet's folder had at a revision; none outside of a repository. */
function kptfilesAt({ ref, seconds }: Revision, out: NamedFolder, items: readonly KrmObject[]): readonly KrmObject[] {
  const isRead = items.some(({ file }) => file !== undefined && isKptfile(file.path) && file.path.startsWith(`${out.shown}/`))
  if (isRead || !existsSync(out.disk) || !isInRepository(out, seconds)) return []
  const name = (path: string): string => posix.join(out.shown, path)
  return readTree(gitTree(ref, { dir: out.disk, seconds }, name), name).list.items.filter(({ kind }) => kind === KPTFILE)
}

function isInRepository({ disk }: NamedFolder, seconds: number | undefined): boolean {
  try {
    return topOf({ dir: disk, seconds }) !== ''
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}
