import { compareFieldPaths } from '../field-path.ts'
import type { JsonRecord } from '../json.ts'
import { placeInList } from '../resource-list/applied-objects.ts'
import { groupOf, identityOfObject } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { KPTFILE, shortestPath } from '../resource-list/package-of.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { INSTALLING, nameOfContent } from './ecosystems.ts'
import type { Finding } from './finding.ts'
import { checkOwners } from './owners.ts'
import type { Plan, PlanInput, PlanPolicy } from './plan/plan.ts'
import { failureFindings, generatedFindings, plannedCycles } from './plan/plan-findings.ts'
import { keptByPrune } from './plan/pruning.ts'
import { satisfyRequirements } from './plan/satisfy-requirements.ts'
import { findUpdates, planUpdates, type UpdateFault, type UpdateRequest } from './plan/updates.ts'
import { type ReadInput, type Readings, readObjects } from './read-objects.ts'
import type { NewFieldValue, ObjectEdit, Reconciliation } from './reading/ecosystem.ts'
import { locationOf, ownedObjects } from './reading/object-metadata.ts'
import { brokenByRemoval, leftByRemoval, leftFindings, removedInstalls, removedOwners } from './removals.ts'
import { refOf, type WrittenPlan, writePlan } from './write-plan.ts'

export type { UpdateFault, UpdateRequest }

/** The options of a resolution. */
export interface ResolveOptions extends PlanPolicy {
  /** satisfy: meets all requirements together. native: does what the operator of each ecosystem does. */
  readonly strategy: 'satisfy' | 'native'
  /** The most steps that the solver takes. */
  readonly maxSteps: number
  /** True if the steps of independent parts are taken although another part cannot be resolved. */
  readonly partial?: boolean
  /** The installed packages to move. */
  readonly update?: readonly UpdateRequest[]
}

/** The edits that meet the requirements, and the findings to report. With an error there are no edits. */
export interface ResolvedObjects extends Pick<WrittenPlan, 'edits'> {
  readonly findings: readonly Finding[]
  /** The requests of updates that cannot be followed; with one there are no edits. */
  readonly faults: readonly UpdateFault[]
}

// The rules that make doubtful what is required, or which object is which package.
const BLOCKING: ReadonlySet<string> = new Set(['constraint-invalid', 'dependency-form-invalid', 'duplicate-package', 'lock-invalid'])

/** Returns true if an object is of an API group of an ecosystem that installs packages. */
export function holdsPackages(objects: readonly Pick<KrmObject, 'apiVersion'>[]): boolean {
  return objects.some(({ apiVersion = '' }) => INSTALLING.some(({ groups }) => groups.test(groupOf(apiVersion))))
}

/** Returns true if a package of an input is the one that a request of an update names, and can be moved so. */
export function canUpdate(input: ReadInput, request: UpdateRequest, policy: ResolveOptions): boolean {
  return findUpdates([request], readObjects(input).indexes, policy).faults.length === 0
}

/** Returns the findings after which requirements or packages are uncertain. With any of them nothing is resolved. */
export function doubtsAbout(input: ReadInput): readonly Finding[] {
  return blockingAmong(readObjects(input))
}

function blockingAmong({ all }: Readings): readonly Finding[] {
  return all.flatMap((reading) => reading.faults().filter(({ rule, severity }) => BLOCKING.has(rule) && severity !== 'warning'))
}

/**
 * Returns the edits of objects that meet the requirements of every package, or the findings that prevent the edits. Changes nothing.
 */
export function resolveObjects(input: ReadInput, options: ResolveOptions): ResolvedObjects {
  const readings = readObjects(input)
  const updates = findUpdates(options.update ?? [], readings.indexes, options)
  const blocking = blockingAmong(readings)
  if (blocking.length > 0 || updates.faults.length > 0) return refused(blocking, updates.faults)
  const asked = updates.all.length > 0 ? planUpdates(planInput(readings, options), updates) : undefined
  const { plan, findings: updated } = asked ?? { plan: planFor(readings, options), findings: [] }
  if (plan.failures.length > 0 && options.partial !== true) return refused(failureFindings(plan, options.maxSteps))
  const { edits, findings } = writePlan({ ...plan, failures: [] }, readings, input.objects)
  const failed = failureFindings({ ...plan, steps: [] }, options.maxSteps).map((each) => ({ ...each, severity: 'warning' as const }))
  return { edits, findings: [...failed, ...plannedCycles(plan, readings.indexes), ...findings, ...updated], faults: [] }
}

function refused(findings: readonly Finding[], faults: readonly UpdateFault[] = []): ResolvedObjects {
  return { edits: [], findings, faults }
}

/**
 * Returns a finding for each generated object that names the package which requires the object, one for each field that people changed in
 * generated objects, and, with `prune`, the reason why an object that no package requires is kept.
 */
export function describeResolved(input: ReadInput, { prune }: Pick<PlanPolicy, 'prune'>): readonly Finding[] {
  const { all, indexes, kinds } = readObjects(input)
  const edits = all.flatMap((reading) => reading.edits?.() ?? [])
  return [...generatedFindings(indexes, kinds), ...edits, ...(prune ? keptByPrune(indexes, kinds) : [])]
}

/** Returns the PackageInstalls that an earlier state has and this one has not, as the option `removedInstalls` of the readers has them. */
export function removedSince(before: ReadInput, after: ReadInput): ReadonlySet<string> {
  return removedOwners(removedInstalls(readObjects(before).indexes, readObjects(after).indexes))
}

/**
 * Returns a finding for each requirement that the removal of an install breaks, and for each object that was installed for a removed
 * install.
 */
