import { checkObjects, unknownPackages } from '../../src/dependencies/check-objects.ts'
import {
  type AskedClusters,
  faultsOf,
  inCluster,
  installedParts,
  type PartInput,
  providedElsewhere,
  readList,
  readParts,
  withFormer,
} from '../../src/dependencies/config/catalogs.ts'
import {
  decodeSettings,
  optionFaults,
  optionsIn,
  SHARED_SETTINGS,
  type SharedOptions,
  setting,
  sharedOptions,
  toResults,
  WHOLE_NUMBER,
} from '../../src/dependencies/config/options.ts'
import {
  applyEdits,
  canUpdate,
  describeResolved,
  doubtsAbout,
  holdsPackages,
  type ResolvedObjects,
  type ResolveOptions,
  reconcileObjects,
  removedSince,
  resolveObjects,
  type UpdateFault,
  type UpdateRequest,
  type WrittenTo,
} from '../../src/dependencies/resolve-objects.ts'
import { type AppliedChange, type SimulatedState, simulate } from '../../src/dependencies/simulation/simulate.ts'
import { compareText } from '../../src/field-path.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { joinPath } from '../../src/resource-list/package-of.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { quoteNames } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { oneOf, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import { decode } from '../../src/schema/validate.ts'
import { PACKAGE_NAME, RESOLVE_DEPENDENCIES_SCHEMA, type ResolveDependenciesFields } from './schema.ts'

/**
 * Adds the packages that a list requires, changes versions that do not meet a requirement or that updates name, and removes unused
 * dependencies if the options ask for that. Throws FunctionError when the list has faults, and changes nothing then.
 */
export function resolveDependencies(list: ResourceList): void {
  resolveAsAsked(list, {})
}

/** The wishes of the caller of the tool, beside the options of the functionConfig. */
export interface AskedOfResolve extends AskedClusters {
  readonly update?: readonly UpdateRequest[]
  /** True to remove generated objects that nothing requires, as the option `prune` does. */
  readonly prune?: boolean
  /** True to write what can be resolved although another part cannot, as the option `partial` does. */
  readonly partial?: boolean
  /** The package of each cluster that gets what is missing there, as the option `into`. */
  readonly into?: string | undefined
  /** The list at an earlier time: an owner that it has, and that is gone now, was removed. */
  readonly former?: ResourceList | undefined
}

/** Does what `resolveDependencies` does, with the wishes of the caller of the tool. */
export function resolveAsAsked(list: ResourceList, { update: updates = [], prune, partial, into, former, ...asked }: AskedOfResolve): void {
  const decoded = decodeResolveDependenciesConfig(list.functionConfig)
  const update = [...(decoded.resolve.update ?? []), ...updates]
  const resolve = { ...decoded.resolve, update, ...(prune && { prune }), ...(partial && { partial }) }
  const options = { ...decoded, into: into ?? decoded.into, resolve }
  const parts = readParts(list, options, asked).filter(({ isInstalled }) => isInstalled)
  const faults = [...faultsOf(parts), ...providedElsewhere(options, list, parts, asked)]
  const unknown = unknownKinds(list.items.flatMap(appliedObjects), PACKAGE_KINDS)
  list.results.push(...unknown)
  if (faults.length > 0 || hasErrors(unknown))
    throw new FunctionError([...faults, ...parts.flatMap((part) => inCluster(part, toResults(doubtsAbout(part.input), options)))])
  const removed = removedInCluster(parts, former, options, asked)
  const resolved = parts.map((part) => ({ part, edits: resolvePart(withRemoved(part, removed), parts, list, options) }))
  if (hasErrors(list.results)) return
  const before = list.items.map((object) => ({ object, text: object.toText() }))
  for (const { part, edits } of resolved) applyEdits(edits, list, writtenTo(part, parts, options))
  if (resolved.some(({ edits }) => edits.length > 0)) list.results.push(...faultsMade(list, before, options, asked))
  if (hasErrors(list.results)) return
  if (options.lifecycle) settleLifecycle(list, options, asked)
  if (hasErrors(list.results)) return
  // Results describe the resolved list, not the changes, so that a second run reports the same.
  for (const part of installedParts(list, options, asked)) {
    const { input } = withRemoved(part, removed)
    list.results.push(...inCluster(part, toResults(describeResolved(input, options.resolve), options)))
  }
}

/**
 * Returns the errors that a check has after the edits and had not before: nothing may be written that the check then refuses, such as two
 * packages that bring one object.
 *
 * @param before  the objects of the list before the edits, with their texts
 */
function faultsMade(
  list: ResourceList,
  before: readonly { readonly object: KrmObject; readonly text: string }[],
  options: ResolveDependenciesOptions,
  asked: AskedClusters,
): readonly Result[] {
  const errorsIn = (items: readonly KrmObject[]) =>
    installedParts({ items }, options, asked).flatMap((part) =>
      inCluster(part, toResults(checkObjects(part.input, options.resolve), options)).filter(isError),
    )
  const after = errorsIn(list.items)
  if (after.length === 0) return []
  const known = new Set(errorsIn(before.map(earlier)).map(keyOfFault))
  const made = after.filter((result) => !known.has(keyOfFault(result)))
  return made.map((result): Result => {
    if (result.tags.rule === OF_MANIFESTS) return { ...result, severity: 'warning', message: `${result.message}; a check refuses it` }
    return { ...result, message: `${result.message}; a check would refuse what resolving writes, so nothing is written` }
  })
}

/** The rule on a component whose manifest is for the cluster: Glasskube's resolver asks for it all the same, and its webhook refuses it. */
const OF_MANIFESTS = 'scope-mismatch'

/** Returns an object as it was; a copy, if it was edited since. */
function earlier({ object, text }: { readonly object: KrmObject; readonly text: string }): KrmObject {
  if (object.toText() === text) return object
  const copy = object.draft()
  copy.takeText(text)
  return copy
}

function isError({ severity }: Result): boolean {
  return severity === 'error'
}

/** Returns a key of a fault that stays when versions in the message change. */
function keyOfFault({ resourceRef, field, tags }: Result): string {
  const { rule, package: pkg, dependency, cluster } = tags
  return JSON.stringify([rule, resourceRef, field?.path, pkg, dependency, cluster])
}

/** Returns the edits that meet the requirements of one cluster. Adds the findings to the results of the list. */
function resolvePart(
  part: PartInput,
  parts: readonly PartInput[],
  { results, functionConfig }: ResourceList,
  { resolve, ...options }: ResolveDependenciesOptions,
): ResolvedObjects['edits'] {
  const { update = [] } = resolve
  // A package to move may be on some clusters only. On none, every cluster says so, and the first is heard.
  const elsewhere =
    parts.length === 1 ? [] : update.filter((request) => isFor(request, parts, resolve) && !canUpdate(part.input, request, resolve))
  const wanted = update.filter((request) => !elsewhere.includes(request))
  const { edits, findings, faults } = resolveObjects(part.input, { ...resolve, update: wanted })
  const heard = part === parts[0] || parts.length === 1 ? faults : []
  results.push(...heard.map((fault) => updateResult(fault, update.indexOf(fault.request), functionConfig)))
  results.push(...inCluster(part, toResults(findings, options)))
  return edits
}

/** Returns where the new objects of a part are written: never into another cluster. */
function writtenTo({ input, folder }: PartInput, parts: readonly unknown[], { into }: ResolveDependenciesOptions): WrittenTo {
  return {
    ...(parts.length > 1 && { cluster: input.objects }),
    ...(into !== undefined && { into: joinPath(folder, into) }),
  }
}

function isFor(request: UpdateRequest, parts: readonly PartInput[], policy: ResolveOptions): boolean {
  return parts.some(({ input }) => canUpdate(input, request, policy))
}

type RemovedInCluster = ReadonlyMap<string | undefined, ReadonlySet<string>>

/** Returns the installs that each cluster had at an earlier time and has not any more. */
function removedInCluster(
  parts: readonly PartInput[],
  former: ResourceList | undefined,
  options: SharedOptions,
  asked: AskedClusters,
): RemovedInCluster {
  if (former === undefined) return new Map()
  return new Map(withFormer(parts, former, options, asked).map(({ part, before }) => [part.cluster, removedSince(before, part.input)]))
}

function withRemoved(part: PartInput, removed: RemovedInCluster): PartInput {
  const removedInstalls = removed.get(part.cluster)
  if (removedInstalls === undefined) return part
  return { ...part, input: { ...part.input, options: { ...part.input.options, removedInstalls } } }
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
export function packagesLeftToOthers(list: ResourceList, asked: AskedClusters = {}): readonly string[] {
  const parts = installedParts(list, decodeResolveDependenciesConfig(list.functionConfig), asked)
  return [...new Set(parts.flatMap(({ input }) => unknownPackages(input)))].sort(compareText)
}

// Each reconcile of a package deletes one revision at most.
const MORE_ROUNDS = 2

/** Does what the controllers would, until nothing is left to do. */
function settleLifecycle(list: ResourceList, options: ResolveDependenciesOptions, asked: AskedClusters): void {
  for (let rounds = list.items.length + MORE_ROUNDS; rounds > 0; rounds--) {
    const made = installedParts(list, options, asked).map((part) => ({ part, ...reconcileObjects(part.input) }))
    const edits = made.map(({ part, steps }) => ({ part, edits: steps.flatMap((step) => step.edits) }))
    const results = made.flatMap(({ part, findings }) => inCluster(part, toResults(findings, options)))
    if (edits.every((each) => each.edits.length === 0) || hasErrors(results)) return void list.results.push(...results)
    for (const each of edits) applyEdits(each.edits, list, writtenTo(each.part, made, options))
  }
}

/**
 * Returns the states that the package managers would reach from a list and some changes, under the options in the list's functionConfig.
 */
export function simulateAsConfigured(list: ResourceList, changes: readonly AppliedChange[], asked: AskedClusters = {}): Simulation {
  const options = decodeResolveDependenciesConfig(list.functionConfig)
  const { items, cluster: name } = onlyCluster(installedParts(list, options, asked))
  const ofCluster = optionsIn(name, options)
  const isList = items.some(({ kind }) => kind?.endsWith('List') === true)
  const isWhole = items === list.items && !isList
  const cluster = isWhole ? list : ResourceList.of(items.flatMap(appliedObjects), list.functionConfig)
  const states = simulate(cluster, changes, (now) => readList(now, ofCluster).input, options.resolve)
  return states.map(({ findings, ...state }) => ({ ...state, results: toResults(findings, options) }))
}

/**
 * Returns the only part with packages, else the only part.
 *
 * @throws FunctionError  when the packages of several clusters are there
 */
function onlyCluster(parts: readonly PartInput[]): PartInput {
  const holding = parts.filter(({ items }) => holdsPackages(items))
  const [only, ...others] = holding.length === 0 ? parts : holding
  if (only !== undefined && others.length === 0) return only
  const names = [only, ...others].flatMap((part) => part?.cluster ?? [])
  const message = `\`--cluster\` must name the cluster to simulate, one of ${quoteNames(names)}: each has packages of its own`
  throw new FunctionError([{ severity: 'error', message, tags: { rule: 'unknown-cluster' } }])
}

/** The states in order, each with its results. */
export type Simulation = readonly (Omit<SimulatedState, 'findings'> & { readonly results: readonly Result[] })[]

const NAME = 'resolve-dependencies'

/** The options of resolve-dependencies. */
interface ResolveDependenciesOptions extends SharedOptions {
  readonly resolve: ResolveOptions
  readonly lifecycle: boolean
  readonly into: string | undefined
}

/** The allowed names of a package that gets what is missing. */
export const PACKAGE_NAME_RULE = 'the name of a package, such as dependencies: at most 63 of a-z, 0-9 and -'

const SETTINGS: TextOptions<Record<string, ResolveDependenciesFields>> = {
  ...SHARED_SETTINGS,
  strategy: setting(oneOf('satisfy', 'native'), (strategy) => ({ strategy })),
  upgrades: setting(oneOf('none', 'generated', 'all'), (upgrades) => ({ upgrades })),
  downgrades: setting(TRUE_OR_FALSE, (downgrades) => ({ downgrades })),
  prune: setting(TRUE_OR_FALSE, (prune) => ({ prune })),
  partial: setting(TRUE_OR_FALSE, (partial) => ({ partial })),
  maxSteps: setting(WHOLE_NUMBER, (maxSteps) => ({ maxSteps })),
  into: setting({ allowed: PACKAGE_NAME_RULE, read: (text) => (PACKAGE_NAME.test(text) ? text : undefined) }, (into) => ({ into })),
  lifecycle: setting(TRUE_OR_FALSE, (lifecycle) => ({ lifecycle })),
  inheritPullSettings: setting(TRUE_OR_FALSE, (inheritPullSettings) => ({ inheritPullSettings })),
}

const READERS: Readonly<Record<string, (config: KrmObject) => ResolveDependenciesFields>> = {
  ResolveDependencies: (config) => {
    const rules = ({ spec = {} }: { readonly spec?: ResolveDependenciesFields }) => optionFaults(spec, NAME)
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
  const { strategy = 'satisfy', upgrades = 'none', downgrades = false, prune = false, partial = false, maxSteps = MAX_STEPS } = fields
  const { lifecycle = false, inheritPullSettings = false, update = [], into } = fields
  const shared = sharedOptions(fields, config)
  return {
    ...shared,
    read: { ...shared.read, inheritPullSettings },
    resolve: { strategy, upgrades, downgrades, prune, partial, maxSteps, update },
    lifecycle,
    into,
  }
}
