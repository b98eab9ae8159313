import { posix } from 'node:path'
import { Option } from 'commander'
import type { AskedClusters } from '../../src/dependencies/config/catalogs.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'
import type { Host } from '../host.ts'
import { configuredOptions } from '../render/fleet-to-render.ts'
import { UsageError } from '../usage-error.ts'

/** The option of a command that asks what is installed. */
export function clusterOption(): Option {
  return new Option('--cluster <name>', 'look at the packages of this cluster only: a Repository of the fleet, or what `clusters` captures')
}

/**
 * Returns what the caller of the tool knows of the clusters of a folder: its name, and the folder of the rendered packages.
 *
 * @param out  the folder that the caller names for the rendered packages, if any
 */
export function askedClusters(
  items: readonly KrmObject[],
  dir: string,
  { cluster, out }: { readonly cluster?: string | undefined; readonly out?: string | undefined },
  host: Host,
): AskedClusters {
  if (cluster === '') throw new UsageError('`--cluster` must be the name of a cluster, got an empty text')
  const folder = dir === '-' ? '' : dir
  const written = out === undefined ? outOfOptions(items, dir, host) : undefined
  return { folder, cluster, out: written === undefined ? out : posix.join(folder, written) }
}

/** Returns `out` of the options of render-variants. The faults of the options are reported where the options are checked. */
function outOfOptions(items: readonly KrmObject[], dir: string, host: Host): string | undefined {
  try {
    return configuredOptions(items, dir, host).out
  } catch (error) {
    if (error instanceof FunctionError) return undefined
    throw error
  }
}
