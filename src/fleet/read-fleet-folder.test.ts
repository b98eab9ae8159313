import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { diskTree, UnreadableError } from '../folder/file-tree.ts'
import { finish } from '../progress.ts'
import { MAX_INPUT_BYTES } from '../resource-list/limits.ts'
import { collectFaults, findingsOf, type Result } from '../result.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'
import { type PackagesInFolder, readFleetFolder, readFleetTree, readPackageOfFleet } from './read-fleet-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'krm-variants-fleet-folder-'))
afterAll(() => rmSync(root, { recursive: true }))

const KPTFILE = `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web, annotations: {${VARIANT_ANNOTATION}: fleet/web}}\n`
const OBJECT = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`

/** Returns a folder with the object `own`, and a package of a variant with the object `web`. */
function makeFolder(name: string) {
  const disk = join(root, name)
  mkdirSync(join(disk, 'packages/web'), { recursive: true })
  writeFileSync(join(disk, 'own.yaml'), OBJECT('own'))
  writeFileSync(join(disk, 'packages/web/Kptfile'), KPTFILE)
  writeFileSync(join(disk, 'packages/web/web.yaml'), OBJECT('web'))
  return { disk, shown: 'fleet' }
}

/** Returns the names of the objects in a folder, the files of its errors, and those of the errors that are kept apart. */
function read(folder: ReturnType<typeof makeFolder>, packages: PackagesInFolder['packages']) {
  const errors: Result[] = []
  const found = collectFaults(errors, () => finish(readFleetFolder(folder, { packages })))
  const filesOf = (results: readonly Result[]) => results.map(({ file }) => file?.path)
  return {
    names: found?.list.items.map(({ name }) => name),
    errors: filesOf([...errors, ...(found?.results ?? [])]),
    apart: filesOf(found?.broken ?? []),
    made: found?.made,
  }
}

describe('the packages of variants in the folder of a fleet', () => {
  const folder = makeFolder('sound')
  test.each([
    { packages: 'read', names: ['own', 'web', 'web'], made: [] },
    { packages: 'spare', names: ['own', 'web', 'web'], made: [] },
    { packages: 'leave-out', names: ['own'], made: ['packages/web'] },
  ] as const)('$packages: $names', ({ packages, names, made }) => {
    expect(read(folder, packages)).toEqual({ names, errors: [], apart: [], made })
  })
})

describe('a file of a package that is no YAML', () => {
  const folder = makeFolder('no-yaml')
  writeFileSync(join(folder.disk, 'packages/web/web.yaml'), 'a: [\n')
  const file = 'fleet/packages/web/web.yaml'
  test.each([
    { packages: 'read', names: undefined, errors: [file], apart: [], made: undefined },
    { packages: 'spare', names: ['own', 'web'], errors: [], apart: [file], made: [] },
    { packages: 'leave-out', names: ['own'], errors: [], apart: [], made: ['packages/web'] },
  ] as const)('$packages: errors $errors, apart $apart', ({ packages, ...expected }) => {
    expect(read(folder, packages)).toEqual(expected)
  })
})

test.each(['read', 'spare', 'leave-out'] as const)(
  'a file of the fleet that is no YAML refuses the fleet where packages are to %s',
  (packages) => {
    const folder = makeFolder(`own-${packages}`)
    writeFileSync(join(folder.disk, 'own.yaml'), 'a: [\n')
    expect(read(folder, packages)).toMatchObject({ names: undefined, errors: ['fleet/own.yaml'] })
  },
)

describe('a Kptfile that cannot be read', () => {
  const kptfile = 'fleet/packages/web/Kptfile'

  test.each(['read', 'spare', 'leave-out'] as const)('refuses the fleet where packages are to %s: too many bytes', (packages) => {
    const folder = makeFolder(`large-${packages}`)
    truncateSync(join(folder.disk, 'packages/web/Kptfile'), MAX_INPUT_BYTES + 1)
    expect(read(folder, packages)).toMatchObject({ names: undefined, errors: [kptfile] })
  })

  test('refuses the fleet where its permissions forbid to read the file', () => {
    const folder = makeFolder('forbidden')
    const disk = diskTree(folder.disk)
    const forbid = (path: string) => {
      if (path.endsWith('Kptfile')) throw new UnreadableError('permission denied', { severity: 'error' })
      return disk.read(path)
    }
    expect(findingsOf(() => finish(readFleetTree({ list: disk.list, read: forbid }, folder)).results)).toMatchObject([
      { severity: 'error', message: 'cannot be read: permission denied', file: { path: kptfile } },
    ])
  })
})

test('a package outside of the folder of its fleet is read with the name that people see, and refused with each broken file', () => {
  const disk = join(makeFolder('outside').disk, 'packages/web')
  const filesOf = () => readPackageOfFleet({ disk, shown: 'out/web' }).list.items.map(({ name, file }) => [name, file?.path])
  expect(filesOf()).toEqual([
    ['web', 'out/web/Kptfile'],
    ['web', 'out/web/web.yaml'],
  ])
  writeFileSync(join(disk, 'broken.yaml'), 'a: [\n')
  writeFileSync(join(disk, 'web.yaml'), 'b: [\n')
  const errors: Result[] = []
  expect(collectFaults(errors, filesOf)).toBeUndefined()
  expect(errors.map(({ file }) => file?.path)).toEqual(['out/web/broken.yaml', 'out/web/web.yaml'])
})
