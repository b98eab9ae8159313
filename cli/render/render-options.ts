import { readOptions } from '../../functions/render-variants/render-variants.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import type { FunctionOptions, RenderOptions } from '../../src/render/options.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import type { Result } from '../../src/result.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { namedFolder } from '../fleet/read-fleet.ts'
import { withOnlyOptions } from '../function-config.ts'
import type { Host } from '../host.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'

const RENDER_VARIANTS = 'render-variants'

/** The options of a render, and what is wrong with them. */
export interface FoundOptions {
  readonly options: RenderOptions
  /** The options for the functions of packages. */
  readonly configured: FunctionOptions
  readonly results: readonly Result[]
}

/** Returns the options that the functionConfig of a list or of `--config` holds. Throws as `optionsAsked`. */
export function renderOptions(list: ResourceList, folder: NamedFolder, request: FleetRenderRequest, host: Host): FoundOptions {
  return optionsAsked(withOnlyOptions(list, RENDER_VARIANTS, { config: request.config, dir: folder.shown }, host), folder, request)
}

/**
 * Returns the options in the functionConfig of a list, with the caller's choices over them.
 *
 * @throws FunctionError  with the faults of the options
 */
export function optionsAsked(configured: ResourceList, folder: NamedFolder, request: FleetRenderRequest): FoundOptions {
  const { options, functions, results } = readOptions(configured, {
    fleet: request.allowOutside === true ? undefined : folder.disk,
    refusesPrograms: (found) => request.run === true && request.allowExec !== true && runsFunctions(request, found),
  })
  const isStatusLost = options.status && !runsFunctions(request, functions)
  const ignored = isStatusLost && configured.functionConfig !== undefined ? [withoutStatus(configured.functionConfig)] : []
  const followRenames = request.followRenames ?? options.followRenames
  const discardEdits = request.discardEdits ?? options.discardEdits
  const allowMoved = request.allowMoved ?? options.allowMoved
  return { options: { ...options, followRenames, discardEdits, allowMoved }, configured: functions, results: [...results, ...ignored] }
}

/**
 * Returns the options of render-variants that a folder holds, or a ResourceList on stdin (`-`).
 *
 * @throws FunctionError  with the faults of the options
 */
export function optionsOfFleet(items: readonly KrmObject[], dir: string, host: Host, asked: Partial<FleetRenderRequest>): FoundOptions {
  const folder = dir === '-' ? { disk: '', shown: '.' } : namedFolder(dir, host)
  return renderOptions(ResourceList.of(items), folder, { ...asked, fanOut: true, run: false }, host)
}

/** Returns true if the functions of packages run. */
export function runsFunctions({ run }: Pick<FleetRenderRequest, 'run'>, { mode }: FunctionOptions): boolean {
  return run !== false && mode !== 'leave'
}

/** Returns the warning that `status` has no effect: most variants of a folder are in no file, since their sets make them in each run. */
function withoutStatus(config: KrmObject): Result {
  const path = [config.kind === 'ConfigMap' ? 'data' : 'spec', 'status']
  const message =
    'has no effect here: the function render-variants writes the status of PackageVariants, and a Kptfile gets one where its functions run'
  return faultToResult(config, { severity: 'warning', rule: 'option-without-effect', path, message })
}
