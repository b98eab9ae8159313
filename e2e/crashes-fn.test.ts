import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readFolder } from './folder-copy.ts'
import { broken, closeFolder, killedAfter, MOMENTS, smallDisk } from './interruption.ts'
import { bundlePath, runProgram } from './run-program.ts'

/** Two sets, each in a folder of its own. */
const SETS = ['first', 'second']
/** Variants of a set, a file for each: they take long enough to be interrupted. */
const VARIANTS = 150

/** A fleet whose variants are at the first revision in `old`, and at the second in `new`; the set asks for the second in both. */
let place = ''
let old = new Map<string, string>()
let made = new Map<string, string>()

beforeAll(async () => {
  place = mkdtempSync(join(realpathSync(tmpdir()), 'crashes-fn-'))
  for (const set of SETS) writeSet(set, 1)
  await fanOut(join(place, 'old'))
  for (const set of SETS) writeSet(set, 2)
  cpSync(join(place, 'old'), join(place, 'new'), { recursive: true })
  await fanOut(join(place, 'new'))
  old = readFolder(join(place, 'old'))
  made = readFolder(join(place, 'new'))
  return () => rmSync(place, { recursive: true })
})

function writeSet(name: string, revision: number): void {
  const folder = join(place, 'old', name)
  mkdirSync(folder, { recursive: true })
  const names = Array.from({ length: VARIANTS }, (_, index) => `app-${index}`).join(', ')
  writeFileSync(
    join(folder, 'set.yaml'),
    `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: ${name}
  namespace: fleet
spec:
  upstream: {repo: catalog, package: app, revision: ${revision}}
  targets:
  - repositories:
    - name: ${name}
      packageNames: [${names}]
`,
  )
}

function fanOut(folder: string) {
  return runProgram(process.execPath, [bundlePath('krm-variants'), 'fn', 'fan-out', folder, '--write'])
}

/** A copy of the folder as it was. */
function copyOld(to: string): string {
  cpSync(join(place, 'old'), to, { recursive: true })
  return to
}

test('the second revision changes every variant', () => {
  expect([...old].filter(([path, text]) => made.get(path) !== text)).toHaveLength(SETS.length * VARIANTS)
})

test('whenever a function is killed that writes a folder, each file is the old one or the new one, and the next run makes the rest', async () => {
  const timed = copyOld(join(place, 'timed'))
  const start = performance.now()
  await fanOut(timed)
  const whole = performance.now() - start
  let killed = 0
  for (const moment of MOMENTS) {
    const folder = copyOld(join(place, `at-${moment}`))
    if (await killedAfter(whole * moment, ['fn', 'fan-out', folder, '--write'])) killed++
    expect(broken(folder, { old, made })).toEqual([])
    expect((await fanOut(folder)).exitCode).toBe(0)
    expect(readFolder(folder)).toEqual(made)
  }
  expect(killed).toBeGreaterThan(0)
})

test('on a disk that becomes full nothing is changed, and nothing is left', async ({ skip }) => {
  const disk = smallDisk(join(place, 'small'), old)
  if (disk === undefined) return skip('only root may mount a small disk')
  const folder = copyOld(join(disk, 'fleet'))
  const { exitCode, stderr } = await fanOut(folder)
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('no space left') })
  expect(readFolder(folder)).toEqual(old)
})

test('a folder that loses its permission to write half-way: nothing is changed, and nothing is left', async ({ skip }) => {
  const folder = copyOld(join(place, 'closed'))
  const last = [...old.keys()].findLast((path) => old.get(path) !== made.get(path)) ?? ''
  const open = closeFolder(join(folder, last, '..'))
  if (open === undefined) return skip('the file system has no attribute that makes a folder immutable')
  const { exitCode, stderr } = await fanOut(folder)
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('cannot write') })
  expect(readFolder(folder)).toEqual(old)
  open()
  expect((await fanOut(folder)).exitCode).toBe(0)
  expect(readFolder(folder)).toEqual(made)
})
