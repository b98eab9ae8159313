import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { checkInjection } from '../../src/variant/injection/inject.ts'
import { readSources } from '../../src/variant/injection/injection-source.ts'
import { itemsBelow, rootPackage } from '../../src/variant/list-packages.ts'
import { mutateInjection } from '../../src/variant/mutate.ts'
import { decodeInjectConfigOptions } from './function-config.ts'

/** Copies configuration from sources into the injection points of a package (seed 000, Configuration Injection Details). */
export function injectConfig(list: ResourceList): void {
  const options = decodeInjectConfigOptions(list, rootPackage(list))
  const { injection, check } = options
  const pkg = rootPackage(list, options.sources)
  const sources = readSources(itemsBelow(list.items, pkg, options.sources), options.resources)
  list.results.push(...(check ? checkInjection(pkg, injection, sources) : mutateInjection(pkg, { injection }, sources)))
}
