import { expect, test } from 'vitest'
import { ProgressMeter } from './progress.ts'

const SECOND = 1000

/** What a meter says of so many steps of 200 ms each. */
function said(isErrorTerminal: boolean, steps: number): readonly string[] {
  const lines: string[] = []
  let now = 0
  const meter = new ProgressMeter({ isErrorTerminal, warn: (text) => void lines.push(text) }, 'variant', () => now)
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
