import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'

const BROKEN = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n   b: c\n'
const FAULT = 'clusters/store-ham-01/tills/broken.yaml:4:9: error: expected YAML, found a fault:'
const WORLD = ['promote', '.', '--matrix', 'tills', '--package', 'tills', '--to', '4', '--ring', 'world'] as const

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krm-variants-broken-'))
  cpSync(fileURLToPath(new URL('../../testdata/cli/rings/input', import.meta.url)), folder, { recursive: true })
  // The ring canary has its revision everywhere, so that only the broken file can hold up the next ring.
  const matrix = join(folder, 'tills.yaml')
  const text = readFileSync(matrix, 'utf8').replace("['store-ber-01', 'store-ham-01', 'store-kel-01', 'store-bre-01']", "['store-ham-01']")
  writeFileSync(matrix, text)
})

afterEach(() => rmSync(folder, { recursive: true }))

function breakPackage(store: string): void {
  writeFileSync(join(folder, `clusters/${store}/tills/broken.yaml`), BROKEN)
}

test.each([
  ['rings', ['rings', '.'], 'store-muc-02/tills'],
  ['outdated', ['outdated', '.'], '1 of 1 upstream outdated'],
  ['explain --behind', ['explain', '--behind', '.'], 'packages behind'],
])('%s reports the broken file of one package and goes on with the others', async (_, args, line) => {
  breakPackage('store-ham-01')
  const { stdout, stderr, exitCode } = await recordRun(folder, args)
  expect(stderr).toContain(FAULT)
  expect(stdout).toContain(line)
  expect(exitCode).toBe(1)
})

test('promote goes to the next ring where every package of the ring before can be read', async () => {
  const { stderr, exitCode } = await recordRun(folder, WORLD)
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
})

test('promote does not go past a ring with a package that cannot be read', async () => {
  breakPackage('store-ham-01')
  const { stderr, exitCode } = await recordRun(folder, WORLD)
  expect(stderr).toContain(FAULT)
  expect(stderr).toContain(
    "must wait for ring 'canary': 1 of 1 package is not at 'v4' yet, store-ham-01/tills (unreadable: clusters/store-ham-01/tills/broken.yaml:4)",
  )
  expect(exitCode).toBe(1)
  expect(readFileSync(join(folder, 'tills.yaml'), 'utf8')).toContain('revision: 3')
})

test('promote changes the line and ends with 1 if a package of the ring itself cannot be read', async () => {
  breakPackage('store-muc-01')
  const { stderr, exitCode } = await recordRun(folder, WORLD)
  expect(stderr).toContain('clusters/store-muc-01/tills/broken.yaml:4:9: error: ')
  expect(exitCode).toBe(1)
  expect(readFileSync(join(folder, 'tills.yaml'), 'utf8')).toContain('revision: 4')
})

test('a Kptfile that cannot be read is a finding too, and its package counts as missing', async () => {
  writeFileSync(join(folder, 'clusters/store-ham-01/tills/Kptfile'), 'a: b: c\n', { flag: 'a' })
  const { stderr, exitCode } = await recordRun(folder, WORLD)
  expect(stderr).toMatch(/^clusters\/store-ham-01\/tills\/Kptfile:16:4: error: /m)
  expect(stderr).toContain('store-ham-01/tills (missing)')
  expect(exitCode).toBe(1)
})

test.each([[['rings', '.']], [['outdated', '.']], [['explain', '--behind', '.']]])(
  'a Kptfile with a misspelt kind is an error, since its package is not read: %j',
  async (args) => {
    const kptfile = join(folder, 'clusters/store-ham-01/tills/Kptfile')
    writeFileSync(kptfile, readFileSync(kptfile, 'utf8').replace('kind: Kptfile', 'kind: Kptfil'))
    const { stderr, exitCode } = await recordRun(folder, args)
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("clusters/store-ham-01/tills/Kptfile:2:7: error: `kind` must be 'Kptfile'"),
    ])
  },
)

describe('beside the folder of the fleet', () => {
  const PACKAGE = 'clusters/store-ham-01/tills'
  const FAULTS = [
    ['invalid YAML', 'tills.yaml', (place: string) => writeFileSync(place, 'x: ['), ':1:5: error: expected YAML'],
    [
      'a link to itself',
      'tills.yaml',
      (place: string) => symlinkSync('tills.yaml', place),
      ': error: cannot be read: the symbolic link leads',
    ],
    [
      'a Kptfile that lost its variant',
      'Kptfile',
      (place: string) => writeFileSync(place, 'x: ['),
      ': error: must be a Kptfile with a name',
    ],
  ] as const

  beforeEach(() => {
    const names = readdirSync(folder).filter((name) => name !== 'clusters')
    mkdirSync(join(folder, 'fleet'))
    for (const name of names) renameSync(join(folder, name), join(folder, 'fleet', name))
  })

  test.each(FAULTS)('%s is reported with its place by every command', async (_, name, breakFile, fault) => {
    rmSync(join(folder, PACKAGE, name), { force: true })
    breakFile(join(folder, PACKAGE, name))
    for (const args of [
      ['rings', 'fleet'],
      ['outdated', 'fleet'],
      ['explain', '--behind', 'fleet'],
      ['promote', 'fleet', ...WORLD.slice(2)],
    ]) {
      const { stderr, exitCode } = await recordRun(folder, [...args, '--out', 'clusters'])
      expect([args[0], stderr, exitCode]).toEqual([args[0], expect.stringContaining(`${PACKAGE}/${name}${fault}`), 1])
    }
  })
})

test.each([
  ['another kind', 'kind: Kptfile', 'kind: Kptfil', ":2:7: error: `kind` must be 'Kptfile' in a Kptfile, got 'Kptfil' [kptfile]"],
  ['a placeholder', 'kind: Kptfile', 'kind: {{ kind }}', ":2:8: error: expected YAML, found a fault: '{{ kind }}' is a placeholder"],
])('a Kptfile with %s is reported once, and its package is not to be created', async (_, before, after, fault) => {
  const place = 'clusters/store-ham-01/tills/Kptfile'
  writeFileSync(join(folder, place), readFileSync(join(folder, place), 'utf8').replace(before, after))
  const { stdout, stderr, exitCode } = await recordRun(folder, ['rings', '.'])
  expect(stderr.split('\n').filter((line) => line.includes(place))).toEqual([expect.stringContaining(`${place}${fault}`)])
  expect(stdout).not.toMatch(/to create: .*store-ham-01/)
  expect(exitCode).toBe(1)
})

test('a folder that lost its Kptfile is left alone, and not to be created', async () => {
  rmSync(join(folder, 'clusters/store-ham-01/tills/Kptfile'))
  const { stdout, stderr, exitCode } = await recordRun(folder, ['rings', '.'])
  expect(stderr).toContain(
    "there are files and no Kptfile, or an empty one, at 'store-ham-01/tills'; they are left as they are [not-adopted]",
  )
  expect(stdout).not.toMatch(/to create: .*store-ham-01/)
  expect(exitCode).toBe(2)
})
