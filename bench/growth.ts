import { evaluate, type KrmFunction } from '../src/run.ts'
import { GROWTHS } from '../testdata/attacks/growths.ts'
import { timed } from '../testdata/processor-time.ts'
import type { Cost } from './measure.ts'
import type { Bench, Row } from './row.ts'

const RUNS = 3

/** Functions in this process, each on an input and on one with ten times as much of something. Left out of a quick run. */
export function growth({ quick }: Bench): readonly Row[] {
  if (quick) return []
  return GROWTHS.map(({ what, fn, few, text }) => {
    const [small, ours] = [costOf(fn, text(few)), costOf(fn, text(few * 10))]
    return { work: `${few * 10} ${what}`, ours, beside: { what: 'a tenth', cost: small }, asked: { exponent: 1.1 } }
  })
}

/** The least of some runs. */
function costOf(fn: KrmFunction, text: string): Cost {
  const processor = Math.min(...Array.from({ length: RUNS }, () => timed(() => evaluate(fn, text)).time)) / 1e6
  return { wall: processor, processor }
}
