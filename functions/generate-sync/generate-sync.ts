import { DEFAULT_OPTIONS } from '../../src/fleet/options.ts'
import { type FleetPlan, planFanOut } from '../../src/fleet/plan-fan-out.ts'
import { plannedVariants } from '../../src/fleet/planned-variants.ts'
import type { JsonRecord } from '../../src/json.ts'
import { asRecord, scalarText } from '../../src/json.ts'
import { objectPlace } from '../../src/resource-list/finding-place.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, findingsOf, formatResourceRef, hasErrors, type Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { ownObject } from '../../src/schema/schema.ts'
import { argocdObjects, directoryWarnings } from '../../src/sync/argocd.ts'
import { configSyncObjects } from '../../src/sync/config-sync.ts'
import { type OtherFiles, readDeployedPackages } from '../../src/sync/deployed-packages.ts'
import { fluxObjects } from '../../src/sync/flux.ts'
import { generatorOf, systemOf } from '../../src/sync/generated-objects.ts'
import { leaveSystem } from '../../src/sync/leave-system.ts'
import type { Deployment, SyncOptions, SyncSystem } from '../../src/sync/options.ts'
import { orderPrerequisites } from '../../src/sync/order-prerequisites.ts'
import { planDeployments } from '../../src/sync/plan-deployments.ts'
import { reconcileSyncObjects, type SyncChanges } from '../../src/sync/reconcile-sync-objects.ts'
import { twoSystems } from '../../src/sync/two-systems.ts'
import { countOf } from '../../src/wording.ts'
import { decodeGenerateSync, onlyConfig } from './function-config.ts'

/**
 * Writes the objects that deploy the packages of a fleet: those of the system in the options, for each variant after fan-out.
 *
 * @throws FunctionError when the options or the fleet have errors; the list is then as before
 */
export function generateSync(list: ResourceList): void {
  generateSyncBeside(list)
}

/** The surroundings of a list that was read from a folder. */
export interface SyncFolder extends OtherFiles {
  /** True to say once, in the run that writes the first objects, what the order depends on. */
  readonly tellsOrder?: boolean
  /** The plan of the fleet, where it was made before. */
  readonly plan?: FleetPlan
  /** The names of objects to remove, beside those in the options. */
  readonly remove?: readonly string[]
  /** Returns the sync objects of the last commit; undefined outside of a git repository. */
  readonly committed?: () => readonly KrmObject[] | undefined
  /** Returns true if the package of a deployment was in another folder of its git repository before; without it no package was. */
  readonly wasIn?: (deployment: Deployment, folder: string) => boolean
}

/**
 * Writes the objects as `generateSync` does, for a list whose files are beside other files. Returns the deployment of each object that
 * deploys one package or Repository, by the name of the object in messages.
 */
export function generateSyncBeside(list: ResourceList, folder: SyncFolder = {}): ReadonlyMap<string, Deployment> {
  const written = decodeGenerateSync(list.functionConfig ?? onlyConfig(list))
  const options = { ...written, remove: new Set([...written.remove, ...(folder.remove ?? [])]) }
  const plan = folder.plan ?? planFanOut(list, { ...DEFAULT_OPTIONS, allowEmpty: true })
  const errors = plan.results.filter((result) => result.severity === 'error' && !isRefusedRemoval(result, plan))
  const { deployments, results } = planDeployments(plannedVariants(plan), plan.fleet, options, readDeployedPackages(list.items, folder))
  const found = [...errors, ...results]
  if (hasErrors(found)) throw new FunctionError(found)
  const byName = new Map(deployments.map((deployment) => [deployment.name, deployment]))
  const history = {
    committed: options.remove.size === 0 ? undefined : folder.committed?.(),
    wasIn: (value: JsonRecord, former: string): boolean => {
      const deployment = deploymentOf(value, byName)
      return deployment !== undefined && folder.wasIn?.(deployment, former) === true
    },
  }
  const changes = reconcileSyncObjects(OBJECTS_OF[options.system](deployments, options, list.items), list.items, options, history)
  if (hasErrors(changes.results)) throw new FunctionError([...found, ...changes.results])
  const isFirst = !list.items.some((object) => generatorOf(object) === options.name && systemOf(object) === options.system)
  const warnings = [
    ...directoryWarnings(changes),
    ...(folder.tellsOrder === true && isFirst ? orderPrerequisites(deployments, options, list.items) : []),
  ]
  const present = new Set(list.items)
  for (const { value, former } of changes.created) {
    const item = list.upsert(value, fileOf(value, options))
    // The comments of people stay with what they are about.
    if (former !== undefined) takeComments(list, item, { value, former })
  }
  const made = new Set(list.items.filter((object) => !present.has(object)))
  writeChanges(list, changes)
  list.results.push(...found, ...changes.results, ...warnings, ...twoSystems(list.items, made), summary(deployments, options))
  return new Map(
    [...list.items, ...list.removed].flatMap((object) => {
      const deployment = systemOf(object) === options.system && DEPLOYING.has(object.kind ?? '') ? byName.get(object.name ?? '') : undefined
      return deployment === undefined ? [] : [[formatResourceRef(object.ref), deployment] as const]
    }),
  )
}

const DEPLOYING: ReadonlySet<string> = new Set(['Kustomization', 'Application', 'RootSync', 'RepoSync'])

/** Returns the systems that read the generated objects among items. */
function usedSystems(items: readonly KrmObject[]): readonly SyncSystem[] {
  return [...new Set(items.flatMap((object) => (generatorOf(object) === '' ? [] : (systemOf(object) ?? []))))].sort()
}

