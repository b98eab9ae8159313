import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JsonRecord } from '../../src/json.ts'
import type { Adapter } from './adapter.ts'
import { casesOfList, runTree } from './run-tree.ts'

/** An answer of ours is the input; a case is meant to differ where it says so. */
const ECHO: Adapter = {
  folder: 'echo',
  cases: casesOfList,
  known: [{ row: 'row 1', reason: 'meant', holds: (vector) => vector.meant === true, shows: /must be/ }],
  run: ({ input, expected }) => (input === expected ? [] : [`must be ${expected}, is ${input}`]),
}

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vectors-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, cases: readonly JsonRecord[]): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), JSON.stringify(cases))
}

test.each([
  { reason: 'equal', cases: [{ input: 1, expected: 1 }], lines: ['echo/a.json: 1 of 1 equal'], failed: false },
  {
    reason: 'different, without a name',
    cases: [
      { input: 1, expected: 1 },
      { input: 1, expected: 2 },
    ],
    lines: ['echo/a.json: 1 of 2 equal', '  #1: must be 2, is 1'],
    failed: true,
  },
  {
    reason: 'meant to differ',
    cases: [{ name: 'odd', input: 1, expected: 2, meant: true }],
    lines: ['echo/a.json: 0 of 1 equal, 1 known', '  odd: known, row 1: meant'],
    failed: false,
  },
  {
    reason: 'meant to differ, but equal',
    cases: [{ input: 1, expected: 1, meant: true }],
    lines: ['echo/a.json: 1 of 1 equal'],
    failed: false,
  },
])('a file with cases: $reason', ({ cases, lines, failed }) => {
  write('echo/a.json', cases)
  expect(runTree(root, [ECHO])).toEqual({ lines, cases: cases.length, failed })
})

test('a file without cases is no failure, a tree without cases is', () => {
  write('echo/none.json', [])
  expect(runTree(root, [ECHO])).toMatchObject({ lines: ['echo/none.json: 0 of 0 equal', `${root}: no case found`], failed: true })
  write('echo/one.json', [{ input: 1, expected: 1 }])
  expect(runTree(root, [ECHO])).toMatchObject({ lines: ['echo/none.json: 0 of 0 equal', 'echo/one.json: 1 of 1 equal'], failed: false })
})

test('a folder that no adapter is for fails', () => {
  write('other/a.json', [{ input: 1, expected: 1 }])
  expect(runTree(root, [ECHO])).toMatchObject({
    lines: ['other/a.json: no adapter for this folder', `${root}: no case found`],
    failed: true,
  })
})

test('a case that throws differs, and the next one is run', () => {
  write('echo/a.json', [{ name: 'bad' }, { name: 'good' }])
  const throwing: Adapter = {
    ...ECHO,
    run: ({ name }) => {
      if (name === 'bad') throw new Error('broken')
      return []
    },
  }
  const { lines, failed } = runTree(root, [throwing])
  expect(lines[0]).toBe('echo/a.json: 1 of 2 equal')
  expect(lines[1]).toMatch(/^ {2}bad: threw Error: broken/)
  expect(failed).toBe(true)
})
