import { mergePackages } from '../../src/merge/merge-packages.ts'
import { packageOfTexts, textsOf } from '../../testdata/package-of-texts.ts'
import { judgeMerge, type MergeAnswer, type MergeCase } from './merge-judge/judge.ts'
import { randomCase } from './merge-judge/random-case.ts'
import { randomFrom } from './random.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/** Random packages, updated with every strategy, and judged by a judge that shares no code with the merge. */
export const mergePackagesTarget: FuzzTarget = {
  name: 'merge-packages',
  count: 20_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const counts = { merged: 0, refused: 0 }
    const outcome = runCases(count, () => {
      const merge = randomCase(random)
      const answer = mergedTexts(merge)
      counts[answer.results.some(({ severity }) => severity === 'error') ? 'refused' : 'merged']++
      const faults = judgeMerge(merge, answer)
      return faults.length === 0 ? [] : [describe(merge, answer, faults)]
    })
    return { ...outcome, note: `${counts.merged} merged, ${counts.refused} refused` }
  },
}

/** The merge of packages that the product has, on texts. */
export function mergedTexts({ strategy, base, theirs, ours }: MergeCase): MergeAnswer {
  const sides = { base: packageOfTexts(base), theirs: packageOfTexts(theirs), ours: packageOfTexts(ours) }
  const { files, results } = mergePackages({ ...sides, strategy })
  return { files: textsOf(files), results }
}

/** The faults, with the files that they are in. */
function describe({ strategy, base, theirs, ours }: MergeCase, { files, results }: MergeAnswer, faults: readonly string[]): string {
  const paths = [...new Set(faults.map((fault) => fault.slice(0, fault.indexOf(':'))))]
  const shown = paths.filter((path) => [base, theirs, ours].some((side) => side[path] !== undefined))
  const texts = (shown.length === 0 ? ['Kptfile'] : shown).flatMap((path) =>
    Object.entries({ base, theirs, ours, result: files }).map(
      ([side, sideFiles]) => `-- ${path} ${side}\n${sideFiles[path] ?? '(none)\n'}`,
    ),
  )
  return [strategy, ...faults, ...texts, ...results.map(({ message, severity }) => `${severity}: ${message}`)].join('\n    ')
}
