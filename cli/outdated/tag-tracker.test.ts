import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { once } from '../../src/remember.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

// The tag tracker of docs/recipes/tag-tracker.md: seed 000 rule 63.

let folder = ''
let catalog: TestRepository
let fleet: TestRepository

const published = mkdtempSync(join(tmpdir(), 'krm-variants-tag-tracker-'))
afterAll(() => rmSync(published, { recursive: true }))

/** Returns a repository with two packages, and the tags of a revision of each in its own commit. */
const publishedCatalog = once(() => {
  const repository = new TestRepository(published)
  for (const revision of [1, 2, 3]) {
    for (const name of ['tills', 'dns'])
      repository.write(
        `${name}/Kptfile`,
        `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\ninfo:\n  description: r${revision}\n`,
      )
    repository.commit(`tills/v${revision}`)
    repository.git('tag', `dns/v${revision}`)
  }
  return repository
})

beforeEach(() => {
  folder = testFolder()
  catalog = publishedCatalog().copyTo(join(folder, 'catalog.git'))
  fleet = new TestRepository(join(folder, 'fleet'))
  fleet.write('options.yaml', options())
})

const options = (more = '') => `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata:
  name: options
  annotations: {config.kubernetes.io/local-config: "true"}
spec:
  out: clusters
  repositories:
    catalog: {git: {repo: "${catalog.folder}"}, trusted: true${more}}
`

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: tills
spec:
  upstream: {repo: catalog, package: tills, revision: 1} # the tills
  targets:
  - repositories: [{name: ber}]
`

const REVISIONS = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageRevisionSet
metadata:
  name: base
spec:
  upstreams:
  - {repo: catalog, package: tills, revision: 1} # the tills
  - {repo: catalog, package: dns, revision: 1}
`

const MATRIX = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata:
  name: base
spec:
  upstreams:
  - {packageRevisionSet: base}
  targets:
  - repositories: [{name: ber}]
`

const read = (path: string) => readFileSync(join(fleet.folder, path), 'utf8')
const track = (...more: readonly string[]) =>
  fleet.run('outdated', '--write', '--tag', 'stable', '--allow-outside', '--no-render', ...more, '.')

test('a git tag of the whole repository names the revision of each package at its commit, and is followed when it moves', async () => {
  fleet.write('set.yaml', SET)
  catalog.git('tag', 'stable', 'tills/v2')
  expect((await track()).exitCode).toBe(0)
  expect(read('set.yaml')).toContain('revision: 2} # the tills')
  const second = await track()
  expect([second.exitCode, second.stdout]).toEqual([0, '0 of 1 upstream outdated\n'])
  catalog.git('tag', '--force', 'stable', 'tills/v3')
  expect((await track()).exitCode).toBe(0)
  expect(read('set.yaml')).toContain('revision: 3} # the tills')
})

test('a git tag of the whole repository that names a version of the whole repository is followed', async () => {
  catalog.git('tag', 'v1.0.0', 'tills/v1')
  catalog.git('tag', 'v1.1.0', 'tills/v2')
  for (const tag of ['tills', 'dns'].flatMap((name) => [1, 2, 3].map((revision) => `${name}/v${revision}`)))
    catalog.git('tag', '--delete', tag)
  catalog.git('tag', 'stable', 'v1.1.0')
  fleet.write('set.yaml', SET.replace('revision: 1', 'revision: v1.0.0'))
  expect((await track()).exitCode).toBe(0)
  expect(read('set.yaml')).toContain('revision: v1.1.0} # the tills')
})

test('the lines of a PackageRevisionSet are raised, with their comments, for the matrices that name it', async () => {
  fleet.write('revisions.yaml', REVISIONS)
  fleet.write('matrix.yaml', MATRIX)
  catalog.git('tag', 'stable', 'tills/v2')
  const { stdout, exitCode } = await track()
  expect(exitCode).toBe(0)
  expect(stdout).toContain('2 of 2 upstreams outdated')
  expect(read('revisions.yaml')).toBe(REVISIONS.replaceAll('revision: 1', 'revision: 2'))
  expect(read('matrix.yaml')).toBe(MATRIX)
})

test('the tag of one package wins over that of the repository', async () => {
  fleet.write('revisions.yaml', REVISIONS)
  fleet.write('matrix.yaml', MATRIX)
  catalog.git('tag', 'stable', 'tills/v2')
  catalog.git('tag', 'dns/stable', 'dns/v3')
  expect((await track()).exitCode).toBe(0)
  expect(read('revisions.yaml')).toBe(
    REVISIONS.replace('tills, revision: 1', 'tills, revision: 2').replace('dns, revision: 1', 'dns, revision: 3'),
  )
})

test('the answer as json has the revision that the tag names, and a later line stays with a warning', async () => {
  fleet.write('set.yaml', SET)
  catalog.git('tag', 'stable', 'tills/v2')
  const json = async () => {
    const { stdout, exitCode } = await fleet.run('outdated', '--tag', 'stable', '--format', 'json', '--allow-outside', '--no-render', '.')
    return { ...JSON.parse(stdout), exitCode }
  }
  expect(await json()).toMatchObject({
    formatVersion: 1,
    current: 0,
    following: 0,
    unknown: 0,
    outdated: [{ set: 'tills', upstream: 'catalog/tills', from: 'v1', to: 'v2', variants: 1, clusters: 1 }],
    exitCode: 2,
  })
  fleet.write('set.yaml', SET.replace('revision: 1', 'revision: 3'))
  expect(await json()).toMatchObject({
    outdated: [],
    unknown: 1,
    results: [{ severity: 'warning', tags: { rule: 'tag-without-revision' } }],
    exitCode: 0,
  })
})

test('with --write the json is the answer alone, and the changed lines go to stderr', async () => {
  fleet.write('set.yaml', SET)
  fleet.write('options.yaml', options(', tags: {stable: 2}'))
  const { stdout, stderr, exitCode } = await track('--format', 'json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout).outdated).toMatchObject([{ to: 'v2' }])
  expect(stderr).toContain('+  upstream: {repo: catalog, package: tills, revision: 2} # the tills')
  expect(read('set.yaml')).toContain('revision: 2} # the tills')
})
