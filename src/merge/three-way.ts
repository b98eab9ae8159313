/** The three sides of a merge; undefined for a side without the value. */
export interface ThreeWay<T> {
  readonly original: T | undefined
  readonly upstream: T | undefined
  readonly downstream: T | undefined
}

export const SIDES = ['downstream', 'original', 'upstream'] as const
