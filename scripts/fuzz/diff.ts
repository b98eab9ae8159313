import { diffJson } from '../../cli/diff/diff.ts'
import { diffFleets } from '../../src/diff/diff-fleets.ts'
import type { DiffReport } from '../../src/diff/report.ts'
import { finish } from '../../src/progress.ts'
import type { ClusterObjects } from '../../testdata/diff/apply-report.ts'
import { fleetState } from './diff-judge/fleet-states.ts'
import { judgeCauses, judgeFacts } from './diff-judge/judge-causes.ts'
import { type Edit, type RandomChange, randomChange, withEdits } from './diff-judge/random-fleet.ts'
import { renderedObjects, renderedPackages } from './diff-judge/two-renders.ts'
import { randomFrom } from './random.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/**
 * Random fleets with random edits. The changes that `diff` reports are those between two full renders, object by object, field by field; and
 * the lines that it names as causes are those that made the changes, judged by renders with some of the edits.
 */
export const diff: FuzzTarget = {
  name: 'diff',
  count: 1_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const counts = { groups: 0, causes: 0, refused: 0 }
    const outcome = runCases(count, () => {
      const change = randomChange(random)
      const found = faultsOf(change, counts)
      return found.length === 0 ? [] : [describe(smallest(change), found)]
    })
    return { ...outcome, note: `${counts.groups} changes, ${counts.causes} causes, ${counts.refused} fleets that cannot be rendered` }
  },
}

/** Returns what is wrong with the report of a change. */
function faultsOf(change: RandomChange, counts = { groups: 0, causes: 0, refused: 0 }): readonly string[] {
  const known = new Map<string, ClusterObjects | undefined>()
  const render = (edits: readonly Edit[]): ClusterObjects | undefined => {
    const key = change.edits.map((edit) => (edits.includes(edit) ? '1' : '0')).join('')
    if (!known.has(key)) known.set(key, renderedObjects(withEdits(change, edits)))
    return known.get(key)
  }
  const [from, to] = [render([]), render(change.edits)]
  if (from === undefined || to === undefined) {
    counts.refused++
    return []
  }
  const last = withEdits(change, change.edits)
  const old = change.committed === 'nothing' ? undefined : renderedPackages(change.files)
  const states = [fleetState(change.files, 'from', old), fleetState(last, 'to', change.committed === 'both' ? renderedPackages(last) : old)]
  const [before, after] = states
  if (before === undefined || after === undefined) {
    counts.refused++
    return []
  }
  const whole = finish(diffFleets(before, after, { withComments: false }))
  const report: DiffReport = JSON.parse(diffJson(whole))
  counts.groups += report.groups.length
  counts.causes += report.groups.reduce((sum, { causes }) => sum + causes.length, 0)
  return [...judgeFacts(JSON.parse(diffJson(whole)), from, to), ...report.groups.flatMap((group) => judgeCauses(group, change, render))]
}

/** Returns the change with as few edits as still fail. */
function smallest(change: RandomChange): RandomChange {
  for (const edit of change.edits) {
    const fewer = { ...change, edits: change.edits.filter((each) => each !== edit) }
    if (fewer.edits.length > 0 && faultsOf(fewer).length > 0) return smallest(fewer)
  }
  return change
}

function describe(change: RandomChange, found: readonly string[]): string {
  const edits = change.edits.map((edit) =>
    'lines' in edit
      ? `${edit.isAdded ? '+' : '-'} ${edit.file}`
      : `${edit.file}:${edit.at + 1}: ${edit.before.trim()} → ${edit.after.trim()}`,
  )
  const faults = faultsOf(change)
  return `${change.committed === 'nothing' ? '' : `committed ${change.committed}: `}${edits.join('; ')}\n    ${(faults.length > 0 ? faults : found).join('\n    ')}`
}
