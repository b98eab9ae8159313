import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'
import { testFolder } from '../testdata/test-folder.ts'

const run = (...args: readonly string[]) => recordRun(testFolder(), args)

test.each([
  [['plan', '.', '--format', 'json', '--format=text'], '--format <format>'],
  [['promote', '.', '--ring', 'a', '--ring', 'a'], '--ring <name>'],
  [['convert', 'kustomize', '.', '--out', 'a', '--out', 'b'], '--out <folder>'],
  [['import', '--package', 'https://u:secret@example.com/a.git', '--package', 'https://u:secret@example.com/b.git'], '--package <dir|git>'],
])('an option of one value that is given twice is refused, and no value is printed: %j', async (args, option) => {
  const stderr = `error: option '${option}' must be given once, got it twice\n`
  expect(await run(...args)).toMatchObject({ exitCode: 1, stdout: '', stderr })
})

test.each([
  [['rings', '.', '--ring', 'a', '--ring', 'b']],
  [['sync', '.', '--for', 'flux', '--remove', 'a', '--remove', 'b']],
  [['import', '--manifest', 'a.yaml', '--manifest', 'b.yaml', '--as', 'c/d']],
])('an option that may be given again is not: %j', async (args) => {
  expect((await run(...args)).stderr).not.toContain('must be given once')
})
