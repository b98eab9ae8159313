import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../cli/recorded-run.ts'
import { testFolder } from '../test-folder.ts'
import { HostileFleet } from './hostile-fleet.ts'
import { HOSTILE_TREES } from './hostile-trees.ts'

let fleet: HostileFleet
beforeEach(() => {
  const root = testFolder()
  fleet = new HostileFleet(root)
})

const run = () => recordRun(fleet.folder, ['render', 'fleet', '--out', 'clusters'])

test.each(HOSTILE_TREES)('$what is refused, and nothing is written', async ({ entries, path, rule }) => {
  fleet.release('v1', entries(fleet.raw))
  const before = fleet.state()
  const { exitCode, stdout, stderr } = await run()
  expect(stderr).toContain(`upf/${path}`)
  expect(stderr).toMatch(new RegExp(`\\[${rule}\\]\\n`))
  expect(stderr).toMatch(/^[\n -~]*$/)
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(fleet.state()).toEqual(before)
})
