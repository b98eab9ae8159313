import type { JsonRecord } from '../../../src/json.ts'

/** One case of `porch/fan-out`: a set and the objects around it, and what Porch's controller made of them (docs/porch.md, format). */
export interface FanOutVector {
  readonly input: { readonly set: WrittenObject; readonly objects: readonly WrittenObject[] }
  readonly expected: {
    readonly stage: 'ok' | 'validation' | 'upstream' | 'unroll' | 'render' | 'ensure'
    readonly conditions: readonly JsonRecord[]
    readonly variants: readonly WrittenObject[]
    readonly errors: readonly string[]
    /** The number of places that the targets gave. */
    readonly targets?: number
    readonly renderErrors?: readonly { readonly error: string }[]
    readonly serverRejects?: readonly JsonRecord[]
    /** Parts of the answer that the controller does not always give alike. */
    readonly nondeterministic?: readonly string[]
  }
}

/** An object as it is written, with the parts that the runner looks at. */
export interface WrittenObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string; readonly [key: string]: unknown }
  readonly spec?: JsonRecord
  readonly status?: JsonRecord
}

/** The boundary: vectors are trusted to have their format. */
export function readVector(vector: JsonRecord): FanOutVector {
  return vector as unknown as FanOutVector
}