export function describeRemovals(before: ReadInput, after: ReadInput): readonly Finding[] {
  const removed = removedInstalls(readObjects(before).indexes, readObjects(after).indexes)
  if (removed.length === 0) return []
  const state = readObjects({ ...after, options: { ...after.options, removedInstalls: removedOwners(removed) } })
  return [...brokenByRemoval(removed, state), ...leftFindings(leftByRemoval(removed, state))]
}

/** Returns the steps of one reconcile of each controller of every ecosystem; with faults of owners, only the findings. */
export function reconcileObjects(input: ReadInput): Reconciliation {
  const owned = checkOwners([], ownedObjects(input.objects, nameOfContent))
  if (owned.length > 0) return { steps: [], findings: owned, packages: [] }
  const { all, kinds } = readObjects(input)
  const reconciliations = all.flatMap(({ controller }) => controller?.reconcile?.(kinds) ?? [])
  return {
    steps: reconciliations.flatMap(({ steps }) => steps),
    clusterSteps: reconciliations.flatMap(({ clusterSteps = [] }) => clusterSteps),
    clusterFindings: reconciliations.flatMap(({ clusterFindings = [] }) => clusterFindings),
    findings: reconciliations.flatMap(({ findings }) => findings),
    packages: reconciliations.flatMap(({ packages }) => packages),
  }
}

/** Returns the steps and failures of a resolution, and the readings that they are based on. Blocking findings are not checked. */
export function planObjects(input: ReadInput, options: ResolveOptions): { readonly plan: Plan; readonly readings: Readings } {
  const readings = readObjects(input)
  return { plan: planFor(readings, options), readings }
}

function planInput({ indexes, kinds }: Readings, { upgrades, downgrades, prune, maxSteps }: ResolveOptions): PlanInput {
  return { indexes, kinds, policy: { upgrades, downgrades, prune }, maxSteps }
}

function planFor(readings: Readings, options: ResolveOptions): Plan {
  const input = planInput(readings, options)
  if (options.strategy === 'satisfy') return satisfyRequirements(input)
  const plans = readings.all.flatMap(({ controller }) => controller?.installMissing(input) ?? [])
  return { steps: plans.flatMap(({ steps }) => steps), failures: plans.flatMap(({ failures }) => failures) }
}

// New objects are written to this file, in the folder of the object that requires them, or in the package that is asked for.
const FILE = 'dependencies.yaml'

/** Where the new objects of a cluster are written. */
export interface WrittenTo {
  /**
   * The objects of the cluster; absent in a list of one cluster. Another cluster may have an object of the same name in the same package.
   */
  readonly cluster?: readonly KrmObject[] | undefined
  /** The folder of the package that gets new objects. Absent: the package of the object that requires them. */
  readonly into?: string | undefined
}

/** Applies edits to the objects of a list, in their order. Changes the list. */
export function applyEdits(edits: readonly ObjectEdit[], list: ResourceList, to: WrittenTo = {}): void {
  for (const edit of edits) apply(edit, list, to)
  // Entries of Lists keep their positions until all other edits are made.
  const entries = edits.flatMap((edit) => (edit.type === 'remove' ? (placeInList(edit.object) ?? []) : []))
  for (const place of entries.toSorted((a, b) => compareFieldPaths(b.path, a.path))) place.list.delete(place.path)
}

function apply(edit: ObjectEdit, list: ResourceList, to: WrittenTo): void {
  if (edit.type === 'set') for (const field of edit.fields) setField(edit.object, field)
  else if (edit.type === 'add') add(edit.object, edit.near, list, to)
  else if (placeInList(edit.object) === undefined) list.remove(edit.object)
}

function setField(object: KrmObject, field: NewFieldValue): void {
  const { list = object, path: above = [] } = placeInList(object) ?? {}
  const path = [...above, ...field.path]
  if (field.value === undefined) list.delete(path)
  else list.set(path, field.value)
}

function add(object: JsonRecord, near: KrmObject | undefined, list: ResourceList, { cluster, into }: WrittenTo): void {
  const item = into === undefined ? near && (placeInList(near)?.list ?? near) : kptfileOf(into, list)
  const path = `${folderOf((into === undefined ? near : item)?.file?.path)}${FILE}`
  const key = identityOfObject(refOf(object))
  const existing = cluster?.find((each) => each.kind === object.kind && !list.removed.has(each) && identityOfObject(each.ref) === key)
  if (cluster === undefined) list.upsert(object, path, item)
  else if (existing === undefined) list.add(object, path, item)
  else setField(existing, { path: [], value: object })
}

/** Returns the Kptfile of a folder among all packages of a list. A folder without one gets one. */
function kptfileOf(folder: string, list: ResourceList): KrmObject {
  const rootOf = ({ packagePath = '' }: KrmObject) => shortestPath(packagePath)
  const existing = list.items.find((item) => locationOf(item) === `${folder}/${KPTFILE}`)
  if (existing !== undefined) return existing
  // The paths of a list may begin at the folder of a package.
  const [near] = list.items
    .filter((item) => rootOf(item) === '' || `${folder}/`.startsWith(`${rootOf(item)}/`))
    .sort((a, b) => rootOf(a).length - rootOf(b).length)
  const path = near === undefined || rootOf(near) === '' ? folder : folder.slice(rootOf(near).length + 1)
  const info = { description: 'Packages that other packages of the cluster require, as resolve-dependencies adds them.' }
  const metadata = { name: folder.slice(folder.lastIndexOf('/') + 1), annotations: { 'config.kubernetes.io/local-config': 'true' } }
  return list.add({ apiVersion: 'kpt.dev/v1', kind: KPTFILE, metadata, info }, `${path}/${KPTFILE}`, near)
}

function folderOf(path = ''): string {
  return path.replace(/[^/]*$/, '')
}
