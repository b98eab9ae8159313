import { compareText } from '../field-path.ts'
import type { LeftoverStep, VariantStep } from '../lifecycle/package-steps.ts'
import type { Result } from '../result.ts'
import { countOf } from '../wording.ts'
import type { CheckedLeftover } from './edits/discards.ts'

/** The possible ends of a variant's package in a run. */
const FATES = ['created', 'moved', 'updated', 'unchanged', 'left', 'failed'] as const
export type Fate = (typeof FATES)[number]

/** Returns the fate of a package after its step. */
export function fateOf({ op, movedFrom }: VariantStep, { isChanged }: { readonly isChanged: boolean }): Fate {
  if (op === 'leave') return 'left'
  if (op === 'create') return 'created'
  if (movedFrom !== undefined) return 'moved'
  return isChanged ? 'updated' : 'unchanged'
}

export interface RunCounts {
  readonly fates: ReadonlyMap<Fate, number>
  readonly leftovers: readonly LeftoverStep[]
  /** The number of edits that the upstream replaced. */
  readonly lost: number
  /** The number of runs of each function, by its name. */
  readonly functions: ReadonlyMap<string, number>
}

/** The report of a run that renders below a folder. */
export interface FolderReport extends RunCounts {
  /** The end of each package by `NAMESPACE/NAME` of its variant; unset for a run that opened no package. */
  readonly variants?: ReadonlyMap<string, Fate>
  readonly leftovers: readonly CheckedLeftover[]
  readonly results: readonly Result[]
}

/** Returns the counts of a run as a sentence: `3 packages: 1 created, 2 unchanged; 1 removed; 2 edits lost`. */
export function summarizeRun({ fates, leftovers, lost }: RunCounts): string {
  const all = [...fates.values()].reduce((sum, count) => sum + count, 0)
  const made = FATES.flatMap((fate) => (fates.has(fate) ? [`${fates.get(fate)} ${fate === 'left' ? 'left alone' : fate}`] : []))
  const removed = leftovers.filter(({ op }) => op === 'remove').length
  const orphaned = leftovers.length - removed
  return [
    `${countOf(all, 'package')}${made.length === 0 ? '' : `: ${made.join(', ')}`}`,
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(orphaned > 0 ? [`${orphaned} left to themselves`] : []),
    ...(lost > 0 ? [`${countOf(lost, 'edit')} lost`] : []),
  ].join('; ')
}

/** Returns the functions of a run as a sentence, the most frequent first: `71 functions run: set-namespace 24, apply-setters 23`. */
export function summarizeFunctions(functions: ReadonlyMap<string, number>): string {
  const counts = [...functions].sort(([a, m], [b, n]) => n - m || compareText(a, b))
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  const shown = counts.slice(0, NAMED).map(([name, count]) => `${name} ${count}`)
  const others = counts.length > NAMED ? [`${countOf(counts.length - NAMED, 'other')}`] : []
  return `${countOf(all, 'function')} run: ${[...shown, ...others].join(', ')}`
}

const NAMED = 8
