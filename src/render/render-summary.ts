import type { Result } from '../result.ts'
import { countOf } from '../wording.ts'
import type { LeftoverStep, VariantStep } from './lifecycle/steps.ts'

/** What became of a variant's package. */
export type Fate = 'created' | 'updated' | 'moved' | 'unchanged' | 'left'

/** The fate of a package after its step. */
export function fateOf({ op, movedFrom }: VariantStep, isChanged: boolean): Fate {
  if (op === 'leave') return 'left'
  if (op === 'create') return 'created'
  if (movedFrom !== undefined) return 'moved'
  return isChanged ? 'updated' : 'unchanged'
}

const WORDS: Readonly<Record<Fate, string>> = {
  created: 'created',
  updated: 'updated',
  moved: 'moved',
  unchanged: 'unchanged',
  left: 'left alone',
}

/**
 * What a run came to, in a sentence: `3 packages: 1 created, 2 unchanged; 1 removed; 2 edits lost`.
 *
 * @param lost  how many edits of people gave way to the upstream
 */
export function summarize(fates: readonly Fate[], leftovers: readonly LeftoverStep[], lost: number): string {
  const count = (fate: Fate): number => fates.filter((each) => each === fate).length
  const parts = (['created', 'updated', 'moved', 'unchanged', 'left'] as const).filter((fate) => count(fate) > 0)
  const made = parts.map((fate) => `${count(fate)} ${WORDS[fate]}`).join(', ')
  const removed = leftovers.filter(({ op }) => op === 'remove').length
  const orphaned = leftovers.length - removed
  return [
    `${countOf(fates.length, 'package')}${made === '' ? '' : `: ${made}`}`,
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(orphaned > 0 ? [`${orphaned} left to themselves`] : []),
    ...(lost > 0 ? [`${countOf(lost, 'edit')} lost`] : []),
  ].join('; ')
}

/** The summary as a result. */
export function summaryResult(text: string): Result {
  return { severity: 'info', message: text, tags: { rule: 'render-variants' } }
}
