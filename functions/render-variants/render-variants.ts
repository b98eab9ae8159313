import { isSafePath } from '../../src/folder/safe-path.ts'
import type { WaysOut } from '../../src/pipeline/match.ts'
import { variantFaults } from '../../src/render/list/fleet-items.ts'
import { nameFolder } from '../../src/render/list/list-places.ts'
import { renderList } from '../../src/render/list/render-list.ts'
import { CALL_SECONDS, type FunctionOptions, type RenderOptions } from '../../src/render/options.ts'
import { ownBuiltin, packageFunctions, type RunnerSettings } from '../../src/render/runs/package-runners.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import type { Caller, KrmFunction } from '../../src/run.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { type Configured, decodeRenderVariantsConfig, outsideFaults, programConsentFaults } from './function-config.ts'
import { ownFunctions } from './generated/own-functions.ts'

/**
 * Makes the package of every PackageVariant of the list, or brings it up to date (seed 000, Order of Mutations), and starts no program.
 * With `pipeline: run` the functions of new and changed packages run.
 */
export function renderVariants(list: ResourceList): void {
  renderVariantsFor({ allowExec: false, folder: '.', environment: {} })(list)
}

/** Returns the function `renderVariants` for a caller, who may allow programs: a functionConfig alone starts none. */
export function renderVariantsFor(caller: Caller): KrmFunction {
  return (list) => {
    const { options, functions, only } = readConfig(list, caller)
    const run = functions.mode === 'run' ? packageFunctions(settingsOf(functions, caller), { status: options.status }) : undefined
    renderList(list, options, { ...(only !== undefined && { only }), ...(run !== undefined && { functions: run }) })
    if (list.functionConfig !== undefined) list.results.push(...relativeRepositories(list.functionConfig, options))
  }
}

const WAYS_OUT: WaysOut = {
  containers: '`containers: true`',
  program: (image) => `\`functions\` for ${image} and --allow-exec`,
  last: 'leave the functions of all packages to kpt with `pipeline: leave`',
}

function settingsOf({ programs, anyVersion, containers }: FunctionOptions, { allowExec, folder, environment }: Caller): RunnerSettings {
  return {
    programs,
    allowExec,
    anyVersion,
    folder,
    environment,
    imagePrefix: environment.KPT_IMAGE_PREFIX || undefined,
    seconds: CALL_SECONDS,
    containers: containers ? { network: new Set(), keepsAnswers: true } : undefined,
    own: [...ownFunctions(), ['render-variants', renderVariants] as const].map(([name, fn]) => ownBuiltin(name, fn)),
    waysOut: WAYS_OUT,
  }
}

/** @throws FunctionError  with the faults of the variants too, when the options have some */
function readConfig({ functionConfig, items }: ResourceList, { allowExec }: Caller): Configured {
  try {
    const configured = decodeRenderVariantsConfig(functionConfig)
    requireInside(functionConfig, configured.options)
    if (configured.functions.mode === 'run' && !allowExec) requireConsent(functionConfig, configured.functions)
    return configured
  } catch (error) {
    throw error instanceof FunctionError ? new FunctionError([...error.results, ...variantFaults(items)]) : error
  }
}

/** Refuses an `out` that leads out of the folder that the function was given. The tool may write elsewhere. */
function requireInside(config: KrmObject | undefined, { out }: RenderOptions): void {
  if (config === undefined || out === undefined) return
  const folder = nameFolder(out)
  if (folder !== '' && !isSafePath(folder)) throw new FunctionError([unsafeOut(config, out)])
}

function unsafeOut(config: KrmObject, out: string): Result {
  const path = config.kind === 'ConfigMap' ? ['data', 'out'] : ['spec', 'out']
  const message = `must be a folder of the package, without '..' and '.git', got ${quoteText(out)}`
  return faultToResult(config, { severity: 'error', rule: 'package-path', path, message })
}

/** @throws FunctionError  with an error for each program, which the caller did not allow */
function requireConsent(config: KrmObject | undefined, functions: FunctionOptions): void {
  const faults = config === undefined ? [] : programConsentFaults(config, functions)
  if (faults.length > 0) throw new FunctionError(faults)
}

/** The options of render-variants in a functionConfig, and the findings about them. */
interface FoundOptions extends Pick<Configured, 'options' | 'functions'> {
  readonly results: readonly Result[]
}

/**
 * Returns the options in a list's functionConfig, and the findings about them.
 *
 * @param fleet           the folder that every folder of the options must be in; if unset, they may be anywhere
 * @param refusesPrograms  returns true if the options must name no programs, since functions run and the caller allowed no program
 * @throws FunctionError when it has faults
 */
export function readOptions(
  { functionConfig }: ResourceList,
  { fleet, refusesPrograms }: { readonly fleet: string | undefined; readonly refusesPrograms: (functions: FunctionOptions) => boolean },
): FoundOptions {
  const { options, functions } = decodeRenderVariantsConfig(functionConfig)
  if (functionConfig === undefined) return { options, functions, results: [] }
  const outside = fleet === undefined ? [] : outsideFaults(functionConfig, options, fleet)
  const programs = refusesPrograms(functions) ? programConsentFaults(functionConfig, functions) : []
  const faults = [...outside, ...programs]
  if (faults.length > 0) throw new FunctionError(faults)
  return { options, functions, results: relativeRepositories(functionConfig, options) }
}

/**
 * Returns the findings about the `out` of options that only the tool reads, which may lead out of the folder of the fleet with
 * `--allow-outside`; none if the options cannot be read.
 *
 * @param fleet  the folder that `out` must be in; undefined if `out` may be anywhere
 */
export function faultsOfOut(config: KrmObject, fleet: string | undefined): readonly Result[] {
  try {
    const { options } = decodeRenderVariantsConfig(config)
    const { out = '' } = options
    const below = nameFolder(out).replace(/^(\.\.(\/|$))+/, '')
    if (below !== '' && !isSafePath(below)) return [unsafeOut(config, out)]
    return fleet === undefined ? [] : outsideFaults(config, { ...options, repositories: new Map() }, fleet)
  } catch (error) {
    if (error instanceof FunctionError) return []
    throw error
  }
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
