import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Calls of Node's functions, as a test or the tool makes them, whose answers or errors the script prints. */
const SCRIPT = `
import { execFileSync, spawnSync } from 'node:child_process'
const shown = ({ pid, output, stdout, stderr, status, signal, error }) =>
  ({ hasPid: pid > 0, output: String(output), stdout: String(stdout), stderr: String(stderr), status, signal,
    fault: error && [error.code, error.errno, error.syscall, error.path, error.spawnargs, error.message] })
const sh = (text, options) => spawnSync('sh', ['-c', text], options)
const thrown = (act) => { try { return act() } catch (error) { return shown({ ...error, error }) } }
const answers = {
  'the output and the exit code': shown(sh('echo out; echo err >&2; exit 3')),
  'the input': shown(spawnSync('cat', { input: Buffer.from('né'), encoding: 'utf8' })),
  'much output': sh('head -c 300000 /dev/zero').stdout.length,
  'bytes': [...sh('printf "\\\\377\\\\000"').stdout],
  'the folder of the process': (process.chdir('/usr'), shown(sh('pwd'))),
  'a folder': shown(sh('pwd', { cwd: '/' })),
  'the environment of the process': (process.env.NEW = 'yes', shown(sh('echo $NEW'))),
  'an environment': shown(spawnSync('/usr/bin/env', { env: { ONE: '1' } })),
  'a stream that is left out': shown(sh('echo out', { stdio: ['pipe', 'ignore', 'pipe'] })),
  'a stream of the process': shown(sh('echo shown', { stdio: ['ignore', 'inherit', 'ignore'] })),
  'a signal': shown(sh('kill -TERM $$')),
  'a program that takes too long': shown(spawnSync('sleep', ['9'], { timeout: 50, killSignal: 'SIGKILL' })),
  'a program that prints too much': shown(sh('echo 123456789; sleep 9', { maxBuffer: 4 })),
  'no such program': shown(spawnSync('no-such-program', ['a', 'b'])),
  'the output of a file': execFileSync('echo', ['out'], { encoding: 'utf8' }),
  'a file that fails': thrown(() => execFileSync('sh', ['-c', 'echo why >&2; exit 2'], { stdio: 'pipe' })),
  'a file that is not there': thrown(() => execFileSync('no-such-program')),
}
console.log(JSON.stringify(answers))
`

/** Returns what the script prints in a process of its own, with or without a small process that starts its programs. */
function printed(...options: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [...options, '--input-type=module', '-e', SCRIPT], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout
}

test('the small process that starts programs for a worker answers as Node does', () => {
  const [shown, answers] = printed('--import', join(import.meta.dirname, 'small-parent.mjs')).split('\n')
  const [shownByNode, answersOfNode] = printed().split('\n')
  expect([shown, shownByNode]).toEqual(['shown', 'shown'])
  expect(JSON.parse(answers ?? '')).toEqual(JSON.parse(answersOfNode ?? ''))
})

test('a worker of the tests starts its programs by another process', () => {
  const { stdout } = spawnSync('sh', ['-c', 'echo $PPID'], { encoding: 'utf8' })
  expect(Number(stdout)).not.toBe(process.pid)
})
