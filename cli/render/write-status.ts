import { planAsConfigured, writeConditions } from '../../functions/fan-out/fan-out.ts'
import { readVariants } from '../../src/fleet/fleet-variants.ts'
import { fleetItems } from '../../src/render/list/fleet-items.ts'
import { ListFolders } from '../../src/render/list/list-folders.ts'
import type { Fate, FolderReport } from '../../src/render/render-summary.ts'
import { type VariantState, writeVariantStatus } from '../../src/render/variant-status.ts'
import { isPackageVariant, namespacedName } from '../../src/variant/find-variant.ts'
import { countOf } from '../../src/wording.ts'
import { loadFleet } from '../fleet/read-fleet.ts'
import { withFunctionConfig } from '../function-config.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { Host } from '../host.ts'
import { writeEdits } from '../write-edits.ts'

const STATES: Readonly<Record<Fate, VariantState>> = {
  created: 'ready',
  moved: 'ready',
  updated: 'ready',
  unchanged: 'ready',
  left: 'left',
  failed: 'failed',
}

/**
 * Writes the status of the sets and PackageVariants of the fleet in the folder `dir` into their files, as the functions fan-out and
 * render-variants do with `status: true`. A variant without a file, which its set makes in each run, has no status. Returns a summary.
 *
 * @throws FunctionError  with each file that must not be written, before any is
 */
export function writeStatus(dir: string, report: Pick<FolderReport, 'variants'>, host: Host): Promise<string> {
  return holdingFolders({ dirs: [dir], isWriting: true }, host, () => writeStatusNow(dir, report, host))
}

async function writeStatusNow(dir: string, { variants = new Map() }: Pick<FolderReport, 'variants'>, host: Host): Promise<string> {
  const read = await loadFleet(dir, host)
  for (const set of planAsConfigured(withFunctionConfig(read.list, 'fan-out', dir)).sets) writeConditions(set)
  const { items } = read.list
  const own = fleetItems(items, new ListFolders(items), { repositories: new Map() })
  for (const variant of readVariants(own.filter(isPackageVariant)).variants) {
    const fate = variants.get(namespacedName(variant.object))
    if (fate !== undefined) writeVariantStatus(variant, STATES[fate])
  }
  const isSecond = [...variants.values()].some((fate) => fate !== 'unchanged' && STATES[fate] === 'ready')
  const changed = writeEdits(read, dir, { say: () => {}, isDryRun: false, isSecond }, host)
  return `status written to ${countOf(changed.length, 'file')}\n`
}
