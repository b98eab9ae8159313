import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const CASES = fileURLToPath(new URL('../../testdata/cli', import.meta.url))

let folder = ''
beforeEach(() => {
  folder = testFolder()
})

async function run(...args: readonly string[]) {
  const { both: _, ...run } = await recordRun(folder, args, { read: () => Promise.reject(new Error('stdin is not read')) })
  return run
}

function copy(name: string): void {
  cpSync(join(CASES, name, 'input'), join(folder, 'input'), { recursive: true })
}

function filesIn(place: string): Record<string, string> {
  return Object.fromEntries(readdirSync(join(folder, place)).map((file) => [file, readFileSync(join(folder, place, file), 'utf8')]))
}

test.each([[], ['--write']])(
  'what --dry-run shows is written, no other file is touched, and a second run does nothing (%s)',
  async (...options) => {
    copy('resolve-dry-run')
    const before = filesIn('input')
    const shown = await run('resolve', 'input', '--dry-run')
    expect(shown.exitCode).toBe(2)
    expect(filesIn('input')).toEqual(before)
    expect(await run('resolve', 'input', ...options)).toEqual({
      ...shown,
      stderr: shown.stderr.replace('objects to create', 'objects created'),
      exitCode: 0,
    })
    const { 'dependencies.yaml': made = '', ...others } = filesIn('input')
    expect(others).toEqual(before)
    expect(made).toContain('name: postgres\n    version: v1.27.1+1\n')
    expect(await run('resolve', 'input')).toEqual({
      stdout: '',
      stderr: 'Resolve: nothing to do; read 3 files, 3 ClusterPackages, 1 Catalog\n',
      exitCode: 0,
    })
  },
)

test('nothing is written when something cannot be met', async () => {
  copy('resolve-impossible')
  const before = filesIn('input')
  expect((await run('resolve', 'input')).exitCode).toBe(1)
  expect(filesIn('input')).toEqual(before)
})

test.each([[], ['--dry-run']])('a link that leads out of the folder is not followed (%s)', async (...options) => {
  copy('resolve-dry-run')
  writeFileSync(join(folder, 'elsewhere.yaml'), '')
  symlinkSync('../elsewhere.yaml', join(folder, 'input', 'dependencies.yaml'))
  const { stderr, exitCode } = await run('resolve', 'input', ...options)
  expect(exitCode).toBe(1)
  expect(stderr).toContain('input/dependencies.yaml: error: cannot be read: the symbolic link leads out of the folder')
  expect(readFileSync(join(folder, 'elsewhere.yaml'), 'utf8')).toBe('')
})

test('in the folder itself files are named from there', async () => {
  copy('resolve-dry-run')
  cpSync(join(folder, 'input'), folder, { recursive: true })
  rmSync(join(folder, 'input'), { recursive: true })
  expect((await run('resolve')).stdout).toContain('which shop v2.0.0+1 requires (catalog.yaml:16)')
  expect(Object.keys(filesIn('.'))).toContain('dependencies.yaml')
})

test('a required package that is not known is reported, and left to others', async () => {
  writeFileSync(
    join(folder, 'network.yaml'),
    `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: network
spec:
  dependsOn:
  - provider: xpkg.example.org/acme/net
    version: '>=v1.0.0'
`,
  )
  expect(await run('resolve')).toEqual({
    stdout: '',
    stderr:
      'Resolve: nothing to do; no version is known of xpkg.example.org/acme/net, left to others; a Catalog would say which there are; read 1 file, 1 Configuration\n',
    exitCode: 0,
  })
})

const provider = (name: string) =>
  `apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: ${name}}\nspec: {package: "reg.example.org/acme/${name}:v1.0.0"}\n`
const CATALOG = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: Catalog
metadata: {name: c}
spec:
  packages:
  - {ecosystem: crossplane, id: reg.example.org/acme/q, kind: Provider, versions: [{version: v1.0.0, dependencies: [{provider: reg.example.org/acme/base, version: ">=v1.0.0"}]}]}
  - {ecosystem: crossplane, id: reg.example.org/acme/base, kind: Provider, versions: [{version: v1.0.0, dependencies: []}]}
`
const OPTIONS = ['CheckDependencies', 'ResolveDependencies'].map(
  (kind) => `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: c}\nspec: {clusters: [clusters/NAME]}\n`,
)

test('a fault on two clusters counts once in the text of check and twice in data, and resolve names each cluster at its own file', async () => {
  const files = { 'catalog.yaml': CATALOG, 'options.yaml': OPTIONS.join('---\n') }
  for (const cluster of ['one', 'two']) Object.assign(files, { [`clusters/${cluster}/q.yaml`]: provider('q') })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const text = await run('check', '.')
  expect(text.stdout.match(/: error: /g)).toHaveLength(1)
  expect(text.stdout).toMatch(/\(2 clusters: one, two\).*\n1 error, /s)
  const all = await run('check', '.', '--all')
  expect([all.stdout.match(/: error: .*\(cluster (one|two)\)/g)?.length, all.stdout.includes('\n2 errors, ')]).toEqual([2, true])
  expect(JSON.parse((await run('check', '.', '--format', 'json')).stdout).counts.errors).toBe(2)
  const { stdout } = await run('resolve', '.', '--dry-run')
  const named = Array.from(stdout.matchAll(/clusters\/(\w+)\/|\(cluster (\w+)\)/g), ([, file, cluster]) => file ?? cluster)
  expect(named).toEqual(['one', 'one', 'two', 'two'])
})
