import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { VariantChange } from '../../src/fleet/change.ts'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { listGitFiles, topOf } from '../../src/git/git.ts'
import type { GitRepository } from '../../src/git/run-git.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { VARIANT_ANNOTATION } from '../../src/well-known.ts'
import { folderAbove, ownerLine } from '../diff/state-packages.ts'
import type { FleetChoices } from '../fleet/fleet-options.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import type { Host } from '../host.ts'
import { pathIn } from '../print/print-results.ts'

/** The inputs of the comparison: a folder, the variants that its sets ask for, and the objects then and now. */
export interface PlannedPackages {
  readonly fleet: FleetReading
  readonly plan: FleetPlan
  readonly variants: readonly VariantChange[]
  /** The choices of the caller. */
  readonly asked: Omit<FleetChoices, 'out'> & {
    readonly packages?: string
    readonly discardEdits?: boolean
    readonly followRenames?: boolean
  }
  /** With `--against`: the objects of that revision, and the repository. */
  readonly earlier?: { readonly items: readonly KrmObject[]; readonly repository: GitRepository }
}

/**
 * Returns the folder that holds REPOSITORY/PACKAGE of a variant with the variant's annotation, as the caller would name the folder;
 * undefined if none does.
 */
export function renderedFolder({ fleet: { dir, read }, variants, earlier }: PlannedPackages, host: Host): string | undefined {
  const owners = new Map(
    variants.flatMap(({ why, namespace, name }) => (why === undefined ? [] : [[`${why.repo}/${why.package}`, `${namespace}/${name}`]])),
  )
  for (const { kind, file, annotations } of read.list.items) {
    if (kind !== KPTFILE || file === undefined) continue
    const out = folderAbove(pathIn(dir, file.path), owners, (owner) => annotations.get(VARIANT_ANNOTATION) === owner)
    if (out !== undefined) return posix.join(dir, out)
  }
  return earlier === undefined ? undefined : renderedInRepository(owners, earlier.repository, host)
}

/** Returns the same folder, found among the Kptfiles of git's HEAD that exist on disk. */
function renderedInRepository(owners: ReadonlyMap<string, string>, repository: GitRepository, host: Host): string | undefined {
  const top = topOf(repository)
  const { files } = listGitFiles(repository, 'HEAD', { folder: '', isUsed: (path) => path.endsWith(`/${KPTFILE}`) })
  for (const { path } of files) {
    const place = join(top, path)
    const holds = (owner: string) => existsSync(place) && readFileSync(place, 'utf8').includes(ownerLine(owner))
    const out = folderAbove(path, owners, holds)
    if (out !== undefined) return posix.relative(host.locate('.'), join(top, out)) || '.'
  }
  return undefined
}
