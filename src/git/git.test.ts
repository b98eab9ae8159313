import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { MISSING, MODES, RawRepository } from '../../testdata/attacks/raw-repository.ts'
import { diskFolder, gatedDiskFolder, type WholeFolder } from '../folder/whole-folder.ts'
import { formatResult } from '../result.ts'
import { findCommits, gitFolder, gitTree, gitTreeFolder, historyHint, listGitFiles, listTags, topOf, unknownRevision } from './git.ts'
import { cacheFolder, openRepository } from './git-cache.ts'
import { GitError } from './run-git.ts'

let root = ''
let repository = ''

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    encoding: 'utf8',
  }).trim()
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'git-folder-'))
  repository = join(root, 'catalog')
  mkdirSync(join(repository, 'network/upf/bin'), { recursive: true })
  git('init', '--quiet')
  writeFileSync(join(repository, 'network/upf/Kptfile'), 'v1\n')
  writeFileSync(join(repository, 'network/upf/logo.png'), new Uint8Array([0, 255, 10]))
  writeFileSync(join(repository, 'network/upf/bin/run.sh'), '#!/bin/sh\n')
  chmodSync(join(repository, 'network/upf/bin/run.sh'), 0o755)
  symlinkSync('Kptfile', join(repository, 'network/upf/link'))
  writeFileSync(join(repository, 'network/upfront'), 'beside\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'one')
  git('tag', 'network/upf/v1')
  writeFileSync(join(repository, 'network/upf/Kptfile'), 'v2\n')
  git('commit', '--quiet', '-am', 'two')
  git('tag', 'network/upf/v2')
  return () => rmSync(root, { recursive: true })
})

function described({ files, links }: WholeFolder) {
  return { files: [...files].map(([path, file]) => [path, file.mode.toString(8), [...file.read()]]), links }
}

const AT_V1 = {
  files: [
    ['Kptfile', '644', [...Buffer.from('v1\n')]],
    ['bin/run.sh', '755', [...Buffer.from('#!/bin/sh\n')]],
    ['logo.png', '644', [0, 255, 10]],
  ],
  links: ['link'],
}

test('a folder at a tag has its bytes, permissions and links, without a checkout', () => {
  const [commit = ''] = findCommits({ dir: repository }, ['refs/tags/network/upf/v1'])
  expect(described(gitFolder({ dir: repository }, commit, 'network/upf'))).toEqual(AT_V1)
})

test('the same on disk, without what git keeps', () => {
  git('checkout', '--quiet', 'network/upf/v1')
  onTestFinished(() => void git('checkout', '--quiet', '-'))
  expect(described(diskFolder(join(repository, 'network/upf')))).toEqual(AT_V1)
  expect([...diskFolder(repository).files.keys()].filter((path) => path.startsWith('.git'))).toEqual([])
})

test('many names in one process; an unknown one is undefined', () => {
  const [one, none, two] = findCommits({ dir: repository }, ['network/upf/v1', 'refs/tags/network/upf/v9', 'network/upf/v2'])
  expect([one, none, two]).toEqual([git('rev-parse', 'network/upf/v1'), undefined, git('rev-parse', 'network/upf/v2')])
})

test('a folder that is not there is empty', () => {
  expect(described(gitFolder({ dir: repository }, git('rev-parse', 'HEAD'), 'network/smf'))).toEqual({ files: [], links: [] })
  expect(described(diskFolder(join(root, 'nowhere')))).toEqual({ files: [], links: [] })
})

test('a clone is kept, brought up to date, and does without the network', () => {
  const url = `ssh://example.invalid/catalog`
  writeFileSync(join(root, '.gitconfig'), `[url "${repository}"]\n  insteadOf = ${url}\n`)
  vi.stubEnv('HOME', root)
  onTestFinished(() => void vi.unstubAllEnvs())
  const places = { base: root, cache: join(root, 'cache'), offline: false }
  expect(() => openRepository(url, { ...places, offline: true })).toThrow(/no clone of 'ssh:.*--offline$/)
  const clone = openRepository(url, places)
  expect(findCommits(clone, ['network/upf/v3'])).toEqual([undefined])
  git('tag', 'network/upf/v3')
  expect(findCommits(openRepository(url, { ...places, offline: true }), ['network/upf/v3'])).toEqual([undefined])
  expect(findCommits(openRepository(url, places), ['network/upf/v3'])).toEqual([git('rev-parse', 'HEAD')])
})

test("another user's clone is not read: git would run what its configuration says", () => {
  const url = 'ssh://example.invalid/theirs'
  writeFileSync(join(root, '.gitconfig'), `[url "${repository}"]\n  insteadOf = ${url}\n`)
  vi.stubEnv('HOME', root)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })
  const places = { base: root, cache: join(root, 'cache'), offline: false }
  openRepository(url, places)
  vi.spyOn(process, 'getuid').mockReturnValue(4711)
  for (const offline of [true, false])
    expect(() => openRepository(url, { ...places, offline })).toThrow(/must be the user's own, it belongs to another user/)
})

