import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const INPUT = fileURLToPath(new URL('../../testdata/cli/rings/input', import.meta.url))

const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options}
spec: {out: pakages}
`

let folder = ''
beforeEach(() => {
  folder = testFolder()
  mkdirSync(join(folder, 'fleet'))
  for (const file of ['tills.yaml', 'catalog']) cpSync(join(INPUT, file), join(folder, 'fleet', file), { recursive: true })
  cpSync(join(INPUT, 'clusters'), join(folder, 'clusters'), { recursive: true })
})

const run = (...args: readonly string[]) => recordRun(folder, args)
const world = (...options: readonly string[]) =>
  run('promote', 'fleet', '--matrix', 'tills', '--package', 'tills', '--to', '4', '--ring', 'world', ...options)
const read = () => readFileSync(join(folder, 'fleet/tills.yaml'), 'utf8')

test('promote refuses a later ring whose packages are in a folder without a name in the options, and writes nothing', async () => {
  const before = read()
  const { stderr, exitCode } = await world()
  expect(stderr).toContain("must wait for ring 'canary': no package of the fleet is found")
  expect(stderr).toContain('name the folder of the packages with --out')
  expect(exitCode).toBe(1)
  expect(read()).toBe(before)
  expect((await world('--force')).exitCode).toBe(0)
})

test('--out names the folder: the packages of the earlier ring are judged', async () => {
  const { stderr, exitCode } = await world('--out', 'clusters')
  expect(stderr).toContain("must wait for ring 'canary': 2 of 4 packages are not at 'v4' yet")
  expect(exitCode).toBe(1)
})

test('a fleet of which nothing is rendered goes on with an empty folder', async () => {
  mkdirSync(join(folder, 'empty'))
  const { stderr, exitCode } = await world('--out', 'empty')
  expect(stderr).toContain("warning: `spec.upstreams[0].revision` of ring 'world' may overtake ring 'canary'")
  expect(exitCode).toBe(0)
})

test('an `out` of the options that does not exist is refused like one of --out: it may be mistyped', async () => {
  const before = read()
  writeFileSync(join(folder, 'fleet/options.yaml'), OPTIONS)
  const { stderr, exitCode } = await world()
  expect(stderr).toContain(
    "must wait for ring 'canary': the folder of the packages, 'fleet/pakages', does not exist, so it is not known whether they are at 'v4'; correct its name; where nothing is rendered yet, make the folder, or write the revision with promote --force",
  )
  expect([read(), exitCode]).toEqual([before, 1])
  mkdirSync(join(folder, 'fleet/pakages'))
  expect((await world('--dry-run')).exitCode).toBe(2)
  rmSync(join(folder, 'fleet/pakages'), { recursive: true })
  expect((await world('--force')).exitCode).toBe(0)
})

test.each([
  ['promote', () => world('--out', 'nosuch')],
  ['rings', () => run('rings', 'fleet', '--out', 'nosuch')],
  ['check', () => run('check', 'fleet', '--against', 'HEAD', '--out', 'nosuch')],
  ['explain', () => run('explain', '--behind', 'fleet', '--out', 'nosuch')],
])('a folder of --out that does not exist is an error of %s', async (_, act) => {
  const { both, exitCode } = await act()
  expect([both, exitCode]).toEqual(["krm-variants: no folder 'nosuch'\n", 1])
})

test('explain --behind reads the packages in the folder of --out', async () => {
  expect((await run('explain', '--behind', 'fleet')).stdout).toContain('0 of 0 packages behind')
  expect((await run('explain', '--behind', 'fleet', '--out', 'clusters')).stdout).toContain(
    'fleet/tills-store-kel-01-tills: v3, set tills wants v4',
  )
})
