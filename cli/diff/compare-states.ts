import { type DiffOptions, diffFleets } from '../../src/diff/diff-fleets.ts'
import type { FleetState } from '../../src/diff/fleet-state.ts'
import { packagesAfter } from '../../src/diff/packages-after.ts'
import type { DiffReport } from '../../src/diff/report.ts'
import { isFleetPolicy, policyResults } from '../../src/policy/judge-policies.ts'
import { repositoryOf } from '../../src/render/disk/disk-places.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { advance } from '../advance.ts'
import { clusterTest } from '../fleet/cluster-option.ts'
import type { Host } from '../host.ts'
import { compareFindings, shownResults, withoutFiles } from '../print/print-results.ts'
import { atSources } from '../render/sources-of-findings.ts'
import { unifiedDiff } from './diff-text.ts'
import type { FleetStates, StatesRequest } from './read-states.ts'

/** The parts of two states that are compared. */
export interface CompareOptions extends StatesRequest {
  readonly unified?: boolean
  readonly comments?: boolean
}

/** A comparison, with the unified diffs of the packages if they are asked for. */
export interface Compared {
  readonly report: DiffReport
  readonly diffs: readonly string[]
}

/** Compares the states. Findings of reading come first. @throws FunctionError */
export async function compareStates(
  { from, to: state, results, made }: FleetStates,
  options: CompareOptions,
  host: Host,
): Promise<Compared> {
  // Policies look at the packages that the comparison renders.
  const to: FleetState = state.items.some(isFleetPolicy) ? { ...state, kept: new Map() } : state
  const diffs: string[] = []
  const look: DiffOptions['look'] = (folder, before, after) => void diffs.push(unifiedDiff(folder, before, after))
  const isInCluster = clusterTest([...from.items, ...to.items], options)
  const isAsked = isInCluster && ((folder: string) => isInCluster(repositoryOf(folder)))
  const steps = diffFleets(from, to, { withComments: options.comments === true, isAsked, ...(options.unified === true && { look }) })
  const variants = { made, sets: [...from.sets, ...to.sets] }
  try {
    const report = await advance(steps, 'package', host)
    const ofPackages = atSources(report.results, variants)
    const all = [...results, ...ofPackages, ...judged(to)]
    return { report: { ...report, results: shownResults(all).toSorted(compareFindings) }, diffs }
  } catch (error) {
    throw error instanceof FunctionError ? new FunctionError([...results, ...atSources(error.results, variants)]) : error
  }
}

/** Returns the findings of the policies of a state. Packages that are only in memory have no files to look into. */
function judged(state: FleetState): readonly Result[] {
  const results = policyResults(state.items, state, packagesAfter(state))
  if (state.committed !== undefined) return results
  const files = new Set(state.items.map(({ file }) => file?.path))
  const inMemory = results.flatMap(({ file }) => (file === undefined || files.has(file.path) ? [] : [file.path]))
  return withoutFiles(results, new Set(inMemory))
}
