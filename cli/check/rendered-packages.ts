import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { realPlace } from '../../src/package/inside-folder.ts'
import { below } from '../../src/package/named-folder.ts'
import type { FolderPackage } from '../../src/package/package.ts'
import { readTree } from '../../src/package/read-package.ts'
import { fleetTreeInside, withLinksNow } from '../../src/package/tree-inside.ts'
import { diskPlaces } from '../../src/render/target/disk/disk-places.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError } from '../../src/result.ts'
import type { Host } from '../host.ts'
import { requireFolder } from '../read-input.ts'
import { configuredOptions } from '../render/fleet-to-render.ts'
import { packagesFolder } from '../rings/read-rings.ts'

/** The caller's choice of the folder of rendered packages. */
interface OutOptions {
  readonly out?: string
  /** True to read packages outside of the folder of the fleet. */
  readonly allowOutside?: boolean
}

/**
 * Returns the folder of a fleet with its rendered packages, where the options of the fleet or the caller say that these are outside of the
 * folder: they are a part of the fleet that is checked.
 *
 * @throws FunctionError with every file of a package that cannot be read, and the faults of the options
 */
export function withRenderedPackages(read: FolderPackage, dir: string, options: OutOptions, host: Host): FolderPackage {
  if (dir === '-') return read
  const { items, functionConfig } = read.list
  const out = packagesFolder(dir, options, configuredOptions(items, dir, host), host)
  if (out === undefined || !existsSync(out.disk)) return read
  const [fleet, root] = [realPlace(requireFolder(dir, host)), realPlace(out.disk)]
  const isAllowed = options.allowOutside === true || options.out !== undefined
  if (root === fleet || root.startsWith(`${fleet}/`) || !isAllowed) return read
  const { owned, faults } = diskPlaces(out)
  if (faults.length > 0) throw new FunctionError(faults)
  const packages = owned.map(({ folder }) => {
    const place = below(out, folder)
    const name = (path: string) => posix.join(place.shown, path)
    const inside = fleetTreeInside(place.disk, name)
    return withLinksNow(inside, () => readTree(inside.tree, name, { isPackage: true }))
  })
  return {
    files: [...read.files, ...packages.flatMap(({ files }) => files)],
    list: ResourceList.of([...items, ...packages.flatMap(({ list }) => list.items)], functionConfig),
    results: [...read.results, ...packages.flatMap(({ results }) => results)],
  }
}
