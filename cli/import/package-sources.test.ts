import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestFolder } from '../../testdata/cli/test-folder.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { WEB } from './testing/web-deployment.ts'

const KPTFILE =
  'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\npipeline:\n  mutators:\n    - image: set-namespace:v0.4.1\n      configMap:\n        namespace: web\n'
const PINNED = WEB.replace('nginx:1.29', 'nginx:1.29 # pinned')

/** Returns a folder with a fleet, and a repository of two revisions of the package net/web, also as a bare one. */
function folderWithCatalog(): { readonly folder: TestFolder; readonly catalog: TestRepository } {
  const folder = new TestFolder()
  const catalog = new TestRepository(join(folder.folder, 'theirs'))
  catalog.write('net/web/Kptfile', KPTFILE)
  catalog.write('net/web/all.yaml', PINNED)
  catalog.write('net/web/docs/README.md', 'read\n')
  catalog.write('top@v1/Kptfile', KPTFILE)
  symlinkSync('docs/README.md', join(catalog.folder, 'net/web/link'))
  catalog.commit('net/web/v1')
  catalog.replace('net/web/all.yaml', '1.29', '1.30')
  catalog.commit('net/web/v2')
  catalog.commit('v1')
  catalog.git('clone', '--quiet', '--bare', catalog.folder, join(folder.folder, 'bare.git'))
  return { folder, catalog }
}

test('a package of a bare repository at its own tag is taken with all its files, and a second import changes nothing', async () => {
  const { folder, catalog } = folderWithCatalog()
  const words = ['import', '--package', `file://${folder.folder}/bare.git/net/web@v1`, '--as', 'catalog/web']
  expect(await folder.run(...words)).toEqual({
    stdout: '+ catalog/web@v1: 1 object in 3 files\n',
    stderr: expect.stringMatching(/^file:.*\/bare.git\/net\/web\/link: warning: is a symbolic link and not carried \[link-left-out\]\n$/),
    exitCode: 0,
  })
  expect(folder.read('catalog/web@v1/all.yaml')).toBe(PINNED)
  expect(folder.read('catalog/web@v1/docs/README.md')).toBe('read\n')
  const commit = catalog.git('rev-parse', 'net/web/v1^{commit}')
  expect(folder.read('catalog/web@v1/Kptfile')).toContain(`"source":"package","name":"web","version":"v1","commit":"${commit}"`)
  for (const same of ['bare.git/net/web@v1', 'theirs/net/web@v1', `theirs/net/web@${commit}`])
    expect(await folder.run('import', '--package', same, '--as', 'catalog/web')).toEqual({
      stdout: '',
      stderr: 'nothing to do: catalog/web@v1 is this import\n',
      exitCode: 0,
    })
})

test('a repository below the current folder is named by its path from there, and one that is named by its whole path by that', async () => {
  const { folder, catalog } = folderWithCatalog()
  const inside = await folder.run('import', '--package', 'theirs/net/web@v1', '--as', 'catalog/web')
  expect(inside.stderr).toMatch(/^theirs\/net\/web\/link: warning: /)
  const unknown = await folder.run('import', '--package', 'theirs/net/web@v9', '--as', 'catalog/web')
  expect(unknown.stderr).toContain("must be a tag, branch or commit of 'theirs', got 'v9'")
  const whole = await folder.run('import', '--package', `${catalog.folder}/net/web@v9`, '--as', 'catalog/web')
  expect(whole.stderr).toContain(`commit of '${catalog.folder}', got 'v9'`)
})

test('the next revision of a package in git merges with the edits of a rendered package', async () => {
  const { folder } = folderWithCatalog()
  await folder.run('init', '.')
  writeFileSync(join(folder.folder, '.krmignore'), 'theirs/\nbare.git/\n')
  folder.write('fleet/hello.yaml', folder.read('fleet/hello.yaml').replace('package: hello\n    rev', 'package: web\n    rev'))
  await folder.run('import', '--package', 'bare.git/net/web@v1', '--as', 'catalog/web')
  expect(await folder.run('render', '.')).toMatchObject({ exitCode: 0 })
  const edited = 'clusters/prod/hello/all.yaml'
  folder.write(edited, folder.read(edited).replace('    spec:\n', '    spec:\n      nodeSelector:\n        pool: ours\n'))
  const next = await folder.run('import', '--package', 'bare.git/net/web@main', '--as', 'catalog/web')
  expect(next).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('nginx:1.29 → nginx:1.30') })
  expect(next.stdout).toContain('hello: v1 → v2, 2 packages')
  expect(await folder.run('outdated', '--write', '--no-render', '.')).toMatchObject({ exitCode: 0 })
  expect(await folder.run('render', '.')).toMatchObject({ stdout: expect.stringContaining('2 packages: 2 updated\n'), exitCode: 0 })
  expect(folder.read(edited)).toContain('pool: ours')
  expect(folder.read(edited)).toContain('image: nginx:1.30 # pinned')
})

