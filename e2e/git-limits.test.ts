import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testFolder } from '../testdata/test-folder.ts'
import { bundlePath } from './run-program.ts'

const FLEET = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: upf-edge, namespace: default}
spec:
  upstream: {repo: catalog, package: upf, revision: 1}
  downstream: {repo: edge, package: upf}
---
apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options}
spec: {repositories: {catalog: {git: {repo: 'ssh://git.example.com/catalog'}}}}
`

/**
 * Starts the tool on a fleet whose upstream never answers, in a process group of its own, as a terminal does; resolves when git's ssh runs.
 */
async function startWaiting(...options: readonly string[]) {
  const root = testFolder()
  const [ssh, started] = [join(root, 'ssh'), join(root, 'started')]
  writeFileSync(ssh, `#!/bin/sh\necho $$ > ${started}.new\nmv ${started}.new ${started}\nexec sleep 300\n`)
  chmodSync(ssh, 0o755)
  writeFileSync(join(root, '.gitconfig'), `[core]\n  sshCommand = ${ssh}\n`)
  writeFileSync(join(root, 'fleet.yaml'), FLEET)
  const out = join(root, 'clusters')
  const child = spawn(process.execPath, [bundlePath('krm-variants'), 'render', root, '--out', out, ...options], {
    detached: true,
    env: { ...process.env, HOME: root, XDG_CACHE_HOME: join(root, 'cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const words = Promise.all([text(child.stdout), text(child.stderr)])
  while (!existsSync(started)) await setTimeout(50)
  return { child, ended, words, ssh: Number(readFileSync(started, 'utf8')), cache: join(root, 'cache/krm-variants/git'), out }
}

/** Returns true for a process that runs, and has not only not been waited for. */
function isRunning(pid: number): boolean {
  const status = `/proc/${pid}/status`
  return existsSync(status) && !readFileSync(status, 'utf8').includes('State:\tZ')
}

test('Ctrl-C ends the tool, git and what git started, and leaves nothing', async () => {
  const { child, ended, words, ssh, cache, out } = await startWaiting()
  process.kill(-(child.pid ?? 0), 'SIGINT')
  const word = 'krm-variants: interrupted: nothing was written, and every package is as it was; the next run does the rest\n'
  expect([await ended, await words]).toEqual([130, ['', word]])
  await setTimeout(200)
  expect([isRunning(ssh), readdirSync(cache), existsSync(out)]).toEqual([false, [], false])
})

test('a tool that is killed takes git and what git started along', async () => {
  const { child, ended, ssh } = await startWaiting()
  child.kill('SIGKILL')
  await ended
  await setTimeout(500)
  expect(isRunning(ssh)).toBe(false)
})

test('an upstream that says nothing is given up after the time that the option names, and nothing is written', async () => {
  const { ended, words, ssh, out } = await startWaiting('--git-timeout', '1')
  const [stdout, stderr] = await words
  expect([await ended, stdout, isRunning(ssh), existsSync(out)]).toEqual([1, '', false, false])
  expect(stderr).toContain(
    "cannot be read: git fetch: 'ssh://git.example.com/catalog' sent nothing for 1 s and was ended; --git-timeout gives it longer",
  )
})
