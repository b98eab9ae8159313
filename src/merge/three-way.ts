/**
 * The three sides of a merge; undefined for a side without the value.
 *
 * `base`: the upstream revision of the last update; `theirs`: the new upstream revision; `ours`: the downstream package with people's
 * edits. Comments also say upstream for theirs and downstream for ours.
 */
export interface ThreeWay<T> {
  readonly base: T | undefined
  readonly theirs: T | undefined
  readonly ours: T | undefined
}

export const SIDES = ['ours', 'base', 'theirs'] as const
