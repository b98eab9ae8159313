import { packageOfTexts, type Texts, textsOf } from '../../../testdata/package-of-texts.ts'
import { formatResult } from '../../result.ts'
import { mergePackages } from '../merge-packages.ts'
import type { MergeStrategy } from '../merged-package.ts'

/** The text of a ConfigMap. */
export const config = (name: string, value = 'one', more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}data:\n  a: ${value}\n`

/** The text of a Kptfile. */
export const kptfile = (name: string, more = '') => `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n${more}`

/** A package below the folder `sub`. */
export const sub = (value = 'one', more: Texts = {}) => ({ 'sub/Kptfile': kptfile('sub'), 'sub/a.yaml': config('a', value), ...more })

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
