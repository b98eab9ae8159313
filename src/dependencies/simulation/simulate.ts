import { groupBy } from '../../group-by.ts'
import { once } from '../../remember.ts'
import { identityOfObject } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { formatResourceRef } from '../../result.ts'
import { type FieldPlace, type Finding, listNames, listSome } from '../finding.ts'
import type { Step } from '../plan/plan.ts'
import { failureFindings } from '../plan/plan-findings.ts'
import { type ReadInput, type Readings, readObjects } from '../read-objects.ts'
import type { ControllerStep, PackageSummary } from '../reading/ecosystem.ts'
import { placeIn, textAt } from '../reading/field.ts'
import { ownersOf } from '../reading/object-metadata.ts'
import { brokenByRemoval, leftByRemoval, leftFindings, type RemovedInstall, removedInstalls, removedOwners } from '../removals.ts'
import { applyEdits, holdsPackages, planObjects, type ResolveOptions, reconcileObjects } from '../resolve-objects.ts'
import { RULE_SEVERITIES } from '../rule-severities.ts'
import { writePlan } from '../write-plan.ts'
import {
  applyChange,
  collectOrphans,
  dropReplaced,
  fetchManifests,
  findMissingObject,
  giveUids,
  keepTexts,
  noteMade,
  ownersOutside,
} from './cluster.ts'

/** Objects, or parts of objects, that a user applies. */
export interface AppliedChange {
  /** The name of the change: a file. */
  readonly name: string
  readonly objects: readonly KrmObject[]
}

/** The result of one change: all reconciles until no controller has a step left. */
export interface SimulatedState {
  /** The name of the change; undefined for the state before any change. */
  readonly change: string | undefined
  readonly rounds: readonly (readonly SimulatedStep[])[]
  /** The packages after the last round. */
  readonly packages: readonly PackageSummary[]
  readonly findings: readonly Finding[]
}

/** One step of a controller, in words. */
export type SimulatedStep = Omit<ControllerStep, 'edits'>

/** Reads a list; called again after each step. */
export type Reader = (list: ResourceList) => ReadInput

/** The options of a simulation. */
export interface SimulateOptions {
  /** True to remove what was installed for an install that a change deletes, unless something else needs it. */
  readonly prune: boolean
}

/**
 * Applies changes one after the other and runs the controllers of all package managers after each until no step is left: missing packages
 * are installed as each operator does, revisions and PackageInfos are made, and orphans are removed. Changes the list, which is the
 * cluster. Returns the state before the changes and after each of them; stops after a state with an error.
 */
export function simulate(list: ResourceList, changes: readonly AppliedChange[], read: Reader, options: SimulateOptions): SimulatedState[] {
  keepTexts(list)
  const outside = ownersOutside(list)
  const replaced = dropReplaced(list)
  const cluster = { list, read, outside }
  const start = stateAtStart(cluster)
  const states: SimulatedState[] = [{ ...start, findings: [...replaced, ...start.findings] }]
  for (const change of changes) {
    const last = states.at(-1)
    if (last?.findings.some(isError)) break
    states.push(stateAfter(change, cluster, options))
  }
  return states
}

/** A cluster that a simulation changes. */
interface SimulatedCluster {
  readonly list: ResourceList
  readonly read: Reader
  /** The owners of objects that the list lacked at the start. */
  readonly outside: ReadonlySet<string>
}

/**
 * Returns the state before any change. A package with an error of form is refused as in a change: no API server would hold it. A Catalog
 * is not an object of a cluster, so its faults are left to `check`.
 */
function stateAtStart(cluster: SimulatedCluster): SimulatedState {
  const input = cluster.read(cluster.list)
  const faults = readObjects(input).all.flatMap((reading) =>
    reading.faults().filter((fault) => isError(fault) && holdsPackages([fault.place.ref])),
  )
  if (faults.length === 0) {
    giveUids(cluster.list)
    return reconcileAll(cluster, undefined, [])
  }
  return { change: undefined, rounds: [], packages: reconcileObjects(input).packages, findings: faults }
}

function stateAfter(change: AppliedChange, cluster: SimulatedCluster, options: SimulateOptions): SimulatedState {
  const { list, read } = cluster
  const before = readObjects(read(list))
  const { steps, findings } = admit(list, change, read)
  const after = readObjects(read(list))
  const faults = [...findings, ...formFaults(change, after)]
  if (faults.some(isError)) return { change: change.name, rounds: [], packages: reconcileObjects(read(list)).packages, findings: faults }
  const removed = removedInstalls(before.indexes, after.indexes)
  const broken = brokenByRemoval(removed, after)
  const state = reconcileAll(cluster, change.name, steps)
  const settled = state.findings.some(isError) ? state : settleRemovals(state, removed, cluster, options)
  return { ...settled, findings: [...faults, ...broken, ...settled.findings] }
}

