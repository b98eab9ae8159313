import { afterEach, expect, test } from 'vitest'
import { debugLog, turnOnDebugLogs } from './debug-log.ts'

/** Returns what is written when topics are turned on and a line is logged. */
function written(names: string | undefined): readonly string[] {
  const texts: string[] = []
  turnOnDebugLogs(names, (text) => texts.push(text))
  debugLog('resolve')?.('line\u0007')
  return texts
}

afterEach(() => turnOnDebugLogs('', () => {}))

test.each([
  { names: undefined, expected: [] },
  { names: '', expected: [] },
  { names: 'resolve', expected: ['resolve: line\\u0007\n'] },
  { names: ' resolve ,', expected: ['resolve: line\\u0007\n'] },
  { names: 'resolv', expected: ["KRM_VARIANTS_DEBUG: must name resolve, got 'resolv'\n"] },
  { names: 'x,resolve', expected: ["KRM_VARIANTS_DEBUG: must name resolve, got 'x'\n", 'resolve: line\\u0007\n'] },
])('KRM_VARIANTS_DEBUG=$names', ({ names, expected }) => {
  expect(written(names)).toEqual(expected)
})

test('a topic that is not named any more is turned off', () => {
  expect(written('resolve')).toHaveLength(1)
  expect(written(undefined)).toEqual([])
  expect(debugLog('resolve')).toBeUndefined()
})
