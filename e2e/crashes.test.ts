import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { readFolder } from './folder-copy.ts'
import { bundlePath, runProgram } from './run-program.ts'

const TOOL = bundlePath('krm-variants')
const LEFTOVER = '.krm-variants-'
/** Packages of a fleet that takes long enough to be interrupted. */
const PACKAGES = 60

/** A fleet whose packages are at the first revision in `old`, and at the second in `new`. */
let place = ''
let old = new Map<string, string>()
let made = new Map<string, string>()

beforeAll(async () => {
  place = mkdtempSync(join(realpathSync(tmpdir()), 'crashes-'))
  for (const revision of [1, 2]) writeUpstream(revision)
  writeSet(1)
  await render(join(place, 'old'))
  cpSync(join(place, 'old'), join(place, 'new'), { recursive: true })
  writeSet(2)
  await render(join(place, 'new'))
  old = readFolder(join(place, 'old'))
  made = readFolder(join(place, 'new'))
  return () => rmSync(place, { recursive: true })
})

function writeUpstream(revision: number): void {
  const folder = join(place, `fleet/catalog/app@${revision}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'Kptfile'), 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: app\n')
  for (const name of ['one', 'two', 'three']) {
    const values = Array.from({ length: 40 }, (_, key) => `  key${key}: value of revision ${revision}\n`).join('')
    writeFileSync(join(folder, `${name}.yaml`), `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${values}`)
  }
}

function writeSet(revision: number): void {
  const names = Array.from({ length: PACKAGES }, (_, index) => `app-${index}`).join(', ')
  writeFileSync(
    join(place, 'fleet/set.yaml'),
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: app
  namespace: fleet
spec:
  upstream:
    repo: catalog
    package: app
    revision: ${revision}
  targets:
  - repositories:
    - name: edge
      packageNames: [${names}]
`,
  )
}

function render(out: string) {
  return runProgram(process.execPath, [TOOL, 'render', join(place, 'fleet'), '--out', out])
}

/** Starts a render and kills it after so many milliseconds; whether it was still running. */
async function renderKilled(out: string, after: number): Promise<boolean> {
  const child = spawn(process.execPath, [TOOL, 'render', join(place, 'fleet'), '--out', out], { stdio: 'ignore' })
  const closed = new Promise<boolean>((resolve) => child.on('close', (_, signal) => resolve(signal === 'SIGKILL')))
  setTimeout(() => child.kill('SIGKILL'), after)
  return closed
}

/** The files that are neither what they were nor what they are to be. */
function broken(folder: string): readonly string[] {
  const files = [...readFolder(folder)].filter(([path]) => !path.includes(LEFTOVER))
  return files.filter(([path, text]) => text !== old.get(path) && text !== made.get(path)).map(([path]) => path)
}

/** From before the first file is written to after the last. */
const MOMENTS = Array.from({ length: 16 }, (_, index) => index / 16)

test('whenever render is killed, each file is the old one or the new one, and the next run makes the rest', async () => {
  const start = performance.now()
  cpSync(join(place, 'old'), join(place, 'timed'), { recursive: true })
  await render(join(place, 'timed'))
  const whole = performance.now() - start
  let killed = 0
  for (const moment of MOMENTS) {
    const out = join(place, `out-${moment}`)
    cpSync(join(place, 'old'), out, { recursive: true })
    if (await renderKilled(out, whole * (0.2 + moment * 0.8))) killed++
    expect(broken(out)).toEqual([])
    expect((await render(out)).exitCode).toBe(0)
    expect(readFolder(out)).toEqual(made)
  }
  expect(killed).toBeGreaterThan(0)
})

/** A file system with so little room, where this process may mount one. */
function smallDisk(kilobytes: number): string | undefined {
  const folder = join(place, 'small')
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder])
  if (status !== 0) return undefined
  onTestFinished(() => void spawnSync('umount', [folder]))
  return folder
}

test('on a disk that becomes full nothing is changed, and nothing is left', async ({ skip }) => {
  const pages = [...old.values()].reduce((sum, text) => sum + Math.ceil(text.length / 4096), 0)
  const disk = smallDisk(Math.ceil(pages * 4 * 1.3))
  if (disk === undefined) return skip('only root may mount a small disk')
  cpSync(join(place, 'old'), join(disk, 'out'), { recursive: true })
  const { exitCode, stderr } = await render(join(disk, 'out'))
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('no space left') })
  expect(readFolder(join(disk, 'out'))).toEqual(old)
})

test('a folder that nobody may write to half-way: nothing is changed, and nothing is left', async ({ skip }) => {
  const out = join(place, 'closed')
  cpSync(join(place, 'old'), out, { recursive: true })
  // Permissions do not hold root back; this does.
  const closed = join(out, 'edge/app-33')
  if (spawnSync('chattr', ['+i', closed]).status !== 0) return skip('the file system has no attribute that makes a folder immutable')
  onTestFinished(() => void spawnSync('chattr', ['-i', closed]))
  const { exitCode, stderr } = await render(out)
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('edge/app-33') })
  expect(readFolder(out)).toEqual(old)
  spawnSync('chattr', ['-i', closed])
  expect((await render(out)).exitCode).toBe(0)
  expect(readFolder(out)).toEqual(made)
})

test('a file that is a folder half-way: what is done is whole, what is not is as it was, and the error says so', async () => {
  const out = join(place, 'odd')
  cpSync(join(place, 'old'), out, { recursive: true })
  // A link to nowhere can be replaced, a folder with files cannot.
  rmSync(join(out, 'edge/app-33/two.yaml'))
  mkdirSync(join(out, 'edge/app-33/two.yaml/inner'), { recursive: true })
  writeFileSync(join(out, 'edge/app-33/two.yaml/inner/theirs.txt'), 'theirs\n')
  await render(out)
  expect(readFileSync(join(out, 'edge/app-33/two.yaml/inner/theirs.txt'), 'utf8')).toBe('theirs\n')
  expect(broken(out).filter((path) => !path.endsWith('theirs.txt'))).toEqual([])
  expect([...readFolder(out).keys()].filter((path) => path.includes(LEFTOVER))).toEqual([])
})