test('a path is read where it stands, from the folder that is named', () => {
  expect(openRepository('catalog', { base: root, cache: '', offline: true })).toEqual({ dir: repository, kind: 'checkout' })
  expect(openRepository(`file://${repository}`, { base: '/', cache: '', offline: true })).toEqual({ dir: repository, kind: 'checkout' })
  expect(() => openRepository('nowhere', { base: root, cache: '', offline: false })).toThrow(GitError)
})

test('a repository whose path holds a line feed is opened, until the git around it tracks the repository', () => {
  const base = join(root, 'line\nfeed')
  execFileSync('git', ['init', '--quiet', base])
  execFileSync('git', ['init', '--quiet', '--bare', join(base, 'inner')])
  const open = () => openRepository('inner', { base, cache: '', offline: true })
  expect(open()).toEqual({ dir: join(base, 'inner'), kind: 'bare' })
  execFileSync('git', ['-C', base, 'add', 'inner'])
  expect(open).toThrow(/must not be part of what the git around it tracks/)
})

test.each([
  { reason: 'as the specification says', environment: { XDG_CACHE_HOME: '/x', HOME: '/h' }, expected: '/x/krm-variants/git' },
  { reason: 'below the home without it', environment: { HOME: '/h' }, expected: '/h/.cache/krm-variants/git' },
  { reason: 'an empty variable is none', environment: { XDG_CACHE_HOME: '', HOME: '/h' }, expected: '/h/.cache/krm-variants/git' },
  { reason: 'without a home', environment: {}, expected: '/tmp/krm-variants/git' },
])('the cache: $reason', ({ environment, expected }) => {
  expect(cacheFolder(environment, '/tmp')).toBe(expected)
})

test('all that must not be used of a tree is reported at once, each path with its reason', () => {
  const raw = new RawRepository(join(root, 'hostile'))
  const missing = { mode: MODES.file, name: 'missing.yaml', id: MISSING }
  raw.release('v1', [
    raw.folder('upf', [
      raw.file('Kptfile'),
      raw.file('../x'),
      { mode: MODES.submodule, name: 'sub', id: MISSING },
      missing,
      raw.file('old', '', '100664'),
    ]),
  ])
  const { files, gate } = gitFolder({ dir: join(root, 'hostile') }, 'v1', 'upf')
  expect([...files].map(([path, { mode }]) => [path, mode])).toEqual([
    ['Kptfile', 0o644],
    ['old', 0o644],
  ])
  expect(gate?.results('catalog@v1:upf').map(formatResult)).toEqual([
    "catalog@v1:upf/../x: error: `path` must not have a part of dots or blanks alone, has '..' [unsafe-path]",
    'catalog@v1:upf/sub: error: `path` must be a file or a symbolic link, got mode 160000 of git: a submodule, whose files are in another repository, or a mode that git does not know [tree-entry]',
    `catalog@v1:upf/missing.yaml: error: \`path\` must have its content in the repository, object ${MISSING} of v1 is missing [tree-entry]`,
  ])
})

test('a submodule in the place of the folder is reported, not an empty folder', () => {
  const raw = new RawRepository(join(root, 'linked'))
  raw.release('v1', [{ mode: MODES.submodule, name: 'upf', id: MISSING }])
  expect(gitFolder({ dir: join(root, 'linked') }, 'v1', 'upf').gate?.faults).toMatchObject([{ path: 'upf', rule: 'tree-entry' }])
})

test('a revision of the fleet with a path that must not be used, or without a content, cannot be read', () => {
  const raw = new RawRepository(join(root, 'fleet'))
  raw.release('v1', [
    raw.file('a\n.yaml'),
    { mode: MODES.file, name: 'b.yaml', id: MISSING },
    { mode: MODES.file, name: 'logo.png', id: MISSING },
  ])
  expect(() => gitTree('v1', { dir: join(root, 'fleet') })).toThrow(
    `a\\n.yaml: error: \`path\` must not contain a control character [unsafe-path]\nb.yaml: error: \`path\` must have its content in the repository, object ${MISSING} of v1 is missing [tree-entry]`,
  )
})

