import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { CheckoutGaps } from './checkout-gaps.ts'
import { GitError } from './run-git.ts'

const COMMIT = '1'.repeat(40)

test('a folder has the gaps below it, not those of a folder whose name begins with its name', () => {
  const root = mkdtempSync(join(tmpdir(), 'checkout-gaps-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  execFileSync('git', ['init', '--quiet', root])
  execFileSync('git', ['-C', root, 'update-index', '--add', '--cacheinfo', `160000,${COMMIT},app-two/lib`])
  mkdirSync(join(root, 'app'))
  mkdirSync(join(root, 'app-two/lib'), { recursive: true })
  const gaps = new CheckoutGaps()
  expect(gaps.below(join(root, 'app-two'), true)).toEqual([{ path: 'lib', reason: 'submodule', id: COMMIT }])
  expect(gaps.below(join(root, 'app'), true)).toEqual([])
})

/** Makes a checkout with files, of which some are left out and others are submodules. */
function makeCheckout({
  files = [],
  sparse = [],
  submodules = [],
}: Readonly<Partial<Record<'files' | 'sparse' | 'submodules', readonly string[]>>>) {
  const root = testFolder()
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' })
  git('init', '--quiet')
  for (const path of [...files, ...sparse]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), 'a\n')
  }
  git('add', '--all')
  for (const path of submodules) git('update-index', '--add', '--cacheinfo', `160000,${COMMIT},${path}`)
  for (const path of sparse) {
    git('update-index', '--skip-worktree', path)
    rmSync(join(root, path))
  }
  return root
}

test('a file that a sparse checkout leaves out is a gap, one that is there all the same or was deleted is none', () => {
  const root = makeCheckout({ files: ['here.yaml', 'gone.yaml'], sparse: ['a/b.yaml', 'a/back.yaml', 'c.yaml'] })
  rmSync(join(root, 'gone.yaml'))
  mkdirSync(join(root, 'a'), { recursive: true })
  writeFileSync(join(root, 'a/back.yaml'), 'a\n')
  const id = '78981922613b2afb6025042ff6bd878ac1994e85'
  const gaps = new CheckoutGaps()
  expect(gaps.below(root)).toEqual([
    { path: 'a/b.yaml', reason: 'sparse', id },
    { path: 'c.yaml', reason: 'sparse', id },
  ])
  expect(gaps.below(join(root, 'a'))).toEqual([{ path: 'b.yaml', reason: 'sparse', id }])
  expect(gaps.below(join(root, 'a/missing'))).toEqual([])
})

test('a submodule without files is a gap, also at its own folder; git is asked only where there may be one', () => {
  const root = makeCheckout({ submodules: ['full', 'lib', 'lost'] })
  mkdirSync(join(root, 'lib'))
  mkdirSync(join(root, 'full'))
  writeFileSync(join(root, 'full/a.yaml'), 'a\n')
  const paths = (folder: string, hasEmptyFolder: boolean) =>
    new CheckoutGaps().below(folder, hasEmptyFolder).map(({ path, reason }) => `${reason} ${path}`)
  expect(paths(root, true)).toEqual(['submodule lib', 'submodule lost'])
  expect(paths(root, false)).toEqual([])
  writeFileSync(join(root, '.gitmodules'), '')
  expect(paths(root, false)).toEqual(['submodule lib', 'submodule lost'])
  expect(paths(join(root, 'lib'), false)).toEqual(['submodule '])
})

test('a worktree has the gaps of its own index; a folder outside of git, and one before the first file, has none', () => {
  const root = makeCheckout({ files: ['a.yaml'] })
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args])
  git('commit', '--quiet', '--message', 'one')
  const tree = join(testFolder(), 'tree')
  git('worktree', 'add', '--quiet', tree)
  execFileSync('git', ['-C', tree, 'update-index', '--skip-worktree', 'a.yaml'])
  rmSync(join(tree, 'a.yaml'))
  expect(new CheckoutGaps().below(tree).map(({ path }) => path)).toEqual(['a.yaml'])
  expect([
    new CheckoutGaps().below(root),
    new CheckoutGaps().below(testFolder()),
    new CheckoutGaps().below(makeCheckout({}), true),
  ]).toEqual([[], [], []])
})

test('a checkout that git refuses has no gaps, unless its index marks files as left out', () => {
  const refused = (root: string) => {
    writeFileSync(join(root, '.git/config'), 'no config')
    return () => new CheckoutGaps().below(root, true)
  }
  expect(refused(makeCheckout({ submodules: ['lib'] }))()).toEqual([])
  expect(refused(makeCheckout({ sparse: ['a.yaml'] }))).toThrow(GitError)
})
