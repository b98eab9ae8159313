import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'
import { testFolder } from '../testdata/test-folder.ts'

const run = (...args: readonly string[]) => recordRun(testFolder(), args)

test.each([
  [['plan', '.', '--format', 'json', '--format=text'], "option '--format <format>' must be given once, got 'json' and 'text'"],
  [['promote', '.', '--ring', 'a', '--ring', 'a'], "option '--ring <name>' must be given once, got 'a' and 'a'"],
  [['convert', 'kustomize', '.', '--out', 'a', '--out', 'b'], "must be given once, got 'a' and 'b'"],
])('an option of one value that is given twice is refused: %j', async (args, said) => {
  expect(await run(...args)).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(said) })
})

test.each([
  [['rings', '.', '--ring', 'a', '--ring', 'b']],
  [['sync', '.', '--for', 'flux', '--remove', 'a', '--remove', 'b']],
  [['import', '--manifest', 'a.yaml', '--manifest', 'b.yaml', '--as', 'c/d']],
])('an option that may be given again is not: %j', async (args) => {
  expect((await run(...args)).stderr).not.toContain('must be given once')
})
