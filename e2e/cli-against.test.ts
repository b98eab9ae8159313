import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../testdata/test-folder.ts'
import { copyFolder } from './folder-copy.ts'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

const KRM_VARIANTS = bundlePath('krm-variants')
const KPT = process.env.KPT ?? 'kpt'

/** A copy of the example, committed in a repository of its own. */
async function committedFleet(): Promise<string> {
  const folder = copyFolder('examples/fleet')
  await commit(folder)
  return folder
}

async function commit(folder: string): Promise<void> {
  await git(folder, 'init', '--quiet')
  await git(folder, 'add', '--all')
  await git(folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'first')
}

async function git(folder: string, ...args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runProgram('git', ['-C', folder, ...args])
  if (exitCode !== 0) throw new Error(stderr)
}

async function plan(folder: string, ...options: readonly string[]): Promise<{ firstLine: string; exitCode: number | null }> {
  const { stdout, exitCode } = await runProgram(KRM_VARIANTS, ['plan', folder, ...options])
  return { firstLine: stdout.toString().split('\n')[0] ?? '', exitCode }
}

test('after fan-out there is nothing to do, and --against still shows what the branch comes to', async () => {
  const folder = await committedFleet()
  const before = await plan(folder)
  await runProgram(KPT, ['fn', 'eval', folder, '--exec', bundlePath('fan-out')])
  expect(await plan(folder)).toEqual({ firstLine: 'Plan: nothing to do, 23 unchanged', exitCode: 0 })
  expect(await plan(folder, '--against', 'HEAD')).toEqual(before)
})

test('what is deleted with its set is a removal against a revision', async () => {
  const folder = await committedFleet()
  for (const path of ['sets/tenants.yaml', 'sets/variants/tenants']) rmSync(join(folder, path), { recursive: true })
  const { firstLine } = await plan(folder, '--against', 'HEAD')
  expect(firstLine).toBe('Plan: 6 to remove, 1 to update, 3 to create, 14 unchanged')
})

test('a removal says where the repository was that is gone', async () => {
  const folder = testFolder()
  cpSync(join(ROOT, 'testdata/cli/plan-equal/input'), folder, { recursive: true })
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `edge-${name}.yaml`), repository(`edge-${name}`))
  await commit(folder)
  rmSync(join(folder, 'edge-b.yaml'))
  const { stdout } = await runProgram(KRM_VARIANTS, ['plan', folder, '--against', 'HEAD', '--all', '--only', 'remove'])
  expect(stdout.toString()).toContain(
    `      Repository edge-b is not in the folder, at HEAD it was in ${folder}/edge-b.yaml; its package is deleted too`,
  )
})

function repository(name: string): string {
  const metadata = `  name: ${name}\n  namespace: fleet\n  labels:\n    env: prod\n`
  return `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n${metadata}`
}

test('a revision that git does not know is an error in one line', async () => {
  const { stderr, exitCode } = await runProgram(KRM_VARIANTS, ['plan', await committedFleet(), '--against', 'no-such-branch'])
  expect({ stderr, exitCode }).toEqual({
    stderr: "krm-variants: --against 'no-such-branch': git knows no such revision\n",
    exitCode: 1,
  })
})

test('a revision without the folder is reported in one line, and everything is new', async () => {
  const folder = await committedFleet()
  cpSync(join(ROOT, 'testdata/cli/plan-equal/input'), join(folder, 'new'), { recursive: true })
  const { stdout, stderr, exitCode } = await runProgram(KRM_VARIANTS, ['plan', join(folder, 'new'), '--against', 'HEAD'])
  expect(stdout.toString()).toMatch(/^Plan: \d+ to create\n/)
  expect(stderr).toMatch(/^Plan: [^\n]*; HEAD has no such folder, so everything is new\n$/)
  expect(exitCode).toBe(2)
})

test('a folder in no git repository is reported in one line', async () => {
  const folder = testFolder()
  cpSync(join(ROOT, 'testdata/cli/plan-equal/input'), folder, { recursive: true })
  const { stderr, exitCode } = await runProgram(KRM_VARIANTS, ['plan', folder, '--against', 'main'])
  expect({ stderr, exitCode }).toEqual({
    stderr: `krm-variants: --against 'main': '${folder}' must be in a git repository, found none around it\n`,
    exitCode: 1,
  })
})
