import { isSafePath } from '../../src/package/safe-path.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import { variantFaults } from '../../src/render/target/list/fleet-items.ts'
import { nameFolder } from '../../src/render/target/list/list-places.ts'
import { renderList } from '../../src/render/target/list/render-list.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { type Configured, decodeRenderVariantsConfig, outsideFaults } from './function-config.ts'

/** Makes the package of every PackageVariant of the list, or brings it up to date (seed 000, Order of Mutations). */
export function renderVariants(list: ResourceList): void {
  const { options, only } = readConfig(list)
  renderList(list, options, only)
  if (list.functionConfig !== undefined) list.results.push(...relativeRepositories(list.functionConfig, options))
}

/** @throws FunctionError  with the faults of the variants too, when the options have some */
function readConfig({ functionConfig, items }: ResourceList): Configured {
  try {
    const configured = decodeRenderVariantsConfig(functionConfig)
    requireInside(functionConfig, configured.options)
    return configured
  } catch (error) {
    throw error instanceof FunctionError ? new FunctionError([...error.results, ...variantFaults(items)]) : error
  }
}

/** A function has no other folder to write to than the one that it was given. The tool may have one. */
function requireInside(config: KrmObject | undefined, { out }: RenderOptions): void {
  if (config === undefined || out === undefined) return
  const folder = nameFolder(out)
  if (folder === '' || isSafePath(folder)) return
  const path = config.kind === 'ConfigMap' ? ['data', 'out'] : ['spec', 'out']
  const message = `must be a folder of the package, without '..' and '.git', got ${quoteText(out)}`
  throw new FunctionError([faultToResult(config, { severity: 'error', rule: 'package-path', path, message })])
}

/**
 * The options in a list's functionConfig, and what is to be said about them.
 *
 * @param fleet  the folder that every folder of the options must be in; without one they may be anywhere
 * @throws FunctionError when it has faults
 */
export function readOptions(
  { functionConfig }: ResourceList,
  fleet?: string,
): { readonly options: RenderOptions; readonly results: readonly Result[] } {
  const { options } = decodeRenderVariantsConfig(functionConfig)
  const outside = functionConfig === undefined || fleet === undefined ? [] : outsideFaults(functionConfig, options, fleet)
  if (outside.length > 0) throw new FunctionError(outside)
  return { options, results: functionConfig === undefined ? [] : relativeRepositories(functionConfig, options) }
}

/** Kptfiles name a repository as it is written, and kpt reads a path in them from the package, not from the folder of the fleet. */
function relativeRepositories(config: KrmObject, { repositories }: Pick<RenderOptions, 'repositories'>): readonly Result[] {
  return [...repositories].flatMap(([name, { git }]) => {
    if (git === undefined || !isRelative(git.repo)) return []
    const path = ['spec', 'repositories', name, 'git', 'repo']
    const message = `must be a URL, or begin with '/', for kpt to find it from the packages, which name it as it is written, got ${quoteText(git.repo)}`
    return [faultToResult(config, { severity: 'warning', rule: 'repository-relative', path, message })]
  })
}

/** Returns true for an address that is no URL, no HOST:PATH and no path from the root. */
function isRelative(repo: string): boolean {
  return !repo.includes(':') && !repo.startsWith('/')
}