/** Reports what was installed for removed installs, and with `prune` removes the installs that nothing else needs. */
function settleRemovals(
  state: SimulatedState,
  removed: readonly RemovedInstall[],
  cluster: SimulatedCluster,
  { prune }: SimulateOptions,
): SimulatedState {
  const { list, read } = cluster
  const input = read(list)
  const readings = readObjects({ ...input, options: { ...input.options, removedInstalls: removedOwners(removed) } })
  const left = leftByRemoval(removed, readings)
  const unneeded = prune ? left.filter(({ stays }) => stays === undefined) : []
  const findings = leftFindings(left.filter((each) => !unneeded.includes(each)))
  if (unneeded.length === 0) return { ...state, findings: [...findings, ...state.findings] }
  for (const { install } of unneeded) if (install.object !== undefined) list.remove(install.object)
  const steps = unneeded.map(({ install, removed: owner }) => ({
    what: `${formatResourceRef(install.place.ref)} goes`,
    why: `it was installed for ${formatResourceRef(owner.place.ref)}, which is removed, and nothing else requires it`,
  }))
  const next = reconcileAll(cluster, state.change, steps)
  return { ...next, rounds: [...state.rounds, ...next.rounds], findings: [...findings, ...next.findings] }
}

/** Returns the faults of form of the objects that a change touches, at the fields of the change where the change has them. */
function formFaults({ objects }: AppliedChange, { all }: Readings): Finding[] {
  const changed = new Map(objects.map((object) => [identityOfObject(object.ref), object]))
  return all.flatMap((reading) =>
    reading.faults().flatMap((fault) => {
      const change = changed.get(identityOfObject(fault.place.ref))
      return change === undefined ? [] : [{ ...fault, place: placeInChange(fault.place, change) }]
    }),
  )
}

// A missing field is at the place of the map that lacks it, if the change has this map.
function placeInChange(place: FieldPlace, change: KrmObject): FieldPlace {
  const { path, currentValue } = place
  const above = path.slice(0, -1)
  const isOfChange = change.get(path) !== undefined || (above.length > 1 && change.get(above) !== undefined)
  return isOfChange ? placeIn(change, path, currentValue) : place
}

function isError({ rule, severity }: Finding): boolean {
  return (severity ?? RULE_SEVERITIES.get(rule)) === 'error'
}

/**
 * Applies the objects of a change, except those that an admission refuses. Returns a finding for each object that names a missing object.
 */
function admit(list: ResourceList, { name, objects }: AppliedChange, read: Reader): Installation {
  const steps: SimulatedStep[] = []
  const findings: Finding[] = []
  let before = readObjects(read(list))
  for (const object of objects) {
    const missing = findMissingObject(list, object)
    if (missing !== undefined) {
      findings.push(missing)
      continue
    }
    const undo = applyChange(list, object, name)
    const after = readObjects(read(list))
    const refusals = refusalsOf(before, after)
    if (refusals.length > 0) {
      undo()
      steps.push({ what: `the change of ${object.kind} ${object.name} is refused`, why: refusals.join('; ') })
    }
    before = refusals.length > 0 ? readObjects(read(list)) : after
  }
  return { steps, findings }
}

function refusalsOf(before: Readings, after: Readings): string[] {
  return after.all.flatMap(({ ecosystem, controller }) => {
    const index = before.all.find((each) => each.ecosystem === ecosystem)?.index
    return (index && controller?.refusal?.(index)) ?? []
  })
}

// Each reconcile of a package deletes one revision at most, and each makes what the next one looks at.
const MORE_ROUNDS = 10

function reconcileAll(cluster: SimulatedCluster, change: string | undefined, first: readonly SimulatedStep[]): SimulatedState {
  const { list, read } = cluster
  const rounds: (readonly SimulatedStep[])[] = first.length === 0 ? [] : [first]
  for (let left = list.items.length + MORE_ROUNDS; left > 0; left--) {
    const { steps, findings, packages } = round(cluster)
    // Without steps the packages are as the controllers saw them.
    if (steps.length === 0) return { change, rounds, packages, findings }
    if (isRepeated(steps, rounds)) return { change, rounds, packages, findings: [...findings, restless(steps, list)] }
    rounds.push(steps)
    if (findings.some(isError)) return { change, rounds, packages: reconcileObjects(read(list)).packages, findings }
  }
  const last = rounds.at(-1) ?? []
  return { change, rounds, packages: reconcileObjects(read(list)).packages, findings: [restless(last, list)] }
}

