/**
 * Returns how many random cases a test tries: a few, so that `npm test` ends soon; with `TIMES=10` in the environment ten times as many.
 * The variable `SEED` gives others. CI tries more in a step of its own.
 */
export function randomRuns(few: number): number {
  return few * Number(process.env.TIMES ?? 1)
}
