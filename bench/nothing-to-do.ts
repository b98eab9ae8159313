import { type Bench, costOf, judge, type Row } from './bench.ts'

/** The large list through a real function that finds everything in order. */
export function nothingToDo(bench: Bench): readonly Row[] {
  return [judge(bench, 'large list, nothing to do (set-context)', costOf(bench, 'dist/set-context.mjs', bench.identityInput), 40, 150)]
}
