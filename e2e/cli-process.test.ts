import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testFolder } from '../testdata/test-folder.ts'
import { bundlePath, ROOT } from './run-program.ts'

const KRM_VARIANTS = bundlePath('krm-variants')

test.each([
  { reason: 'changes', field: 'name', redirect: '', exitCode: 2 },
  { reason: 'errors', field: 'naem', redirect: '2>&1', exitCode: 1 },
])('the exit code of a plan with $reason survives a reader that closes the pipe early, and there is no stack', async (each) => {
  const script = `set -o pipefail; "$0" plan "$1" ${each.redirect} | head -n 1`
  const child = spawn('bash', ['-c', script, KRM_VARIANTS, bigFleet(each.field)])
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(stdout.split('\n')).toHaveLength(2)
  expect(stderr).not.toMatch(/^ +at /m)
  expect(exitCode).toBe(each.exitCode)
})

test.each([
  ['Ctrl-C', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const)('%s ends the tool by its own will', async (_, signal, code) => {
  const child = spawn(KRM_VARIANTS, ['fn', 'fan-out'], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.write('apiVersion: config.kubernetes.io/v1\n')
  // The command has to be at stdin before it is interrupted; without a handler the signal itself would end it, and the code be null.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  child.kill(signal)
  const [exitCode] = await once(child, 'close')
  expect(exitCode).toBe(code)
})

/** The objects of a package that `render` writes long enough for a signal in between. */
const MANY = 400

test('SIGTERM while packages are written lets all be written, and what the update replaced is named', async () => {
  const folder = testFolder()
  const run = (...args: readonly string[]) => spawnSync(KRM_VARIANTS, args, { cwd: folder, encoding: 'utf8' })
  run('init', '.')
  const writeMany = (revision: string, value: string) => {
    for (let at = 0; at < MANY; at++)
      writeFileSync(
        join(folder, `catalog/hello@${revision}/c${at}.yaml`),
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c${at}\ndata:\n  a: "${value}"\n`,
      )
  }
  writeMany('v1', '1')
  expect(run('render', '.').status).toBe(0)
  const rendered = join(folder, 'clusters/prod/hello')
  const edited = join(rendered, 'c7.yaml')
  writeFileSync(edited, readFileSync(edited, 'utf8').replace('a: "1"', 'a: "mine"'))
  cpSync(join(folder, 'catalog/hello@v1'), join(folder, 'catalog/hello@v2'), { recursive: true })
  writeMany('v2', '2')
  const set = join(folder, 'fleet/hello.yaml')
  writeFileSync(set, readFileSync(set, 'utf8').replace('revision: 1', 'revision: 2'))
  const child = spawn(KRM_VARIANTS, ['render', '.'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = Promise.all([text(child.stderr), once(child, 'close')])
  while (child.exitCode === null && !readFileSync(join(rendered, 'Kptfile'), 'utf8').includes('ref: v2')) await setImmediate()
  child.kill('SIGTERM')
  const [stderr] = await ended
  expect(stderr).toContain('[edit-lost]')
  expect(readdirSync(rendered).filter((name) => !/^c\d+\.yaml$|^[\w-]+\.yaml$|^Kptfile$|^README\.md$/.test(name))).toEqual([])
  expect(readFileSync(edited, 'utf8')).toContain('a: "2"')
})

test('--watch plans again when a file changes, and Ctrl-C ends it with 130', async () => {
  const folder = bigFleet('name')
  const child = spawn(KRM_VARIANTS, ['check', '--watch', folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (data) => {
    said += String(data)
  })
  const saidTimes = async (times: number) => {
    while (said.split('can be fixed with --fix\n').length <= times) await once(child.stdout, 'data')
  }
  await saidTimes(1)
  // The watch begins after the first run.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  writeFileSync(join(folder, 'later.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: later}\n')
  await saidTimes(2)
  child.kill('SIGINT')
  const [exitCode] = await once(child, 'close')
  expect(exitCode).toBe(130)
})

const FULL = '/dev/full'

test.skipIf(!existsSync(FULL)).each(['plan .', 'schema'])('no room for the output of %s is one line', async (command) => {
  const child = spawn('sh', ['-c', `exec "$0" ${command} > ${FULL}`, KRM_VARIANTS], { cwd: join(ROOT, 'examples/fleet') })
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect(stderr.replace(/^Plan: .*\n/, '')).toBe('krm-variants: cannot write to stdout: no space left on device\n')
  expect(exitCode).toBe(1)
})

test('a file without permission to read is a finding of one line', async () => {
  const folder = testFolder()
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'rev.yaml'), 'a: 1\n', { mode: 0 })
  // Root may read it all the same, so that the tool runs as nobody then.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(process.execPath, [KRM_VARIANTS, 'plan', '.'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...nobody })
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')])
  const finding = 'rev.yaml: error: cannot be read: permission denied; make the file readable, or name it in .krmignore [unreadable-file]'
  expect({ stderr, exitCode }).toEqual({ stderr: `${finding}\nPlan: none, refused for errors; 1 error\n`, exitCode: 1 })
})

/** A folder with a set of 20,000 repositories: what is said of it is far larger than a pipe holds. */
function bigFleet(field: string): string {
  const folder = testFolder()
  mkdirSync(join(folder, 'sets'))
  const names = Array.from({ length: 20_000 }, (_, i) => `        - ${field}: edge-${i}\n`).join('')
  const head = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: apps\nspec:\n'
  const spec = `  upstream: {repo: catalog, package: app, revision: 1}\n  targets:\n    - repositories:\n${names}`
  writeFileSync(join(folder, 'sets/apps.yaml'), head + spec)
  return folder
}
