import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'
import { testFolder } from '../testdata/test-folder.ts'

const EXAMPLE = fileURLToPath(new URL('../examples/fleet', import.meta.url))

let folder = ''
beforeEach(() => {
  folder = testFolder()
  // Whoever runs the tests may read every file, but no user a link to itself.
  mkdirSync(join(folder, 'fleet/sets'), { recursive: true })
  symlinkSync('a.yaml', join(folder, 'fleet/sets/a.yaml'))
})

async function run(cwd: string, ...args: readonly string[]) {
  const { stdout, stderr, exitCode } = await recordRun(cwd, args, {
    read: () => Promise.reject(Object.assign(new Error('EISDIR'), { errno: -21, code: 'EISDIR', syscall: 'read' })),
  })
  return { stdout, stderr, exitCode }
}

const loop = 'too many symbolic links encountered'

test('what the file system refuses is a line with the file as the caller sees it', async () => {
  expect(await run(folder, 'render', EXAMPLE, '--out', 'clusters', '--config', 'fleet/sets/a.yaml')).toEqual({
    stdout: '',
    stderr: `krm-variants: cannot read fleet/sets/a.yaml: ${loop}\n`,
    exitCode: 1,
  })
})

test('a file outside of the folder that the caller is in is named in full', async () => {
  const { stderr } = await run(
    join(folder, 'elsewhere'),
    'render',
    EXAMPLE,
    '--out',
    'clusters',
    '--config',
    join(folder, 'fleet/sets/a.yaml'),
  )
  expect(stderr).toBe(`krm-variants: cannot read ${join(folder, 'fleet/sets/a.yaml')}: ${loop}\n`)
})

test('an input without a name is the input', async () => {
  expect(await run(folder, 'plan', '-')).toEqual({
    stdout: '',
    stderr: 'krm-variants: cannot read the input: illegal operation on a directory\n',
    exitCode: 1,
  })
})

test('a folder that refuses the schemas is named', async () => {
  expect(await run(folder, 'schema', '--write', 'fleet/sets/a.yaml/schemas')).toEqual({
    stdout: '',
    stderr: `krm-variants: cannot write to the folder 'fleet/sets/a.yaml/schemas': ${loop}\n`,
    exitCode: 1,
  })
})

test('--version is that of the host', async () => {
  expect(await run(folder, '--version')).toEqual({ stdout: '1.2.3\n', stderr: '', exitCode: 0 })
})

test('a file that is to be written is named as such', async () => {
  const { stderr } = await run(folder, 'plan', EXAMPLE, '--allow-outside', '--out', 'fleet/sets/a.yaml/plan.json')
  expect(stderr).toContain('krm-variants: cannot write fleet/sets/a.yaml: file already exists; nothing was changed\n')
})
