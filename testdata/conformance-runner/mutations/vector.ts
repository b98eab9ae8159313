import type { JsonRecord } from '../../../src/json.ts'

/** One case of `porch/mutations`: a variant, a package and a cluster, and what Porch's controller made of them (docs/porch.md, format). */
export interface MutationVector {
  readonly step: 'context' | 'pipeline' | 'injection' | 'all'
  readonly input: {
    readonly variant: JsonRecord
    /** The texts of the package's files, by path. */
    readonly package: Readonly<Record<string, string>>
    readonly cluster?: readonly JsonRecord[]
    /** Kinds that cannot be listed, with the error. */
    readonly clusterErrors?: Readonly<Record<string, string>>
  }
  readonly expected: {
    /** The documents of each file afterwards; null after an error. */
    readonly expectedObjects?: Readonly<Record<string, readonly JsonRecord[]>> | null
    readonly error?: string | null
    readonly validationErrors?: readonly string[] | null
  }
}

/** The boundary: vectors are trusted to have their format. */
export function readVector(vector: JsonRecord): MutationVector {
  return vector as unknown as MutationVector
}
