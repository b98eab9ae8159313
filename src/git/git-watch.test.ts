import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { WATCH, WATCH_SCRIPT } from './git-watch.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
})

/** Makes a script the program git, and returns the environment that finds it. */
function useGit(script: string, mode = 0o755): NodeJS.ProcessEnv {
  writeFileSync(join(root, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(root, 'git'), mode)
  return { PATH: `${root}:/usr/bin:/bin` }
}

/** Runs the watcher to its end. Returns how it ended, and what it wrote. */
function watched(env: NodeJS.ProcessEnv, { seconds = '20', args = ['fetch'], input = '' } = {}) {
  const words = ['-e', WATCH_SCRIPT, '--', WATCH, seconds, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    env,
    input,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('git gets the arguments and the input, and its output and exit code are those of the watcher', () => {
  const env = useGit('echo "$@"; cat; echo told >&2; exit 3')
  expect(watched(env, { args: ['fetch', '--depth', '1'], input: 'asked' })).toEqual({
    status: 3,
    stdout: 'fetch --depth 1\nasked',
    stderr: 'told\n',
  })
  expect(watched(useGit('exit 0')).status).toBe(0)
})

test('a git that a signal ended has 128 and the number of the signal', () => {
  expect(watched(useGit('kill -TERM $$')).status).toBe(143)
})

test('a git that writes nothing for so long is ended with 124, and what it wrote stays', () => {
  expect(watched(useGit('echo begun; sleep 60'), { seconds: '0.5' })).toEqual({ status: 124, stdout: 'begun\n', stderr: '' })
})

test('a program that is not there, and one that must not be run, have the codes of a shell', () => {
  expect(watched({ PATH: root })).toMatchObject({ status: 127, stderr: expect.stringContaining('git cannot be run: ') })
  expect(watched({ ...useGit('exit 0', 0o644), PATH: root })).toMatchObject({ status: 126, stderr: expect.stringContaining('EACCES') })
})

/** Starts the watcher of a git that waits, and returns both once git has begun. */
async function started() {
  const env = useGit(`echo $$ > ${root}/pid; echo begun; exec sleep 60`)
  const watcher = spawn(process.execPath, ['-e', WATCH_SCRIPT, '--', WATCH, '20', 'fetch'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => {
    watcher.on('exit', resolve)
  })
  await new Promise((resolve) => {
    watcher.stdout?.once('data', resolve)
  })
  return { watcher, ended, git: readFileSync(join(root, 'pid'), 'utf8').trim() }
}

/** A process that ended and that no process waited for counts as ended. */
function isRunning(pid: string): boolean {
  const status = `/proc/${pid}/status`
  return existsSync(status) && !readFileSync(status, 'utf8').includes('State:\tZ')
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('on %s git is ended too, with 128 and the number of the signal', async (signal, code) => {
  const { watcher, ended, git } = await started()
  watcher.kill(signal)
  expect(await ended).toBe(code)
  await expect.poll(() => isRunning(git)).toBe(false)
})

test('with the caller git is ended', async () => {
  const { watcher, ended, git } = await started()
  watcher.stdio[3]?.destroy()
  expect(await ended).toBe(129)
  await expect.poll(() => isRunning(git)).toBe(false)
})
