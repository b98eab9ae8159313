import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openRepository } from './git-cache.ts'
import { GitError, gitEnvironment, runGit } from './run-git.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'run-git-'))
  vi.stubEnv('HOME', root)
  return () => {
    vi.unstubAllEnvs()
    rmSync(root, { recursive: true })
  }
})

/** Makes a script the user's ssh. */
function useSsh(...lines: readonly string[]): void {
  const script = join(root, 'ssh')
  writeFileSync(script, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(script, 0o755)
  writeFileSync(join(root, '.gitconfig'), `[core]\n  sshCommand = ${script}\n`)
}

function open(address: string, seconds: number): unknown {
  return openRepository(address, { base: root, cache: join(root, 'cache'), offline: false, seconds })
}

test('the environment of git is that of the caller without what hooks and others set for git', () => {
  const found = gitEnvironment({ HOME: '/h', GIT_DIR: '/x', git_ssh: 'x', GIT_CONFIG_COUNT: '1', GIT_CONFIG_NOSYSTEM: '1' }, [
    'https',
    'ssh',
  ])
  expect(found).toEqual({
    HOME: '/h',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'https:ssh',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  })
  expect(gitEnvironment({}, []).GIT_ALLOW_PROTOCOL).toBe('none')
})

test('a server that never answers is given up', async () => {
  const program = `require('net').createServer(() => {}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const server = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void server.kill())
  const [port] = (await server.stdout.take(1).toArray()).map(String)
  const address = `git://127.0.0.1:${port?.trim()}/catalog`
  expect(() => open(address, 0.3)).toThrow(`git fetch: '${address}' sent nothing for 0.3 s and was ended; --git-timeout gives it longer`)
})

test('with git the programs are ended that it started', async () => {
  useSsh(`echo $$ > ${root}/pid`, 'sleep 60 &', `echo $! >> ${root}/pid`, 'wait')
  expect(() => open('ssh://git.example.com/catalog', 1)).toThrow(/sent nothing for 1 s/)
  const started = readFileSync(join(root, 'pid'), 'utf8').trim().split('\n')
  expect(started).toHaveLength(2)
  await expect.poll(() => started.filter((pid) => isRunning(pid))).toEqual([])
})

test('a program that git leaves behind does not keep the tool waiting', () => {
  useSsh(`setsid sh -c 'echo $$ > ${root}/pid; exec sleep 30' > /dev/null &`, 'echo "Host key changed" >&2', 'exit 1')
  const began = performance.now()
  expect(() => open('git.example.com:catalog', 60)).toThrow('git fetch: Host key changed')
  expect(performance.now() - began).toBeLessThan(20_000)
  process.kill(Number(readFileSync(join(root, 'pid'), 'utf8')))
})

/** A process that ended and that no process waited for counts as ended. */
function isRunning(pid: string): boolean {
  const status = `/proc/${pid}/status`
  return existsSync(status) && !readFileSync(status, 'utf8').includes('State:\tZ')
}

test('as long as something arrives git goes on, and its own words are reported', () => {
  useSsh('for i in 1 2 3 4; do sleep 0.3; echo "Receiving objects:  $i%" >&2; done', 'echo "Host key changed" >&2', 'exit 1')
  expect(() => open('git.example.com:catalog', 1)).toThrow('git fetch: Host key changed')
})

test('a port without a server is reported in words of git, without the user of the URL', () => {
  expect(() => open('ssh://ada@127.0.0.1:1/catalog', 20)).toThrow(/^git fetch: (?!.*ada)/)
})

test.each(['https://git.invalid/catalog.git', './repository'])('without a git on PATH, reading %s says what is missing', (address) => {
  mkdirSync(join(root, 'repository'))
  vi.stubEnv('PATH', root)
  expect(() => open(address, 5)).toThrow("the program 'git' must be in a folder of PATH, found none; git repositories are read with it")
})

test('a git that fails before it reads its input says why', () => {
  const input = Buffer.alloc(20_000_000)
  expect(() => runGit({ dir: root }, ['cat-file', '--batch'], { input })).toThrow(/^git cat-file: fatal: not a git repository/)
})

test('an output that is too long is an error that names the limit', () => {
  runGit({ dir: root }, ['init', '--quiet'])
  expect(() => runGit({ dir: root }, ['config', '--list'], { most: 10 })).toThrow(
    'git config: its output must have at most 10 bytes, has more',
  )
})

test('a signed commit starts no program that the configuration of the repository names', () => {
  const [dir, judge] = [join(root, 'signed'), join(root, 'judge')]
  runGit({ dir: root }, ['init', '--quiet', dir])
  writeFileSync(judge, `#!/bin/sh\ntouch ${root}/ran\n`, { mode: 0o755 })
  const tree = runGit({ dir }, ['write-tree']).toString('utf8').trim()
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----'
  const input = `tree ${tree}\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n${signature}\n\none\n`
  const commit = runGit({ dir }, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input }).toString('utf8').trim()
  for (const [name = '', value = ''] of [
    ['log.showSignature', 'true'],
    ['gpg.program', judge],
  ])
    runGit({ dir }, ['config', name, value])
  expect(runGit({ dir }, ['log', '--format=%H', commit]).toString('utf8')).toBe(`${commit}\n`)
  expect(existsSync(join(root, 'ran'))).toBe(false)
})

test('a git on disk that takes too long is ended', () => {
  runGit({ dir: root }, ['init', '--quiet'])
  expect(() => runGit({ dir: root, seconds: 0.2 }, ['-c', 'alias.wait=!sleep 20', 'wait'])).toThrow(
    'git -c: took longer than 0.2 s and was ended; --git-timeout gives it longer',
  )
})

test('without the program git the message says where it is looked for', () => {
  vi.stubEnv('PATH', join(root, 'nowhere'))
  expect(() => runGit({ dir: root }, ['version'])).toThrow(
    new GitError("the program 'git' must be in a folder of PATH, found none; git repositories are read with it"),
  )
})

test('of the words of git the first line that is neither progress nor a warning is the reason', () => {
  const script = join(root, 'bin/git')
  mkdirSync(join(root, 'bin'))
  const failing = (...lines: readonly string[]) => {
    writeFileSync(script, ['#!/bin/sh', ...lines.map((line) => `echo '${line}' >&2`), 'exit 1', ''].join('\n'))
    chmodSync(script, 0o755)
    return () => runGit({ dir: root }, ['fetch'])
  }
  vi.stubEnv('PATH', `${join(root, 'bin')}:${process.env.PATH}`)
  expect(failing('Receiving objects:  10% (1/10)', 'warning: slow', 'fatal: no route  ', 'error: later')).toThrow(
    /^git fetch: fatal: no route$/,
  )
  expect(failing('warning: slow')).toThrow(/^git fetch: warning: slow$/)
  expect(failing()).toThrow(/^git fetch: failed$/)
  expect(failing('fatal: detected dubious ownership in repository')).toThrow(
    /repository; git config --global --add safe\.directory PATH allows it/,
  )
})
