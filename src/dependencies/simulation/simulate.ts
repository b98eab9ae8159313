import type { JsonRecord } from '../../json.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { formatResourceRef } from '../../result.ts'
import { applyEdits } from '../apply-edits.ts'
import type { Finding } from '../finding.ts'
import type { Step } from '../plan/plan.ts'
import { failureFindings } from '../plan/plan-findings.ts'
import { type ReadInput, readObjects } from '../read-objects.ts'
import type { PackageState } from '../reading/lifecycle.ts'
import { planObjects, type ResolveOptions, reconcileObjects } from '../resolve-objects.ts'
import { writePlan } from '../write-plan.ts'
import { applyChange, collectOrphans, fetchManifests, giveUids } from './cluster.ts'

/** Objects, or parts of objects, that a user applies. */
export interface Change {
  /** As the user calls it: a file. */
  readonly name: string
  readonly objects: readonly JsonRecord[]
}

/** What the package managers make of one change: all reconciles until nothing is left to do. */
export interface SimulatedState {
  /** Undefined: what was there at first. */
  readonly change: string | undefined
  readonly rounds: readonly (readonly SimulatedStep[])[]
  /** What is there afterwards. */
  readonly packages: readonly PackageState[]
  readonly findings: readonly Finding<string>[]
}

/** One thing that a controller does. */
export interface SimulatedStep {
  readonly what: string
  readonly why: string
}

/** How a list is read, again after each step. */
export type Reader = (list: ResourceList) => ReadInput

/**
 * What the package managers would do with some changes, one after the other, each until nothing is left to do: what is missing is installed as
 * each operator does, revisions and PackageInfos are made, and what nobody owns goes. Changes the list, which is the cluster.
 */
export function simulate(list: ResourceList, changes: readonly Change[], read: Reader): SimulatedState[] {
  giveUids(list)
  const states = [settle(list, undefined, [], read)]
  for (const change of changes) {
    const last = states.at(-1)
    if (last?.findings.some(isError)) break
    states.push(settle(list, change.name, admit(list, change, read), read))
  }
  return states
}

function isError({ rule, severity }: Finding<string>): boolean {
  return severity === 'error' || (severity === undefined && BLOCKING.has(rule))
}

const BLOCKING: ReadonlySet<string> = new Set(['owner-conflict', 'owner-cycle', 'revision-invalid', 'revision-many-active'])

/** Applies the objects of a change that no system refuses. */
function admit(list: ResourceList, { name, objects }: Change, read: Reader): SimulatedStep[] {
  return objects.flatMap((object) => {
    const before = readObjects(read(list)).all
    const undo = applyChange(list, object, name)
    const after = readObjects(read(list)).all
    const refusals = after.flatMap(({ ecosystem, resolving }) => {
      const universe = before.find((each) => each.ecosystem === ecosystem)?.universe
      return (universe && resolving?.refusal?.(universe)) ?? []
    })
    if (refusals.length === 0) return []
    undo()
    return [{ what: `the change of ${object.kind} ${nameOf(object)} is refused`, why: refusals.join('; ') }]
  })
}

function nameOf({ metadata }: JsonRecord): string {
  return typeof metadata === 'object' && metadata !== null && 'name' in metadata ? String(metadata.name) : ''
}

// Each reconcile of a package deletes one revision at most, and each makes what the next one looks at.
const MORE_ROUNDS = 10

function settle(list: ResourceList, change: string | undefined, first: readonly SimulatedStep[], read: Reader): SimulatedState {
  const rounds: (readonly SimulatedStep[])[] = first.length === 0 ? [] : [first]
  for (let left = list.items.length + MORE_ROUNDS; left > 0; left--) {
    const { steps, findings } = round(list, read)
    if (steps.length > 0) rounds.push(steps)
    if (steps.length === 0 || findings.some(isError)) return { change, rounds, packages: reconcileObjects(read(list)).packages, findings }
  }
  throw new Error('the simulation does not come to rest')
}

interface Round {
  readonly steps: readonly SimulatedStep[]
  readonly findings: readonly Finding<string>[]
}

function round(list: ResourceList, read: Reader): Round {
  const orphans = collectOrphans(list).map((object) => ({ what: `${formatResourceRef(object.ref)} goes`, why: 'its owners are gone' }))
  const installed = install(list, read)
  const { steps, findings } = reconcileObjects(read(list))
  for (const { edits } of steps) applyEdits(edits, list)
  giveUids(list)
  const { all } = readObjects(read(list))
  const versions = new Set(
    all.flatMap(
      ({ universe }) =>
        universe?.installs.flatMap(({ target }) =>
          target.known.filter((each) => each.requirements !== undefined).map((each) => `${target.id} ${each.version.text}`),
        ) ?? [],
    ),
  )
  const fetched = fetchManifests(list, (name, version) => versions.has(`${name} ${version}`))
  return {
    steps: [
      ...orphans,
      ...installed.steps,
      ...steps.map(({ what, why }) => ({ what, why })),
      ...fetched.map((object) => ({ what: `${formatResourceRef(object.ref)} is ready`, why: 'its manifest is known' })),
    ],
    findings: [...installed.findings, ...findings],
  }
}

const NATIVE: ResolveOptions = { strategy: 'native', upgrades: 'none', downgrades: false, prune: false, maxSteps: 1000 }

/** What the operators install of what is missing; what they cannot is told, and stops nothing else. */
function install(list: ResourceList, read: Reader): Round {
  const input = read(list)
  const { plan, readings } = planObjects(input, NATIVE)
  const { edits, findings } = writePlan({ ...plan, failures: [] }, readings, input.objects)
  applyEdits(edits, list)
  const failures = failureFindings({ ...plan, steps: [] }, NATIVE.maxSteps).map((each) => ({ ...each, severity: 'warning' as const }))
  const steps = edits.length === 0 ? [] : plan.steps.map(describeInstall)
  return { steps, findings: [...failures, ...findings.map((each) => ({ ...each, severity: 'warning' as const }))] }
}

function describeInstall({ target, version, name, op, parents: [parent] }: Step): SimulatedStep {
  const what = `${target.name} ${version} is ${op === 'create' ? 'installed' : 'moved'} as ${name}`
  return { what, why: parent === undefined ? 'it is missing' : `${parent.name} requires it` }
}
