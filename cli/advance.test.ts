import { expect, test } from 'vitest'
import { ProgressMeter } from './advance.ts'

const SECOND = 1000

/** Returns what a meter says of so many steps of 200 ms each. */
function said(isErrorTerminal: boolean, steps: number): readonly string[] {
  const lines: string[] = []
  let now = 0
  const meter = new ProgressMeter(
    { isErrorTerminal, warn: (text) => void lines.push(text), draw: (bar) => void lines.push(bar) },
    'variant',
    () => now,
  )
  for (let done = 1; done <= steps; done++) {
    now += SECOND / 5
    meter.show(done, steps)
  }
  meter.end()
  return lines
}

test('a terminal gets a bar, which is taken away at the end', () => {
  expect(said(true, 2)).toEqual([
    '\r[###############...............] 1/2 variants, 5.0 a second, 1 s left\u001B[K',
    '\r[##############################] 2/2 variants, 5.0 a second, 0 s left\u001B[K',
    '\r\u001B[K',
  ])
})

test('a log gets a line a minute', () => {
  expect(said(false, 2)).toEqual([])
  expect(said(false, 600)).toEqual(['300 of 600 variants, 5.0 a second, 1 min 0 s left\n', '600 of 600 variants, 5.0 a second, 0 s left\n'])
})

/** A meter with a clock that stands still until a test moves it. */
function meterAt(isErrorTerminal: boolean) {
  const lines: string[] = []
  const clock = { now: 5 * SECOND }
  return {
    lines,
    clock,
    meter: new ProgressMeter(
      { isErrorTerminal, warn: (text) => void lines.push(text), draw: (bar) => void lines.push(bar) },
      'package',
      () => clock.now,
    ),
  }
}

test('a terminal shows the progress ten times a second at most', () => {
  const { meter, lines, clock } = meterAt(true)
  for (let done = 0; done < 40; done++) {
    clock.now += SECOND / 20
    meter.show(done, 2500)
  }
  expect(lines).toHaveLength(20)
  expect(lines.at(-1)).toBe('\r[..............................] 39/2500 packages, 20 a second, 2 min 7 s left\u001B[K')
})

test('a run that ends before the first line of progress clears nothing', () => {
  const { meter, lines } = meterAt(true)
  meter.show(1, 2)
  meter.end()
  expect(lines).toEqual([])
})

test.each([
  { done: 0, total: 1, line: '0 of 1 package, 0 a second\n' },
  { done: 3, total: 25_000, line: '3 of 25000 packages, 0.1 a second, 8332 min 20 s left\n' },
  { done: 600, total: 1200, line: '600 of 1200 packages, 10 a second, 1 min 0 s left\n' },
  { done: 1199, total: 1200, line: '1199 of 1200 packages, 20 a second, 1 s left\n' },
])('after a minute: $done of $total', ({ done, total, line }) => {
  const { meter, lines, clock } = meterAt(false)
  clock.now += 60 * SECOND
  meter.show(done, total)
  expect(lines).toEqual([line])
})
