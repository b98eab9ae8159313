import { isDeepStrictEqual } from 'node:util'
import { diffJson } from '../../cli/diff/diff.ts'
import { diffFleets } from '../../src/diff/diff-fleets.ts'
import type { ChangeGroup, DiffReport } from '../../src/diff/report.ts'
import { finish } from '../../src/progress.ts'
import type { ClusterObjects } from '../../testdata/diff/apply-report.ts'
import { type FleetFiles, fleetState } from '../../testdata/diff/fleet-state.ts'
import { type Edit, withEdits } from './diff-judge/fleet-edits.ts'
import { judgeCauses, judgeFacts } from './diff-judge/judge-causes.ts'
import { type RandomChange, randomChange } from './diff-judge/random-fleet.ts'
import { renderedObjects, renderedPackages } from './diff-judge/two-renders.ts'
import { randomFrom } from './random.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/**
 * Random fleets with random edits. The changes that `diff` reports are those between two full renders, object by object, field by field;
 * and the lines that it names as causes are those that made the changes, judged by renders with some of the edits.
 */
export const diff: FuzzTarget = {
  name: 'diff',
  count: 1_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const counts = { groups: 0, causes: 0, refused: 0, left: 0 }
    const kinds = new Map<string, number>()
    const outcome = runCases(count, () => {
      const change = randomChange(random)
      for (const { kind } of change.edits) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      const found = faultsOf(change, counts)
      return found.length === 0 ? [] : [describe(smallest(change), found)]
    })
    const byKind = Array.from(kinds, ([kind, number]) => `${number} ${kind}`).join(', ')
    const note = `${counts.groups} changes, ${counts.causes} causes, ${counts.refused} fleets that cannot be rendered, ${counts.left} changes of packages that leave an edited revision; edits: ${byKind}`
    return { ...outcome, note }
  },
}

/**
 * The folders of the upstream revisions. An edit in a revision that no package of TO has is no part of the change: FROM reads the files as
 * they were before, TO does not read them. A fleet that TO renders equally without the folder does not read it.
 */
const REVISIONS = ['catalog/tills@1/', 'catalog/tills@2/']

function withoutFolder(files: FleetFiles, folder: string): FleetFiles {
  return new Map([...files].filter(([path]) => !path.startsWith(folder)))
}

/** Returns what is wrong with the report of a change. */
function faultsOf(change: RandomChange, counts = { groups: 0, causes: 0, refused: 0, left: 0 }): readonly string[] {
  const { files, edits, committed } = change
  const old = committed === 'nothing' ? undefined : renderedPackages(files)
  const last = withEdits(files, edits)
  const known = new Map<string, ClusterObjects | undefined>()
  const render = (chosen: readonly Edit[]): ClusterObjects | undefined => {
    const key = edits.map((edit) => (chosen.includes(edit) ? '1' : '0')).join('')
    if (!known.has(key)) known.set(key, renderedObjects(withEdits(files, chosen), old))
    return known.get(key)
  }
  const [from, to] = [render([]), render(edits)]
  const after = committed === 'both' ? renderedPackages(last, old) : old
  const states = from && to && [fleetState(files, 'from', old), fleetState(last, 'to', after)]
  if (from === undefined || to === undefined || states?.[0] === undefined || states[1] === undefined) {
    counts.refused++
    return []
  }
  const whole = finish(diffFleets(states[0], states[1], { withComments: false }))
  const report: DiffReport = JSON.parse(diffJson(whole))
  counts.groups += report.groups.length
  counts.causes += report.groups.reduce((sum, { causes }) => sum + causes.length, 0)
  const edited = REVISIONS.filter((folder) => edits.some(({ file }) => file.startsWith(folder)))
  const unread = edited.filter((folder) => isDeepStrictEqual(renderedObjects(withoutFolder(last, folder), old), to))
  const read = edits.filter(({ file }) => !unread.some((folder) => file.startsWith(folder)))
  // The content of a revision that a committed package leaves is no cause, though the merge starts with it (docs/commands/diff.md).
  const created = (chosen: readonly Edit[]) => renderedObjects(withEdits(files, chosen))
  const isLeft = ({ places }: ChangeGroup) =>
    edited.some((folder) => {
      const others = edits.filter(({ file }) => !file.startsWith(folder))
      const isEqual = (make: typeof created, name: string) => isDeepStrictEqual(make(others)?.get(name), make(edits)?.get(name))
      return places.some(({ package: name }) => !isEqual(render, name) && isEqual(created, name))
    })
  const judged = report.groups.filter((group) => old === undefined || !isLeft(group))
  counts.left += report.groups.length - judged.length
  const causes = judged.flatMap((group) => judgeCauses(group, read, render))
  return [...judgeFacts(JSON.parse(diffJson(whole)), from, to), ...causes]
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
      : `${edit.file}:${edit.at + 1}: ${textOf(edit.before)} → ${textOf(edit.after)}`,
  )
  const faults = faultsOf(change)
  return `${change.committed === 'nothing' ? '' : `committed ${change.committed}: `}${edits.join('; ')}\n    ${(faults.length > 0 ? faults : found).join('\n    ')}`
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(' ')
}