/** The number of times that controllers take the same steps before they count as never at rest. */
const MOST_REPEATS = 3

/** Returns true if the controllers took the same steps several times before. */
function isRepeated(steps: readonly SimulatedStep[], rounds: readonly (readonly SimulatedStep[])[]): boolean {
  const key = JSON.stringify(steps)
  return rounds.filter((each) => JSON.stringify(each) === key).length >= MOST_REPEATS
}

/** Returns the finding of controllers that undo each other's steps. */
function restless(steps: readonly SimulatedStep[], { items }: ResourceList): Finding {
  const doing = listNames(listSome([...new Set(steps.map(({ what }) => what))]))
  const message = `the controllers do not come to rest, in each reconcile again: ${doing}`
  const [first] = items
  return { rule: 'controllers-fight', message, place: first === undefined ? NO_PLACE : placeIn(first, []), tags: {} }
}

const NO_PLACE: FieldPlace = { ref: { apiVersion: '', kind: '', name: '' }, path: [], isOwnReading: false }

interface Installation {
  readonly steps: readonly SimulatedStep[]
  readonly findings: readonly Finding[]
}

/** Returns the steps and findings of one round, and the packages before the steps of the controllers. */
function round({ list, read, outside }: SimulatedCluster): Installation & Pick<SimulatedState, 'packages'> {
  const orphans = describeOrphans(collectOrphans(list, outside))
  const installed = install(list, read)
  const { steps, clusterSteps = [], findings, clusterFindings = [], packages } = reconcileObjects(read(list))
  const taken = [...steps, ...clusterSteps]
  for (const { edits } of taken) applyEdits(edits, list)
  noteMade(list)
  giveUids(list)
  // The list is read at the first call, which is rare.
  const known = once(() => versionsWithManifest(readObjects(read(list))))
  const fetched = fetchManifests(list, (packageName, version) => known().has(`${packageName} ${version}`))
  return {
    steps: [
      ...orphans,
      ...installed.steps,
      ...taken.map(({ what, why }) => ({ what, why })),
      ...fetched.map((object) => ({ what: `${formatResourceRef(object.ref)} is ready`, why: 'its manifest is known' })),
    ],
    findings: [...installed.findings, ...findings, ...clusterFindings],
    packages,
  }
}

/** Returns a step for the objects of one owner that are removed together. */
function describeOrphans(orphans: readonly KrmObject[]): SimulatedStep[] {
  const ownerNames = (object: KrmObject) => ownersOf(object).map(({ kind, name }) => `${kind} ${name}`)
  const byOwners = groupBy(orphans, (object) => ownerNames(object).join())
  return [...byOwners.values()].map((objects) => ({
    what: `${listNames(objects.map(({ ref }) => formatResourceRef(ref)))} ${objects.length === 1 ? 'goes' : 'go'}`,
    why: objects.length === 1 ? 'its owners are gone' : 'their owners are gone',
  }))
}

function versionsWithManifest({ indexes }: Readings): ReadonlySet<string> {
  const installs = indexes.flatMap((index) => index.installs)
  const versions = installs.flatMap(({ object, package: { id, known } }) => {
    const name = (object && textAt(object, 'spec', 'packageInfo', 'name')) || id
    return known.flatMap(({ version, requirements }) => (requirements === undefined ? [] : [`${name} ${version.text}`]))
  })
  return new Set(versions)
}

const NATIVE: ResolveOptions = { strategy: 'native', upgrades: 'none', downgrades: false, prune: false, maxSteps: 1000 }

/** Installs missing packages as the operators do. Failures become warnings and do not stop other steps. */
function install(list: ResourceList, read: Reader): Installation {
  const input = read(list)
  const { plan, readings } = planObjects(input, NATIVE)
  const { edits, findings } = writePlan({ ...plan, failures: [] }, readings, input.objects)
  applyEdits(edits, list)
  noteMade(list)
  const failures = failureFindings({ ...plan, steps: [] }, NATIVE.maxSteps).map((each) => ({ ...each, severity: 'warning' as const }))
  const steps = edits.length === 0 ? [] : plan.steps.map(describeInstall)
  return { steps, findings: [...failures, ...findings.map((each) => ({ ...each, severity: 'warning' as const }))] }
}

function describeInstall({ package: pkg, version, name, op, parents: [parent] }: Step): SimulatedStep {
  const what = `${pkg.name} ${version} is ${op === 'create' ? 'installed' : 'moved'} as ${name}`
  return { what, why: parent === undefined ? 'it is missing' : `${parent.name} requires it` }
}
