import type { JsonRecord } from '../../../src/json.ts'
import type { MergeStrategy } from '../../../src/merge/merged-package.ts'

export type Texts = Readonly<Record<string, string>>

/** One case of `porch/update`: three packages, and what kpt and Porch made of them. */
export interface UpdateVector {
  readonly strategy: MergeStrategy
  readonly input: { readonly original: Texts; readonly updated: Texts; readonly local: Texts }
  /** The files afterwards, or `{error}`. */
  readonly expected: Texts
  /** What newer kpt does differently. */
  readonly expectedKptHead?: Texts | string
}

/** The boundary: vectors are trusted to have their format. */
export function readVector(vector: JsonRecord): UpdateVector {
  return vector as unknown as UpdateVector
}

/** What the newest kpt that is known does: it is the judge where the versions differ. */
export function expectedOf({ expected, expectedKptHead }: UpdateVector): Texts {
  return isTexts(expectedKptHead) ? expectedKptHead : expected
}

function isTexts(value: Texts | string | undefined): value is Texts {
  return typeof value === 'object'
}
