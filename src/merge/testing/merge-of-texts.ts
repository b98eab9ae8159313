import { packageOfTexts, type Texts, textsOf } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { formatResult } from '../../result.ts'
import { mergePackages } from '../merge-packages.ts'
import type { MergeStrategy } from '../merged-package.ts'

/** The text of a ConfigMap. */
export const config = (name: string, value = 'one', more = '') => configMapText(name, `${more}data:\n  a: ${value}\n`)

/** A package below the folder `sub`. */
export const sub = (value = 'one', more: Texts = {}) => ({ 'sub/Kptfile': kptfileText('sub'), 'sub/a.yaml': config('a', value), ...more })

/** The files of the three packages of a merge. */
export interface SideTexts {
  readonly base: Texts
  readonly theirs: Texts
  readonly ours: Texts
}

/** Returns the result of a merge, with its messages as a person reads them. */
export function mergeTexts({ base, theirs, ours }: SideTexts, strategy: MergeStrategy = 'resource-merge') {
  const merged = mergePackages({
    base: packageOfTexts(base),
    theirs: packageOfTexts(theirs),
    ours: packageOfTexts(ours),
    strategy,
  })
  return { files: textsOf(merged.files), messages: merged.results.map(formatResult), outcomes: merged.outcomes }
}
