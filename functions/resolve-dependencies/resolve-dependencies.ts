import { unknownPackages } from '../../src/dependencies/check-objects.ts'
import { inputOf, readList } from '../../src/dependencies/config/catalogs.ts'
import {
  decodeSettings,
  SHARED_SETTINGS,
  type SharedOptions,
  setting,
  sharedOptions,
  toResults,
  unknownRules,
  WHOLE_NUMBER,
} from '../../src/dependencies/config/options.ts'
import {
  applyEdits,
  describeResolved,
  doubtsAbout,
  type ResolveOptions,
  reconcileObjects,
  removedSince,
  resolveObjects,
  type UpdateFault,
  type UpdateRequest,
} from '../../src/dependencies/resolve-objects.ts'
import { type AppliedChange, type SimulatedState, simulate } from '../../src/dependencies/simulation/simulate.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { oneOf, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import { decode } from '../../src/schema/validate.ts'
import { RESOLVE_DEPENDENCIES_SCHEMA, type ResolveDependenciesFields } from './schema.ts'

/**
 * Adds the packages that a list requires, changes versions that do not meet a requirement or that updates name, and removes unused
 * dependencies if the options ask for that. Throws FunctionError when the list has faults, and changes nothing then.
 */
export function resolveDependencies(list: ResourceList): void {
  resolveAsAsked(list, {})
}

/** The wishes of the caller of the tool, beside the options of the functionConfig. */
export interface AskedOfResolve {
  readonly update?: readonly UpdateRequest[]
  /** True to remove generated objects that nothing requires, as the option `prune` does. */
  readonly prune?: boolean
  /** The list at an earlier time: an owner that it has, and that is gone now, was removed. */
  readonly former?: ResourceList | undefined
}

/** Does what `resolveDependencies` does, with the wishes of the caller of the tool. */
export function resolveAsAsked(list: ResourceList, { update: updates = [], prune = false, former }: AskedOfResolve): void {
  const decoded = decodeResolveDependenciesConfig(list.functionConfig)
  const update = [...(decoded.resolve.update ?? []), ...updates]
  const removedInstalls = former && removedSince(readList(former, decoded).input, readList(list, decoded).input)
  const options = {
    ...decoded,
    read: { ...decoded.read, ...(removedInstalls && { removedInstalls }) },
    resolve: { ...decoded.resolve, update, prune: prune || decoded.resolve.prune },
  }
  const { input, faults } = readList(list, options)
  const unknown = unknownKinds(list.items, PACKAGE_KINDS)
  list.results.push(...unknown)
  if (faults.length > 0 || hasErrors(unknown)) throw new FunctionError([...faults, ...toResults(doubtsAbout(input), options)])
  const { edits, findings, faults: refused } = resolveObjects(input, options.resolve)
  list.results.push(...refused.map((fault) => updateResult(fault, update.indexOf(fault.request), list.functionConfig)))
  list.results.push(...toResults(findings, options))
  if (hasErrors(list.results)) return
  applyEdits(edits, list)
  if (options.lifecycle) settleLifecycle(list, options)
  if (hasErrors(list.results)) return
  // Results describe the resolved list, not the changes, so that a second run reports the same.
  list.results.push(...toResults(describeResolved(inputOf(list, options), options.resolve), options))
}

/** Returns the fault of a request as a result: at its field in the functionConfig, or with the option of the tool. */
function updateResult({ request, key, message }: UpdateFault, position: number, config: KrmObject | undefined): Result {
  const rule = 'update-invalid'
  const path = ['spec', 'update', position]
  if (config?.get(path) !== undefined) return faultToResult(config, { severity: 'error', rule, path: [...path, key], message })
  const option = request.version === undefined ? request.name : `${request.name}=${request.version}`
  return { severity: 'error', message: `\`--update ${option}\` ${message}`, tags: { rule } }
}

/** Returns the packages that a list requires and of which no version is known. They are not resolved. */
export function packagesLeftToOthers(list: ResourceList): readonly string[] {
  return unknownPackages(inputOf(list, decodeResolveDependenciesConfig(list.functionConfig)))
}

