import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'

let files: TestFolder
beforeEach(() => {
  files = new TestFolder()
})

const run = (...args: readonly string[]) => files.run(...args)
const read = (path: string) => files.read(path)
const write = (path: string, content: string | Uint8Array) => files.write(path, content)

const REAL = fileURLToPath(new URL('../../../shared/real/dependencies/glasskube', import.meta.url))
const isThere = existsSync(REAL)

test('the files of the public repository are there, on a machine that must have them', () => {
  expect(isThere || !SHARED_MUST_BE_THERE).toBe(true)
})

interface RealFile {
  readonly file: string
  readonly repo: string
  /** The path in its repository: `packages/cert-manager/versions.yaml`. */
  readonly path: string
}

describe.runIf(isThere)('files of the public repository, at their paths', () => {
  beforeEach(() => {
    const { entries }: { entries: readonly RealFile[] } = JSON.parse(readFileSync(join(REAL, 'INDEX.json'), 'utf8'))
    for (const { file, path } of entries.filter(({ repo }) => repo === 'glasskube/packages')) {
      mkdirSync(dirname(join(files.folder, 'repository', path)), { recursive: true })
      cpSync(join(REAL, file), join(files.folder, 'repository', path))
    }
    write(
      'fleet/cert-manager.yaml',
      'apiVersion: packages.glasskube.dev/v1alpha1\nkind: ClusterPackage\nmetadata:\n  name: cert-manager\nspec:\n  packageInfo:\n    name: cert-manager\n    version: v1.13.3+1\n',
    )
  })

  test('become a Catalog, which a second run does not change', async () => {
    const { exitCode, stdout, stderr } = await run('catalog', 'add', '--into', 'fleet/catalog.yaml', 'repository')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('Catalog: 66 versions added; read 1 source\n')
    expect(stderr).not.toContain('error')
    expect(stdout).toContain('    + keycloak-operator v25.0.2+1: 1 dependency\n')
    const made = read('fleet/catalog.yaml')
    // The repository calls v1.17.0+2 the latest and lists higher versions.
    expect(made).toContain(
      '    id: cert-manager\n    latest: v1.17.0+2\n    versions:\n    - version: v1.13.3+1\n      dependencies: []\n    - v1.14.2+1\n',
    )
    expect(await run('catalog', 'add', '--into', 'fleet/catalog.yaml', 'repository')).toMatchObject({ exitCode: 0 })
    expect(read('fleet/catalog.yaml')).toBe(made)
  })

  test('give the latest version to an update', async () => {
    await run('catalog', 'add', '--into', 'fleet/catalog.yaml', 'repository')
    expect(await run('resolve', 'fleet', '--update', 'cert-manager')).toMatchObject({ exitCode: 0 })
    expect(read('fleet/cert-manager.yaml')).toContain('version: v1.17.0+2\n')
  })
})

const SHOP = 'latestVersion: v1.0.0\nversions:\n- version: v1.0.0\n'

test('a link in a repository is not followed', async () => {
  write('elsewhere.yaml', 'name: shop\nscope: Namespaced\n')
  write('repository/shop/versions.yaml', SHOP)
  mkdirSync(join(files.folder, 'repository/shop/v1.0.0'))
  symlinkSync('../../../elsewhere.yaml', join(files.folder, 'repository/shop/v1.0.0/package.yaml'))
  const { exitCode, stdout, stderr } = await run('catalog', 'add', 'repository')
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'repository/shop/v1.0.0/package.yaml: error: must be a file, is a link [package-repository]\n',
  })
})

test('a folder that is a link is no version', async () => {
  write('elsewhere/package.yaml', 'name: shop\nscope: Namespaced\n')
  write('repository/shop/versions.yaml', SHOP)
  symlinkSync('../../elsewhere', join(files.folder, 'repository/shop/v1.0.0'))
  expect(await run('catalog', 'add', 'repository')).toMatchObject({ exitCode: 0 })
  expect(read('catalog.yaml')).not.toContain('Namespaced')
})

test('a later version of a repository changes what a Catalog calls the latest, and keeps what people wrote', async () => {
  write('repository/shop/versions.yaml', SHOP)
  write('repository/shop/v1.0.0/package.yaml', 'name: shop\n')
  await run('catalog', 'add', 'repository')
  writeFileSync(
    join(files.folder, 'catalog.yaml'),
    read('catalog.yaml').replace('    - version: v1.0.0', '    # the first\n    - version: v1.0.0'),
  )
  write('repository/shop/versions.yaml', `${SHOP}- version: v1.1.0\n`.replace('latestVersion: v1.0.0', 'latestVersion: v1.1.0'))
  write('repository/shop/v1.1.0/package.yaml', 'name: shop\ndependencies:\n- name: postgres\n')
  expect(await run('catalog', 'add', 'repository')).toMatchObject({ exitCode: 0 })
  expect(read('catalog.yaml')).toContain(`    id: shop
    latest: v1.1.0
    versions:
    # the first
    - version: v1.0.0
      dependencies: []
    - version: v1.1.0
      dependencies:
      - name: postgres
`)
})
