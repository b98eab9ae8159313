import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'

const TABLE = readFileSync(new URL('../docs/rules.md', import.meta.url), 'utf8')

test('rule lists every row of docs/rules.md in a line', async () => {
  const { stdout, exitCode } = await recordRun('.', ['rule'])
  const listed = stdout.trimEnd().split('\n')
  expect(exitCode).toBe(0)
  expect(listed.map((line) => line.split(' ')[0])).toEqual(Array.from(TABLE.matchAll(/^\| `([a-z0-9-]+)` \|/gm), ([, id]) => id))
})
