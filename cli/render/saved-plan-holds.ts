import { existsSync, realpathSync } from 'node:fs'
import { posix, relative } from 'node:path'
import { readVariants } from '../../src/fleet/fleet-variants.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { repositoryOf } from '../../src/render/disk/disk-places.ts'
import type { planFolder } from '../../src/render/disk/plan-folder.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { FunctionError } from '../../src/result.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import type { Host } from '../host.ts'
import { boundChanges, changesSince, inputsOf } from '../plan/bound-inputs.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'

/** A plan that is about to be done, and what was read for it. */
interface Planned {
  readonly folder: NamedFolder
  readonly plan: ReturnType<typeof planFolder>
  /** As they were decoded: those of the plan have the name of the fleet too, which no option says. */
  readonly options: RenderOptions
  readonly sets: readonly SetPlan[]
  readonly config: string | undefined
}

/** @throws FunctionError with everything that is other than when the plan was saved */
export function requireSavedPlan({ file, plan: saved }: NonNullable<FleetRenderRequest['saved']>, planned: Planned, host: Host): void {
  const { folder, plan, options, sets, config } = planned
  const inputs = inputsOf({
    folder,
    packages: saved.packages === undefined && options.out === undefined ? undefined : plan.out,
    config: config === undefined ? undefined : host.locate(config),
    planFile: realpathSync(host.locate(file)),
    items: plan.items,
    options,
    packageSource: plan.packageSource,
  })
  const found = changesSince(saved, file, { inputs, changes: boundChanges(sets), folder, isOthers: othersFinder(folder, plan) })
  if (found.length > 0) throw new FunctionError(found)
}

/** Finds the files of packages that a run on a part of the fleet leaves alone: another run may have rendered them meanwhile. */
function othersFinder(folder: NamedFolder, { items, out, selection }: Planned['plan']): (path: string) => boolean {
  if (selection === undefined) return () => false
  const own = readVariants(items.filter(isPackageVariant)).variants.filter((variant) => selection.has(variant))
  const folders = new Set(own.map(({ downstream }) => `${downstream.repo}/${downstream.package}`))
  const root = relative(realpathSync(folder.disk), existsSync(out.disk) ? realpathSync(out.disk) : out.disk)
  return (path) => {
    const inside = posix.relative(root, path)
    if (inside.startsWith('../')) return false
    let above = inside
    while (above !== '.' && !folders.has(above)) above = posix.dirname(above)
    return above === '.' && !selection.mayGo('', repositoryOf(inside))
  }
}
