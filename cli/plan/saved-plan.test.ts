import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { beforeEach, expect, test } from 'vitest'
import { recordingHost, recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { isBelowCaller } from './saved-plan.ts'

const FLEET = fileURLToPath(new URL('../../testdata/cli/render-dry-run/input/fleet', import.meta.url))

let folder = ''
beforeEach(async () => {
  folder = testFolder()
  cpSync(FLEET, join(folder, 'fleet'), { recursive: true })
})

function run(...args: readonly string[]) {
  return recordRun(folder, args)
}

const RENDER = ['render', 'fleet', '--out', 'clusters', '--plan', 'plan.json']

test('a saved plan is what its schema says', async () => {
  await run('plan', 'fleet', '--out', 'plan.json')
  const schema = JSON.parse(readFileSync(new URL('../../schemas/output/saved-plan.json', import.meta.url), 'utf8'))
  const ajv = new Ajv()
  expect(ajv.validate(schema, JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))) || ajv.errorsText()).toBe(true)
})

test('render does the plan that was saved', async () => {
  expect((await run('plan', 'fleet', '--out', 'plan.json')).exitCode).toBe(2)
  const { stdout, stderr, exitCode } = await run(...RENDER)
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  expect(stdout).toBe((await recordRun(folder, ['render', 'fleet', '--out', 'others'])).stdout)
})

test('a plan that is saved within its folder is no change of it', async () => {
  await run('plan', 'fleet', '--out', 'fleet/plan.json')
  expect((await run('render', 'fleet', '--out', 'clusters', '--plan', 'fleet/plan.json')).exitCode).toBe(0)
})

test('render refuses the plan of a folder that changed since, and names the files', async () => {
  await run('plan', 'fleet', '--out', 'plan.json')
  appendFileSync(join(folder, 'fleet/set.yaml'), '# later\n')
  writeFileSync(join(folder, 'fleet/notes.txt'), 'new\n')
  const { stderr, exitCode } = await run(...RENDER)
  expect({ stderr, exitCode }).toEqual({
    stderr: [
      "fleet/notes.txt: error: must be as it was for 'plan.json', is new; plan again with --out [plan-outdated]",
      "fleet/set.yaml: error: must be as it was for 'plan.json', changed; plan again with --out [plan-outdated]",
      '',
    ].join('\n'),
    exitCode: 1,
  })
  expect(existsSync(join(folder, 'clusters'))).toBe(false)
})

test('render refuses a plan that a person edited, or that another version made', async () => {
  await run('plan', 'fleet', '--out', 'plan.json')
  const saved = readFileSync(join(folder, 'plan.json'), 'utf8')
  writeFileSync(join(folder, 'plan.json'), saved.replace('"create"', '"update"'))
  expect((await run(...RENDER)).stderr).toBe(
    "plan.json: error: `changes` must be what the sets of 'fleet' ask for, got others; plan again with --out [plan-outdated]\n",
  )
  writeFileSync(join(folder, 'plan.json'), saved.replace('"1.2.3"', '"1.2.2"'))
  expect((await run(...RENDER)).stderr).toBe("krm-variants: 'plan.json' is a plan of version 1.2.2, this is 1.2.3: plan again with --out\n")
})

test('a plan with errors is not saved', async () => {
  writeFileSync(join(folder, 'fleet/broken.yaml'), 'a: [\n')
  expect((await run('plan', 'fleet', '--out', 'plan.json')).exitCode).toBe(1)
  expect(existsSync(join(folder, 'plan.json'))).toBe(false)
})

test('--watch runs again after each change', async () => {
  const changes = async function* () {
    yield
    yield
  }
  const { stdout, exitCode } = await recordRun(folder, ['plan', 'fleet', '--watch'], { watch: changes })
  expect(stdout.match(/^Plan: /gm)?.length).toBe(3)
  expect(exitCode).toBe(2)
  const checked = await recordRun(folder, ['check', 'fleet', '--watch'], { watch: changes })
  expect(checked.stdout.match(/can be fixed with --fix$/gm)?.length).toBe(3)
})

test.each([
  ['.', true],
  ['fleet', true],
  ['fleet/not/there/yet', true],
  ['..folder', true],
  ['fleet/../fleet', true],
  ['..', false],
  ['../beside', false],
  ['../not-there', false],
  ['fleet/../../beside', false],
  ['link', false],
  ['link/not-there', false],
  ['inner', true],
  ['/', false],
  ['fleet\0', false],
])('the path %j of a plan lies in the working directory: %s', (path, isBelow) => {
  const top = testFolder()
  for (const name of ['work/fleet', 'beside']) mkdirSync(join(top, name), { recursive: true })
  symlinkSync(join(top, 'beside'), join(top, 'work/link'))
  symlinkSync(join(top, 'work/fleet'), join(top, 'work/inner'))
  expect(isBelowCaller(path, recordingHost(join(top, 'work')).host)).toBe(isBelow)
})
