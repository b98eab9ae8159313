import { evaluate, type KrmFunction } from '../src/run.ts'
import { GROWTHS } from '../testdata/attacks/growths.ts'
import { timed } from '../testdata/processor-time.ts'
import type { Bench, Row } from './bench.ts'

const RUNS = 3

/** Not whole processes: each on an input, and on one with ten times as many. */
export function growth({ quick }: Bench): readonly Row[] {
  if (quick) return []
  return GROWTHS.map(({ what, fn, few, text }) => {
    const [small, large] = [seconds(fn, text(few)), seconds(fn, text(few * 10))]
    return {
      what: `${few * 10} ${what}`,
      ours: { seconds: large },
      baseline: { what: `10 x ${few}`, seconds: small * 10 },
      must: '1.2 x baseline',
      met: large <= small * 12,
    }
  })
}

/** Of the processor, the least of some runs. */
function seconds(fn: KrmFunction, text: string): number {
  return Math.min(...Array.from({ length: RUNS }, () => timed(() => evaluate(fn, text)).time)) / 1e6
}