test('a folder of others on disk goes through the same gate', () => {
  const folder = join(root, 'odd')
  mkdirSync(join(folder, '.GIT'), { recursive: true })
  writeFileSync(join(folder, '.GIT/config'), '')
  writeFileSync(join(folder, 'a.yaml'), '')
  writeFileSync(join(folder, 'A.yaml'), '')
  writeFileSync(join(folder, '.git'), 'gitdir: elsewhere\n')
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const { files, gate } = gatedDiskFolder(folder)
  expect([...files.keys()]).toEqual(['A.yaml'])
  expect(gate?.results('odd').map(formatResult)).toEqual([
    'odd/pipe: error: `path` must be a file, a folder or a symbolic link [tree-entry]',
    "odd/.GIT/config: error: `path` must not have the part '.git', nor another name that a file system takes for '.git', has '.GIT' [unsafe-path]",
    "odd/a.yaml: error: `path` must differ from 'A.yaml' in more than case and Unicode form: some file systems treat both as one [path-collision]",
  ])
})

test('the files of a revision are those of the folder, else of the folder that is asked, and unused paths are not checked', () => {
  const paths = (dir: string, options?: Parameters<typeof listGitFiles>[2]) =>
    listGitFiles({ dir }, 'network/upf/v1', options).files.map(({ path }) => path)
  const all = ['network/upf/Kptfile', 'network/upf/bin/run.sh', 'network/upf/link', 'network/upf/logo.png', 'network/upfront']
  expect(paths(repository)).toEqual(all)
  const inside = join(repository, 'network')
  expect(paths(inside)).toEqual(all.map((path) => path.slice('network/'.length)))
  expect(paths(inside, { folder: '' })).toEqual(all)
  expect(paths(inside, { folder: 'network/upf' })).toEqual(['Kptfile', 'bin/run.sh', 'link', 'logo.png'])
  expect(paths(repository, { folder: 'network/upf', isUsed: (path) => path === 'Kptfile' })).toEqual(['Kptfile'])
})

test('the tree of a folder is read by its id, and no other text is an id', () => {
  const tree = git('rev-parse', 'network/upf/v1:network/upf')
  const read = (id: string) => gitTreeFolder(repository, id)
  expect([...(read(tree)?.files.keys() ?? [])]).toEqual(['Kptfile', 'bin/run.sh', 'logo.png'])
  for (const id of ['HEAD', tree.slice(1), `${tree}0`, tree.toUpperCase(), '0'.repeat(40)]) expect(read(id)).toBeUndefined()
  expect(gitTreeFolder(root, tree)).toBeUndefined()
})

test('an unknown revision has the nearest name, or no commit at all', () => {
  expect(unknownRevision('network/upf/v9', { dir: repository })).toMatch(/^git knows no such revision; did you mean 'network\/upf\/v\d'\?$/)
  expect(unknownRevision('zzzzzzzzzz', { dir: repository })).toBe('git knows no such revision')
  const unborn = join(root, 'unborn')
  execFileSync('git', ['init', '--quiet', unborn])
  expect(unknownRevision('v1', { dir: unborn })).toBe('git knows no such revision; the current branch has no commit yet')
})

test('a shallow clone is known as one, and a clone with its history is not', () => {
  const shallow = join(root, 'shallow')
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${repository}`, shallow], { stdio: 'ignore' })
  expect(historyHint({ dir: shallow })).toMatch(/^; this clone is shallow/)
  expect(unknownRevision('zzzzzzzzzz', { dir: shallow })).toMatch(/^git knows no such revision; this clone is shallow/)
  expect([historyHint({ dir: repository }), historyHint({ dir: root })]).toEqual(['', ''])
})

test('tags are listed by their version, the latest first, without branches', () => {
  const dir = join(root, 'tagged')
  execFileSync('git', ['clone', '--quiet', '--no-tags', `file://${repository}`, dir], { stdio: 'ignore' })
  expect(listTags({ dir })).toEqual([])
  for (const tag of ['v1.9.0', 'v1.10.0', 'v1.2.0']) execFileSync('git', ['-C', dir, 'tag', tag])
  expect(listTags({ dir })).toEqual(['v1.10.0', 'v1.9.0', 'v1.2.0'])
})

test('the top of a checkout is that of its folders', () => {
  expect(topOf({ dir: join(repository, 'network/upf') })).toBe(topOf({ dir: repository }))
  expect(() => topOf({ dir: root })).toThrow(GitError)
})
