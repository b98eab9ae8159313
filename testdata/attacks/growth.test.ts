import { expect, test } from 'vitest'
import { evaluate, type KrmFunction } from '../../src/run.ts'
import { timed } from '../processor-time.ts'
import { GROWTHS } from './growths.ts'

/** The exponent that is the aim is 1.1; the rest is for garbage collection on a busy machine. A square would be 2. */
const MOST = 1.35

/** A measurement beside other processes may be wrong once. */
const ATTEMPTS = 3

/** Returns the exponent with which processor time grows between two sizes: 1 when ten times the input takes ten times as long. */
function exponent(fn: KrmFunction, small: string, large: string): number {
  const time = (text: string, runs: number) => Math.min(...Array.from({ length: runs }, () => timed(() => evaluate(fn, text)).time))
  return Math.log10(time(large, 2) / time(small, 3))
}

test.each(GROWTHS)('ten times as many $what take about ten times as long', ({ what, fn, few, text }) => {
  const [small, large] = [text(few), text(few * 10)]
  const exponents: number[] = []
  while (exponents.length < ATTEMPTS && !exponents.some((found) => found <= MOST)) exponents.push(exponent(fn, small, large))
  console.log(`${few * 10} ${what}: exponent ${Math.min(...exponents).toFixed(2)}`)
  expect(Math.min(...exponents)).toBeLessThanOrEqual(MOST)
})
