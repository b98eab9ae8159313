import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { findCommits } from './git.ts'
import { cacheFolder, checkoutAround, isBare, openRepository, remoteHead } from './git-cache.ts'
import { runGit } from './run-git.ts'

test.each([
  [{ XDG_CACHE_HOME: '/x', HOME: '/h' }, '/x/krm-variants/git'],
  [{ HOME: '/h' }, '/h/.cache/krm-variants/git'],
  [{ XDG_CACHE_HOME: '', HOME: '/h' }, '/h/.cache/krm-variants/git'],
  [{ HOME: '' }, '/tmp/krm-variants/git'],
  [{}, '/tmp/krm-variants/git'],
])('with %j clones are kept in %s', (environment, expected) => {
  expect(cacheFolder(environment, '/tmp')).toBe(expected)
})

test('each content of the cache has a folder of its own', () => {
  expect(cacheFolder({ HOME: '/h' }, '/tmp', 'locks')).toBe('/h/.cache/krm-variants/locks')
})

/** Makes a repository with one commit, and returns its folder and the commit. */
function makeRepository(dir: string, ...options: readonly string[]) {
  mkdirSync(dir, { recursive: true })
  runGit({ dir }, ['init', '--quiet', '--initial-branch=main', ...options])
  const tree = runGit({ dir, kind: 'bare' }, ['hash-object', '-t', 'tree', '-w', '--stdin']).toString('utf8').trim()
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  const commit = runGit({ dir, kind: 'bare' }, [...identity, 'commit-tree', tree, '-m', 'one'])
    .toString('utf8')
    .trim()
  runGit({ dir, kind: 'bare' }, ['update-ref', 'refs/heads/main', commit])
  return commit
}

const placesIn = (root: string) => ({ base: root, cache: join(root, 'cache'), offline: false })

test('a repository on disk is read in place, by its path or URL, as a checkout or a bare one', () => {
  const root = testFolder()
  const commit = makeRepository(join(root, 'checkout'))
  makeRepository(join(root, 'bare'), '--bare')
  const open = (address: string) => openRepository(address, placesIn(root))
  expect(open('checkout')).toEqual({ dir: join(root, 'checkout'), kind: 'checkout', seconds: undefined })
  expect(open(`file://${root}/bare`)).toEqual({ dir: join(root, 'bare'), kind: 'bare', seconds: undefined })
  expect(findCommits(open('bare'), ['main'])).toHaveLength(1)
  expect(findCommits(open('checkout'), ['main'])).toEqual([commit])
  expect(openRepository('bare', { ...placesIn(root), seconds: 7 }).seconds).toBe(7)
  expect(readdirSync(root).includes('cache')).toBe(false)
})

test('an address without a repository, or one that git must not use, is refused', () => {
  const root = testFolder()
  expect(() => openRepository('nowhere', placesIn(root))).toThrow("no git repository at 'nowhere'")
  expect(() => openRepository('ext::sh', placesIn(root))).toThrow('the address of a git repository must be a path')
})

test('a repository that the git around it tracks is read only if it is trusted', () => {
  const root = testFolder()
  runGit({ dir: root }, ['init', '--quiet'])
  makeRepository(join(root, 'catalog.git'), '--bare')
  makeRepository(join(root, 'free.git'), '--bare')
  runGit({ dir: root }, ['add', 'catalog.git'])
  const open = (address: string, trusted: ReadonlySet<string> = new Set()) => openRepository(address, { ...placesIn(root), trusted }).kind
  expect(() => open('catalog.git')).toThrow("the git repository at 'catalog.git' must not be part of what the git around it tracks")
  expect(() => open('catalog.git', new Set(['other']))).toThrow('trusted: true')
  expect([open('catalog.git', new Set(['catalog.git'])), open('free.git'), open('.')]).toEqual(['bare', 'bare', 'checkout'])
})

test('a clone has a name of 32 digits, no hooks, every branch and tag, and loses those that are gone', () => {
  const root = testFolder()
  const commit = makeRepository(join(root, 'origin'), '--bare')
  const origin = { dir: join(root, 'origin'), kind: 'bare' } as const
  runGit(origin, ['tag', 'v1', 'main'])
  vi.stubEnv('HOME', root)
  const url = 'ssh://git.example.com/catalog'
  writeFileSync(join(root, '.gitconfig'), `[url "${root}/origin"]\n\tinsteadOf = ${url}\n`)
  const clone = openRepository(url, placesIn(root))
  const [name = '', ...others] = readdirSync(join(root, 'cache'))
  expect([/^[0-9a-f]{32}\.git$/.test(name), others, clone]).toEqual([
    true,
    [],
    { dir: join(root, 'cache', name), kind: 'clone', seconds: undefined },
  ])
  expect(readdirSync(clone.dir).includes('hooks')).toBe(false)
  expect(findCommits(clone, ['refs/heads/main', 'refs/tags/v1'])).toEqual([commit, commit])
  expect(remoteHead(clone, url)).toBe(commit)
  runGit(origin, ['tag', '--delete', 'v1'])
  runGit(origin, ['update-ref', 'refs/heads/next', commit])
  expect(findCommits(openRepository(url, { ...placesIn(root), offline: true }), ['refs/tags/v1', 'refs/heads/next'])).toEqual([
    commit,
    undefined,
  ])
  expect(findCommits(openRepository(url, placesIn(root)), ['refs/tags/v1', 'refs/heads/next'])).toEqual([undefined, commit])
  runGit(origin, ['symbolic-ref', 'HEAD', 'refs/heads/none'])
  expect(remoteHead(clone, url)).toBe('')
})

test('a clone that fails leaves nothing behind', () => {
  const root = testFolder()
  vi.stubEnv('HOME', root)
  writeFileSync(join(root, '.gitconfig'), `[url "${root}/nowhere"]\n\tinsteadOf = ssh://git.example.com/catalog\n`)
  expect(() => openRepository('ssh://git.example.com/catalog', placesIn(root))).toThrow('git fetch')
  expect(readdirSync(join(root, 'cache'))).toEqual([])
})

test('a folder is a bare repository by what is in it, and in a checkout by the nearest .git above it', () => {
  const root = testFolder()
  makeRepository(join(root, 'bare'), '--bare')
  makeRepository(join(root, 'checkout'))
  mkdirSync(join(root, 'checkout/a/b'), { recursive: true })
  expect([isBare(join(root, 'bare')), isBare(join(root, 'checkout')), isBare(root)]).toEqual([true, false, false])
  rmSync(join(root, 'bare/HEAD'))
  expect(isBare(join(root, 'bare'))).toBe(false)
  expect(['checkout', 'checkout/a/b', 'checkout/missing'].map((each) => checkoutAround(join(root, each)))).toEqual(
    Array.from({ length: 3 }, () => join(root, 'checkout')),
  )
  expect(checkoutAround(join(root, 'bare'))).toBeUndefined()
})