// Each reconcile of a package deletes one revision at most.
const MORE_ROUNDS = 2

/** Does what the controllers would, until nothing is left to do. */
function settleLifecycle(list: ResourceList, options: ResolveDependenciesOptions): void {
  for (let rounds = list.items.length + MORE_ROUNDS; rounds > 0; rounds--) {
    const { steps, findings } = reconcileObjects(inputOf(list, options))
    const edits = steps.flatMap((step) => step.edits)
    const results = toResults(findings, options)
    if (edits.length === 0 || hasErrors(results)) return void list.results.push(...results)
    applyEdits(edits, list)
  }
}

/**
 * Returns the states that the package managers would reach from a list and some changes, under the options in the list's functionConfig.
 */
export function simulateAsConfigured(list: ResourceList, changes: readonly AppliedChange[]): Simulation {
  const options = decodeResolveDependenciesConfig(list.functionConfig)
  const { items, functionConfig } = list
  const isList = items.some(({ kind }) => kind?.endsWith('List') === true)
  const cluster = isList ? ResourceList.of(items.flatMap(appliedObjects), functionConfig) : list
  const states = simulate(cluster, changes, (now) => inputOf(now, options), options.resolve)
  return states.map(({ findings, ...state }) => ({ ...state, results: toResults(findings, options) }))
}

/** The states in order, each with its results. */
export type Simulation = readonly (Omit<SimulatedState, 'findings'> & { readonly results: readonly Result[] })[]

const NAME = 'resolve-dependencies'

/** The options of resolve-dependencies. */
interface ResolveDependenciesOptions extends SharedOptions {
  readonly resolve: ResolveOptions
  readonly lifecycle: boolean
}

const SETTINGS: TextOptions<Record<string, ResolveDependenciesFields>> = {
  ...SHARED_SETTINGS,
  strategy: setting(oneOf('satisfy', 'native'), (strategy) => ({ strategy })),
  upgrades: setting(oneOf('none', 'generated', 'all'), (upgrades) => ({ upgrades })),
  downgrades: setting(TRUE_OR_FALSE, (downgrades) => ({ downgrades })),
  prune: setting(TRUE_OR_FALSE, (prune) => ({ prune })),
  maxSteps: setting(WHOLE_NUMBER, (maxSteps) => ({ maxSteps })),
  lifecycle: setting(TRUE_OR_FALSE, (lifecycle) => ({ lifecycle })),
  inheritPullSettings: setting(TRUE_OR_FALSE, (inheritPullSettings) => ({ inheritPullSettings })),
}

const READERS: Readonly<Record<string, (config: KrmObject) => ResolveDependenciesFields>> = {
  ResolveDependencies: (config) => {
    const rules = ({ spec = {} }: { readonly spec?: ResolveDependenciesFields }) => unknownRules(spec, NAME)
    return decode(config, { schema: RESOLVE_DEPENDENCIES_SCHEMA, rules }).value.spec ?? {}
  },
  ConfigMap: (config) => decodeSettings(config, NAME, SETTINGS),
}

const MAX_STEPS = 1_000_000

/**
 * Returns the options in a functionConfig: a ResolveDependencies, a ConfigMap of texts, or none.
 *
 * @throws FunctionError with every fault of the functionConfig
 */
function decodeResolveDependenciesConfig(config: KrmObject | undefined): ResolveDependenciesOptions {
  const fields = config === undefined ? {} : readerFor(config, READERS)(config)
  const { strategy = 'satisfy', upgrades = 'none', downgrades = false, prune = false, maxSteps = MAX_STEPS } = fields
  const { lifecycle = false, inheritPullSettings = false, update = [] } = fields
  const shared = sharedOptions(fields, config)
  return {
    ...shared,
    read: { ...shared.read, inheritPullSettings },
    resolve: { strategy, upgrades, downgrades, prune, maxSteps, update },
    lifecycle,
  }
}