/** Takes the generated objects of a system away: the first run settles them, the run after the next commit removes them. */
export function leaveSyncSystem(list: ResourceList, system: SyncSystem, { committed }: SyncFolder): void {
  const used = usedSystems(list.items)
  if (used.length > 0 && !used.includes(system)) {
    const message = `\`--leave\` must be a system that has generated objects here: ${used.join(', ')}; got ${quoteText(system)}`
    throw new FunctionError([{ severity: 'error', message, tags: { rule: 'sync-left' } }])
  }
  const changes = leaveSystem(list.items, system, committed?.())
  if (hasErrors(changes.results)) throw new FunctionError(changes.results)
  writeChanges(list, changes)
  list.results.push(...changes.results)
}

/** Gives a new object the text of the object that deployed the same until now. */
function takeComments(
  list: ResourceList,
  item: KrmObject,
  { value, former }: { readonly value: JsonRecord; readonly former: KrmObject },
): void {
  const { file } = item
  const draft = former.draft()
  draft.set([], value)
  item.takeText(draft.toText())
  if (!item.isDocument && file !== undefined) list.move(item, file)
}

function deploymentOf({ kind, metadata }: JsonRecord, byName: ReadonlyMap<string, Deployment>): Deployment | undefined {
  return DEPLOYING.has(scalarText(kind)) ? byName.get(scalarText(asRecord(metadata).name)) : undefined
}

function writeChanges(list: ResourceList, { removed, updated }: SyncChanges): void {
  for (const object of removed) list.remove(object)
  for (const { object, value } of updated) object.set([], value)
}

/** Returns true for the error about a removal that fan-out must not make unasked: sync objects follow what the sets ask for. */
function isRefusedRemoval(result: Result, { passedOver }: FleetPlan): boolean {
  return result.tags.rule === 'deletion-guard' && !passedOver.includes(result)
}

/**
 * Returns the faults of a GenerateSync: those of its options, and those that its options have for the variants of a plan, as
 * `generateSync`.
 */
export function syncFaults(
  config: KrmObject,
  plan: Pick<FleetPlan, 'fleet' | 'sets'>,
  items: readonly KrmObject[],
  files: OtherFiles = {},
): readonly Result[] {
  const packages = readDeployedPackages(items, files)
  return findingsOf(() => {
    const options = decodeGenerateSync(config)
    const { deployments, results } = planDeployments(plannedVariants(plan), plan.fleet, options, packages)
    if (hasErrors(results)) return results
    const changes = reconcileSyncObjects(OBJECTS_OF[options.system](deployments, options, items), items, options)
    return [...results, ...changes.results.filter(({ tags }) => OF_FILES.has(tags.rule))]
  })
}

/** The rules whose findings people fix in the files of the sync objects. */
const OF_FILES: ReadonlySet<string> = new Set(['sync-remove', 'sync-needed', 'sync-entry-missing'])

/**
 * Returns what is wrong with the deployment of a fleet without a GenerateSync: two systems that deploy one folder, what a system with
 * generated objects refuses in packages, and Repositories with one folder, a warning here, since nothing may deploy them yet.
 */
export function deploymentFaults(
  plan: Pick<FleetPlan, 'fleet' | 'sets'>,
  items: readonly KrmObject[],
  files: OtherFiles = {},
): readonly Result[] {
  if (items.some(({ kind }) => kind === 'GenerateSync')) return twoSystems(items)
  const packages = readDeployedPackages(items, files)
  const resultsFor = (system: SyncSystem): readonly Result[] => {
    const config = KrmObject.fromDocument(JSON.stringify({ ...ownObject('GenerateSync'), spec: { for: system } }))
    return planDeployments(plannedVariants(plan), plan.fleet, decodeGenerateSync(config), packages).results
  }
  const refused = usedSystems(items)
    .flatMap(resultsFor)
    .filter(({ tags }) => FILE_RULES.has(tags.rule))
  const folders = resultsFor('argocd').filter(({ tags }) => tags.rule === 'sync-same-folder')
  return [...twoSystems(items), ...refused, ...folders.map((result): Result => ({ ...result, severity: 'warning' }))]
}

/** The rules of findings about packages that hold for any options of a system. */
const FILE_RULES: ReadonlySet<string> = new Set(['sync-repository', 'sync-local-config', 'sync-twins', 'sync-refused-file'])

const OBJECTS_OF: Readonly<
  Record<SyncSystem, (deployments: readonly Deployment[], options: SyncOptions, items: readonly KrmObject[]) => readonly JsonRecord[]>
> = {
  flux: fluxObjects,
  argocd: argocdObjects,
  'config-sync': configSyncObjects,
}

/** Returns the file of a new object: a folder for each system, beside the options. */
function fileOf(value: JsonRecord, { config, system }: SyncOptions): string {
  const folder = config.file?.path.replace(/[^/]*$/, '') ?? ''
  return `${folder}${system}/${scalarText(value.kind).toLowerCase()}-${scalarText(asRecord(value.metadata).name)}.yaml`
}

function summary(deployments: readonly Deployment[], { config, per, system }: SyncOptions): Result {
  const waves = new Set(deployments.map(({ wave }) => wave)).size
  const noun = per === 'repository' ? 'downstream repository' : 'package'
  return {
    severity: 'info',
    message: `${system} deploys ${countOf(deployments.length, noun)} in ${countOf(waves, 'wave')}`,
    ...objectPlace(config),
    tags: { rule: 'generate-sync' },
  }
}
