import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import type { Result } from '../../src/result.ts'
import { injectConfiguration, settlePoints, standingResults } from '../../src/variant/injection/inject.ts'
import { readSources } from '../../src/variant/injection/injection-source.ts'
import type { SettledPoint } from '../../src/variant/injection/injection-status.ts'
import type { InjectionRequest } from '../../src/variant/injection/select-source.ts'
import { staleResults } from '../../src/variant/injection/stale-point.ts'
import { unmetResult } from '../../src/variant/injection/unmet-point.ts'
import { itemsBelow, rootPackage } from '../../src/variant/variant-package.ts'
import { decodeOptions, INJECTORS_PATH, type Options } from './function-config.ts'

/** Copies configuration from sources into the injection points of a package (seed 000, Configuration Injection Details). */
export function injectConfig(list: ResourceList): void {
  const options = decodeOptions(list, rootPackage(list.items))
  const pkg = rootPackage(list.items, options.sources)
  const sources = readSources(itemsBelow(list.items, pkg, options.sources), options.resources)
  const request = { injectors: options.injectors, namespace: options.namespace, sources }
  const settled = options.check ? settlePoints(pkg, request) : injectConfiguration(pkg, request)
  const stale = options.check ? settled.flatMap(staleResults) : []
  list.results.push(...unmetResults(settled, request, options), ...stale, ...standingResults(pkg, settled))
}

function unmetResults(settled: readonly SettledPoint[], request: InjectionRequest, { strict }: Options): readonly Result[] {
  return settled.flatMap(({ point, selection }) =>
    selection.met ? [] : [unmetResult(point, selection.message, request, INJECTORS_PATH, strict)],
  )
}