test('what people changed in the last revision of a package of others is not in the next one, and a warning says so', async () => {
  const { folder } = folderWithCatalog()
  const importAt = (revision: string) => folder.run('import', '--package', `bare.git/net/web@${revision}`, '--as', 'catalog/web')
  await importAt('v1')
  expect((await importAt('v2')).stderr).not.toContain('[import-edited]')
  for (const file of ['Kptfile', 'all.yaml', 'docs/README.md']) {
    rmSync(join(folder.folder, 'catalog/web@v2'), { recursive: true })
    const before = folder.read(`catalog/web@v1/${file}`)
    folder.write(`catalog/web@v1/${file}`, `${before}# ours\n`.replace('namespace: web', 'namespace: ours'))
    expect([file, (await importAt('v2')).stderr]).toEqual([file, expect.stringContaining('was changed after its import')])
    folder.write(`catalog/web@v1/${file}`, before)
  }
})

test('a repository on another machine is cloned, and without a revision its default branch is taken', async () => {
  const { folder, catalog } = folderWithCatalog()
  catalog.git('checkout', '--quiet', '-b', 'stable', 'net/web/v1')
  writeFileSync(join(folder.folder, '.gitconfig'), `[url "${catalog.folder}"]\n  insteadOf = ssh://ada@example.invalid/theirs.git\n`)
  vi.stubEnv('HOME', folder.folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const words = ['import', '--package', 'ssh://ada@example.invalid/theirs.git/net/web', '--as', 'catalog/web']
  const ran = await recordRun(folder.folder, words, { environment: { HOME: folder.folder } })
  expect(ran).toMatchObject({ stdout: '+ catalog/web@v1: 1 object in 3 files\n', exitCode: 0 })
  expect(folder.read('catalog/web@v1/all.yaml')).toBe(PINNED)
  expect(existsSync(join(folder.folder, '.cache/krm-variants/git'))).toBe(true)
})

const REFUSED: readonly (readonly [source: string, message: string])[] = [
  ['bare.git/net/web@v9', "must be a tag, branch or commit of 'bare.git', got 'v9'; its tags are v1, net/web/v2, net/web/v1"],
  ['bare.git/net/web@--upload-pack=touch pwned', "without '-', '.' or '/' at its ends, got '--upload-pack=touch pwned'"],
  ['bare.git/net/web@v1^{tree}', "got 'v1^{tree}'"],
  ['bare.git/net/wib@main', "'net/wib' of 'bare.git' at 'main' is none; its packages are net/web, top@v1"],
  ['bare.git/top@v2', "must be a tag, branch or commit of 'bare.git', got 'v2'"],
  ['bare.git/top@net/web/v1', 'must name a folder'],
  ['bare.git/../theirs@v1', "must be a path inside of the repository, got '../theirs'"],
  ['file:///nowhere/theirs.git/web@v1', "there is none at '/nowhere/theirs.git/web'"],
  ['--upload-pack=touch pwned.git/web', "must not begin with '-'"],
  ['ext::sh -c "touch pwned".git/web@v1', "must be a path, HOST:PATH, or a URL of https, ssh, git or file, got 'ext::…'"],
  ['ssh://-oProxyCommand=touch/theirs.git/web@v1', "must not begin with '-', nor must its host"],
  ['git@-oProxyCommand=touch:theirs.git/web@v1', "must not begin with '-', nor must its host"],
  ['http://example.com/theirs.git/web@v1', 'must be a path, HOST:PATH, or a URL of https'],
  ['https://ada:of-the-team@example.com/theirs.git/web@v1', 'must not hold a password, token or query'],
  ['https://example.com/theirs/web@v1', 'must have .git between repository and folder, such as https://example.com/org/catalog.git/web@v1'],
]

test('hostile addresses, missing revisions and folders outside of the repository are refused, and nothing is written', async () => {
  const { folder } = folderWithCatalog()
  for (const [source, message] of REFUSED) {
    const { stdout, stderr, exitCode } = await folder.run('import', `--package=${source}`, '--as', 'catalog/web')
    expect({ source, stdout, stderr, exitCode }).toEqual({ source, stdout: '', stderr: expect.stringContaining(message), exitCode: 1 })
    expect(stderr).not.toContain('of-the-team')
    for (const made of ['pwned', 'catalog', 'theirs/pwned']) expect(existsSync(join(folder.folder, made))).toBe(false)
  }
})

test('a revision with a slash is taken from a folder as from an address', async () => {
  const { folder, catalog } = folderWithCatalog()
  catalog.git('branch', 'feature/x')
  for (const source of ['theirs/net/web@feature/x', `file://${catalog.folder}/.git/net/web@feature/x`])
    expect(await folder.run('import', '--package', source, '--as', `catalog/${source.length}`)).toMatchObject({ exitCode: 0 })
})

test('a folder whose name has a revision needs one more behind it', async () => {
  const { folder } = folderWithCatalog()
  const { stderr } = await folder.run('import', '--package', 'bare.git/top@v0', '--as', 'catalog/top')
  expect(stderr).toContain("got 'v0'; its tags are")
  const { folder: other, catalog } = folderWithCatalog()
  catalog.git('tag', '--delete', 'v1')
  expect((await other.run('import', '--package', 'theirs.git/top@v1', '--as', 'catalog/top')).stderr).toContain('there is none at')
  expect((await other.run('import', '--package', 'theirs/top@v1', '--as', 'catalog/top')).stdout).toContain('0 objects')
  expect((await other.run('import', '--package', `file://${catalog.folder}/top@v1`, '--as', 'catalog/up')).stderr).toContain(
    "'top@v1' is a folder: write a revision behind it, 'top@v1@BRANCH'",
  )
  expect((await other.run('import', '--package', `file://${catalog.folder}/top@v1@main`, '--as', 'catalog/up')).exitCode).toBe(0)
})
