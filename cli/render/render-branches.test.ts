import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

// Drafts and approval in git: seed 000 rule 2, and for removals seed 000 rule 3.

const set = (revision: number, repositories: string) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, revision: ${revision}}
  targets:
  - repositories: [${repositories}]
`

const web = (revision: number) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${revision}
  paused: false
`

/** The output that docs/commands/render.md shows. */
const SHOWN = new URL('../../testdata/diff/drafts.txt', import.meta.url)

/** The fleet before its first render, and with its packages in one commit and a newer revision in the next. */
let made: { readonly first: TestRepository; readonly upgraded: TestRepository }
let fleet: TestRepository
const folder = mkdtempSync(join(tmpdir(), 'krm-variants-branches-'))

beforeAll(async () => {
  const first = new TestRepository(join(folder, 'first'))
  for (const revision of [1, 2, 3]) {
    first.write(`catalog/web@v${revision}/Kptfile`, 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
    first.write(`catalog/web@v${revision}/web.yaml`, web(revision))
  }
  first.write('set.yaml', set(1, '{name: ham}, {name: ber}'))
  first.commit('fleet')
  const upgraded = first.copyTo(join(folder, 'upgraded'))
  await upgrade(upgraded)
  made = { first, upgraded }
})

afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(() => {
  fleet = made.first.copyTo(testFolder())
})

/** Continues the test with the upgraded fleet. */
const useUpgraded = () => {
  fleet = made.upgraded.copyTo(testFolder())
}

const draft = (branch: string, ...options: readonly string[]) =>
  fleet.run('render', '.', '--out', 'clusters', '--branch', branch, ...options)

/** Renders and commits the packages, then asks for revision 2 in another commit. */
async function upgrade(repository: TestRepository): Promise<void> {
  expect((await repository.run('render', '.', '--out', 'clusters')).exitCode).toBe(0)
  repository.commit('rendered')
  repository.write('set.yaml', set(2, '{name: ham}, {name: ber}'))
  repository.commit('upgrade')
}

/** Returns everything of the repository that a draft must leave alone. */
const untouched = () => [
  ...['HEAD', 'refs/heads/main'].map((path) => readFileSync(join(fleet.folder, '.git', path), 'utf8')),
  fleet.git('status', '--porcelain'),
  fleet.git('ls-files', '-s'),
]

const branches = () => fleet.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')

test('what changes is one commit on a branch, whose message says why; the working tree and the current branch stay', async () => {
  useUpgraded()
  const before = untouched()
  const { stdout, stderr, exitCode } = await draft('drafts/{set}')
  expect([stdout, stderr, exitCode]).toEqual(['2 packages: 2 updated\nbranch drafts/web: 2 packages, new\n', '', 0])
  expect(untouched()).toEqual(before)
  expect(fleet.git('rev-list', '--count', 'main..drafts/web')).toBe('1')
  const [message = '', digest = ''] = fleet.git('log', '-1', '--format=%B', 'drafts/web').split('\n\nKrm-Variants-Draft: ')
  expect(message).toBe(`Render 2 packages: 2 updated

Updated ber/web, ham/web from catalog/web v2

2 clusters  Deployment web  spec.replicas: 1 → 2
    ber, ham
    because catalog/web 1 → 2  set.yaml:5
        spec.replicas: 1 → 2  catalog/web@v2/web.yaml:6`)
  expect(digest).toMatch(/^[0-9a-f]{64}$/)
})

test('the branch holds what render writes, and nothing else changes', async () => {
  useUpgraded()
  await draft('drafts/all')
  expect(fleet.git('diff', '--name-only', 'main', 'drafts/all').split('\n')).toEqual(
    ['ber', 'ham'].flatMap((name) => [`clusters/${name}/web/Kptfile`, `clusters/${name}/web/web.yaml`]),
  )
  expect((await fleet.run('render', '.', '--out', 'clusters')).exitCode).toBe(0)
  fleet.commit('by-render')
  expect(fleet.git('rev-parse', 'drafts/all^{tree}')).toBe(fleet.git('rev-parse', 'by-render^{tree}'))
})

test('a second run writes no commit, and a run on another commit writes the branch again', async () => {
  useUpgraded()
  const written = await draft('drafts/{set}/{repository}')
  expect(written.stdout).toBe(readFileSync(SHOWN, 'utf8'))
  const first = fleet.git('rev-parse', 'drafts/web/ham')
  const again = await draft('drafts/{set}/{repository}')
  expect(again.stdout).toBe(
    '2 packages: 2 updated\nbranch drafts/web/ber: 1 package, unchanged\nbranch drafts/web/ham: 1 package, unchanged\n',
  )
  expect(fleet.git('rev-parse', 'drafts/web/ham')).toBe(first)
  fleet.write('set.yaml', set(3, '{name: ham}, {name: ber}'))
  fleet.commit('newer')
  const { stdout } = await draft('drafts/{set}/{repository}')
  expect(stdout).toContain('branch drafts/web/ham: 1 package, written again\n')
  expect(fleet.git('rev-parse', 'drafts/web/ham^')).toBe(fleet.git('rev-parse', 'main'))
  expect(fleet.git('show', 'drafts/web/ham:clusters/ham/web/web.yaml')).toContain('replicas: 3')
})

test('a merged branch (seed 000 rule 35) leaves nothing to draft, and the next change takes the branch again', async () => {
  useUpgraded()
  await draft('drafts/web')
  fleet.git('merge', '--quiet', '--no-ff', '--no-edit', 'drafts/web')
  expect((await draft('drafts/web')).stdout).toBe('2 packages: 2 unchanged\n')
  fleet.write('set.yaml', set(3, '{name: ham}, {name: ber}'))
  fleet.commit('newer')
  expect((await draft('drafts/web')).stdout).toContain('branch drafts/web: 2 packages, written again')
})

test('new packages name the target that asks for them, and a removal is proposed on a branch too', async () => {
  const created = await draft('drafts/{repository}')
  expect(created.stdout).toContain('branch drafts/ham: 1 package, new')
  expect(fleet.git('log', '-1', '--format=%B', 'drafts/ham')).toContain(`Render 1 package: 1 created

Created ham/web from catalog/web v1
    because spec.targets[0].repositories lists it  set.yaml:7
`)
  await upgrade(fleet)
  fleet.write('set.yaml', set(1, '{name: ber}'))
  fleet.commit('without-ham')
  const { stdout } = await draft('drafts/{set}/{ring}/{repository}', '--discard-edits')
  expect(stdout).toContain('branch drafts/web/no-ring/ham: 1 package, new')
  expect(fleet.git('diff', '--name-status', 'main', 'drafts/web/no-ring/ham')).toBe(
    'D\tclusters/ham/web/Kptfile\nD\tclusters/ham/web/package-context.yaml\nD\tclusters/ham/web/web.yaml',
  )
  const message = fleet.git('log', '-1', '--format=%B', 'drafts/web/no-ring/ham')
  expect(message).toContain('Removed ham/web\n    because ')
})

test('a package that changes in nothing that a cluster gets names the inputs that differ', async () => {
  expect((await fleet.run('render', '.', '--out', 'clusters')).exitCode).toBe(0)
  fleet.commit('rendered')
  fleet.write('catalog/web@v2/web.yaml', web(1))
  fleet.write('catalog/web@v2/README.md', 'new\n')
  fleet.write('set.yaml', set(2, '{name: ham}, {name: ber}'))
  fleet.commit('upgrade')
  await draft('drafts/{set}')
  expect(fleet.git('log', '-1', '--format=%B', 'drafts/web')).toContain(
    'Updated ber/web, ham/web from catalog/web v2\n    because catalog/web 1 → 2  set.yaml:5\n',
  )
})

test('--dry-run names the branches and writes none', async () => {
  useUpgraded()
  const { stdout, exitCode } = await draft('drafts/{set}', '--dry-run')
  expect([stdout, exitCode]).toEqual(['2 packages: 2 updated\nbranch drafts/web: 2 packages, new\n', 2])
  expect(branches()).toEqual(['main'])
})

test('a draft has the name and address of git, else those of the tool', async () => {
  useUpgraded()
  await draft('drafts/tool')
  expect(fleet.git('log', '-1', '--format=%an <%ae>', 'drafts/tool')).toMatch(/^.+ <.+>$/)
  fleet.git('config', 'user.name', 'Grace')
  fleet.git('config', 'user.email', 'grace@example.com')
  await draft('drafts/grace')
  expect(fleet.git('log', '-1', '--format=%an <%ae>', 'drafts/grace')).toBe('Grace <grace@example.com>')
})

describe('a branch is refused, and every branch stays,', () => {
  beforeEach(useUpgraded)

  async function refusal(branch: string, ...options: readonly string[]): Promise<string> {
    const refs = fleet.git('for-each-ref')
    const before = untouched()
    const { stderr, exitCode } = await draft(branch, ...options)
    expect(exitCode).toBe(1)
    expect(fleet.git('for-each-ref')).toBe(refs)
    expect(untouched()).toEqual(before)
    return stderr
  }

  test('when people committed on it', async () => {
    await draft('drafts/{repository}')
    fleet.git('checkout', '--quiet', 'drafts/ham')
    fleet.replace('clusters/ham/web/web.yaml', 'paused: false', 'paused: true')
    fleet.commit('mine')
    fleet.git('checkout', '--quiet', 'main')
    expect(await refusal('drafts/{repository}')).toContain(
      "'drafts/ham': the branch has commits of people; merge or delete the branch first",
    )
  })

  test.each([
    ['message', ['--message', 'mine']],
    ['files', ['--no-edit', '--all']],
  ])('when people amended the %s of its commit', async (what, options) => {
    await draft('drafts/web')
    fleet.git('checkout', '--quiet', 'drafts/web')
    if (what === 'files') fleet.replace('clusters/ham/web/web.yaml', 'paused: false', 'paused: true')
    fleet.git('commit', '--quiet', '--amend', ...options)
    fleet.git('checkout', '--quiet', 'main')
    expect(await refusal('drafts/web')).toContain('the branch has commits of people')
  })

  test('when it is the current branch, or checked out elsewhere', async () => {
    expect(await refusal('main')).toContain("'main': the branch is checked out in ")
    fleet.git('branch', 'drafts/web')
    const elsewhere = `${fleet.folder}-elsewhere`
    onTestFinished(() => rmSync(elsewhere, { recursive: true }))
    fleet.git('worktree', 'add', '--quiet', elsewhere, 'drafts/web')
    expect(await refusal('drafts/web')).toContain(`'drafts/web': the branch is checked out in '${elsewhere}'`)
  })

  test('when its name stands for another branch', async () => {
    fleet.git('branch', 'precious')
    fleet.git('symbolic-ref', 'refs/heads/drafts/web', 'refs/heads/precious')
    expect(await refusal('drafts/web')).toContain("'drafts/web': the name stands for another branch")
  })

  test.each(['-x', 'a..b', 'a b', 'a.lock', 'refs/heads//x', 'a^', '@{1}', 'HEAD'])('when git has no branch %s', async (name) => {
    const { stdout, stderr, exitCode } = await fleet.run('render', '.', '--out', 'clusters', `--branch=${name}`)
    expect([stdout, exitCode]).toEqual(['', 1])
    expect(stderr).toMatch(/git allows no branch of this name|must have no placeholders but/)
    expect(branches()).toEqual(['main'])
  })

  test('when another branch is in its way', async () => {
    fleet.git('branch', 'drafts')
    expect(await refusal('drafts/web')).toContain('refs/heads/drafts')
  })

  test('with an unknown placeholder, or another form', async () => {
    expect(await refusal('drafts/{sett}')).toContain(
      "must have no placeholders but '{namespace}', '{set}', '{ring}', '{repository}', got '{sett}'; did you mean 'set'?",
    )
    expect(await refusal('')).toContain('`--branch` must name a branch, got an empty text')
    expect(await refusal('x', '--shard', '1/2')).toContain('`--branch` must not come with --shard')
    expect(await refusal('x', '--no-fan-out')).toContain('`--branch` must not come with --no-fan-out')
  })

  test('while the fleet is not as it is committed: after the merge the packages would be brought back', async () => {
    fleet.write('set.yaml', set(3, '{name: ham}, {name: ber}'))
    fleet.write('more.yaml', 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: kel}\n')
    fleet.write('notes.txt', 'not read')
    fleet.write('ignored.yaml', 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: muc}\n')
    fleet.write('.git/info/exclude', 'ignored.yaml')
    const { stdout, stderr, exitCode } = await draft('drafts/web')
    expect([stdout, stderr, exitCode]).toEqual([
      '',
      expect.stringContaining('must find the fleet as it is committed; commit or stash first: set.yaml, more.yaml\n'),
      1,
    ])
  })

  test('while a package that changes is not as it is committed', async () => {
    fleet.replace('clusters/ham/web/web.yaml', 'paused: false', 'paused: true')
    fleet.write('clusters/ham/web/new.yaml', 'kind: X\n')
    const { stderr, exitCode } = await draft('drafts/web')
    expect([stderr, exitCode]).toEqual([expect.stringContaining('commit or stash first: ham/web/new.yaml, ham/web/web.yaml'), 1])
    expect(branches()).toEqual(['main'])
  })
})

test('a name of a ring that cannot be in a branch is refused', async () => {
  fleet.write(
    'set.yaml',
    `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web, namespace: fleet}
spec:
  upstreams: [{repo: catalog, package: web, revision: 1}]
  targets:
  - repositories: [{name: ham}]
  rings: [{name: ../main}]
`,
  )
  fleet.commit('hostile')
  const { stderr, exitCode } = await draft('drafts/{ring}')
  expect([stderr, exitCode]).toEqual([expect.stringContaining("'../main'"), 1])
  expect(branches()).toEqual(['main'])
})

test('packages in no repository are refused', async () => {
  const out = testFolder()
  const { stdout, stderr, exitCode } = await fleet.run('render', '.', '--out', join(out, 'clusters'), '--branch', 'drafts/web')
  expect([stdout, stderr, exitCode]).toEqual(['', expect.stringContaining('`--branch` must have its packages in a git repository'), 1])
})

test('packages behind a link are committed where the link leads', async () => {
  const other = new TestRepository(mkdtempSync(join(tmpdir(), 'krm-variants-other-')))
  onTestFinished(() => rmSync(other.folder, { recursive: true }))
  other.write('README', 'packages\n')
  other.commit('first')
  symlinkSync(other.folder, join(fleet.folder, 'clusters'))
  const { stdout, exitCode } = await draft('drafts/web')
  expect([stdout, exitCode]).toEqual(['2 packages: 2 created\nbranch drafts/web: 2 packages, new\n', 0])
  expect(other.git('log', '-1', '--format=%B', 'drafts/web')).toContain('Created ber/web, ham/web from catalog/web v1')
  expect(other.git('ls-tree', '-r', '--name-only', 'drafts/web').split('\n')).toContain('ham/web/web.yaml')
})
