import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readFolder } from './folder-copy.ts'
import { broken, closeFolder, killedAfter, LEFTOVER, MOMENTS, smallDisk } from './interruption.ts'
import { bundlePath, runProgram } from './run-program.ts'

const TOOL = bundlePath('krm-variants')
/** Packages of a fleet that takes long enough to be interrupted. */
const PACKAGES = 60

const RENDER_VARIANTS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: render
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  fleet: crashes
`

/** A fleet whose packages are at the first revision in `old`, and at the second in `new`. */
let place = ''
let old = new Map<string, string>()
let made = new Map<string, string>()

beforeAll(async () => {
  place = mkdtempSync(join(realpathSync(tmpdir()), 'crashes-'))
  for (const revision of [1, 2]) writeUpstream(revision)
  // The packages are copied to another disk: without git their fleet would be recognized by the way between both folders.
  writeFileSync(join(place, 'fleet/render.yaml'), RENDER_VARIANTS)
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

test('whenever render is killed, each file is the old one or the new one, and the next run makes the rest', async () => {
  const start = performance.now()
  cpSync(join(place, 'old'), join(place, 'timed'), { recursive: true })
  await render(join(place, 'timed'))
  const whole = performance.now() - start
  let killed = 0
  for (const moment of MOMENTS) {
    const out = join(place, `out-${moment}`)
    cpSync(join(place, 'old'), out, { recursive: true })
    if (await killedAfter(whole * moment, ['render', join(place, 'fleet'), '--out', out])) killed++
    expect(broken(out, { old, made })).toEqual([])
    expect((await render(out)).exitCode).toBe(0)
    expect(readFolder(out)).toEqual(made)
  }
  expect(killed).toBeGreaterThan(0)
})

test('on a disk that becomes full nothing is changed, and nothing is left', async ({ skip }) => {
  const disk = smallDisk(join(place, 'small'), old)
  if (disk === undefined) return skip('only root may mount a small disk')
  cpSync(join(place, 'old'), join(disk, 'out'), { recursive: true })
  const { exitCode, stderr } = await render(join(disk, 'out'))
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('no space left') })
  expect(readFolder(join(disk, 'out'))).toEqual(old)
})

test('a folder that loses its permission to write half-way: nothing is changed, and nothing is left', async ({ skip }) => {
  const out = join(place, 'closed')
  cpSync(join(place, 'old'), out, { recursive: true })
  const open = closeFolder(join(out, 'edge/app-33'))
  if (open === undefined) return skip('the file system has no attribute that makes a folder immutable')
  const { exitCode, stderr } = await render(out)
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('edge/app-33') })
  expect(readFolder(out)).toEqual(old)
  open()
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
  expect(broken(out, { old, made }).filter((path) => !path.endsWith('theirs.txt'))).toEqual([])
  expect([...readFolder(out).keys()].filter((path) => path.includes(LEFTOVER))).toEqual([])
})

test('what a killed fn --write leaves goes with the next run, also where nothing is to be done any more', async () => {
  const folder = join(place, 'written')
  mkdirSync(folder)
  const args = ['fn', 'fan-out', folder, '--write']
  const set = (revision: number) => {
    writeSet(revision)
    cpSync(join(place, 'fleet/set.yaml'), join(folder, 'set.yaml'))
  }
  const run = () => runProgram(process.execPath, [TOOL, ...args])
  set(1)
  await run()
  const before = readFolder(folder)
  const start = performance.now()
  set(2)
  await run()
  const whole = performance.now() - start
  let killed = 0
  for (const moment of MOMENTS) {
    set(1)
    expect((await run()).exitCode).toBe(0)
    expect(readFolder(folder)).toEqual(before)
    set(2)
    if (await killedAfter(whole * moment, args)) killed++
  }
  expect(killed).toBeGreaterThan(0)
})
