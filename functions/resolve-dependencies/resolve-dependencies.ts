import { applyEdits } from '../../src/dependencies/apply-edits.ts'
import { unknownPackages } from '../../src/dependencies/check-objects.ts'
import { inputOf, readList } from '../../src/dependencies/config/catalogs.ts'
import { toResults } from '../../src/dependencies/config/results.ts'
import { describeResolved, doubtsAbout, reconcileObjects, resolveObjects } from '../../src/dependencies/resolve-objects.ts'
import { type AppliedChange, type SimulatedState, simulate } from '../../src/dependencies/simulation/simulate.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { decodeResolveDependenciesConfig, type ResolveDependenciesOptions } from './function-config.ts'

/** Adds what the packages of a list require, moves what no longer meets a requirement, and removes what nobody needs when that is asked for. */
export function resolveDependencies(list: ResourceList): void {
  const options = decodeResolveDependenciesConfig(list.functionConfig)
  const { input, faults } = readList(list, options)
  const unknown = unknownKinds(list.items, PACKAGE_KINDS)
  list.results.push(...unknown)
  if (faults.length > 0 || hasErrors(unknown)) throw new FunctionError([...faults, ...toResults(doubtsAbout(input), options)])
  const { edits, findings } = resolveObjects(input, options.resolve)
  list.results.push(...toResults(findings, options))
  if (hasErrors(list.results)) return
  applyEdits(edits, list)
  if (options.lifecycle) settleLifecycle(list, options)
  if (hasErrors(list.results)) return
  // What the list comes to, not what was done: a second run says the same.
  list.results.push(...toResults(describeResolved(inputOf(list, options)), options))
}

/** The packages that a list requires and that nothing is known of: they are left to others. */
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

/** What the package managers would do with the packages of a list and some changes, read with the options of its functionConfig. */
export function simulateAsConfigured(list: ResourceList, changes: readonly AppliedChange[]): Simulation {
  const options = decodeResolveDependenciesConfig(list.functionConfig)
  const states = simulate(list, changes, (now) => inputOf(now, options))
  return states.map(({ findings, ...state }) => ({ ...state, results: toResults(findings, options) }))
}

/** The states one after another, with what each comes to. */
export type Simulation = readonly (Omit<SimulatedState, 'findings'> & { readonly results: readonly Result[] })[]
