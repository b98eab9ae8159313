import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { kptfileText } from '../../testdata/written-objects.ts'

const root = mkdtempSync(join(tmpdir(), 'krm-variants-behind-'))
afterAll(() => rmSync(root, { recursive: true }))

const KPTFILE = kptfileText('web')

/** The options of render-variants, which say where the repository `catalog` is. */
const options = (repository: string) => `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: render}
spec:
  out: clusters
  repositories:
    catalog: ${repository}
`

const set = (revision: string) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: fleet}
spec:
  upstream: {repo: catalog, package: web, ${revision}}
  targets:
  - repositories: [{name: edge-1}]
`

interface Made {
  readonly fleet: TestRepository
  readonly catalog: TestRepository
}

let count = 0
let made: Made

/** Makes a catalog with the package web, and beside it an empty fleet. */
beforeEach(() => {
  const folder = join(root, `${count++}`)
  made = { fleet: new TestRepository(join(folder, 'fleet')), catalog: new TestRepository(join(folder, 'catalog')) }
})

/** Commits the package with a line of its own for each tag, in their order. */
function publish(...tags: readonly string[]): void {
  for (const tag of tags) {
    made.catalog.write('web/Kptfile', KPTFILE)
    made.catalog.write('web/config.yaml', `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${tag.replaceAll('/', '-')}}\n`)
    made.catalog.commit(tag)
  }
}

/** Renders the fleet at a revision, and returns what `explain --behind` says when more tags are published then. */
async function behindAfter(revision: string, more: () => void, repository = '{git: {repo: ../catalog}}'): Promise<string> {
  made.fleet.write('render.yaml', options(repository))
  made.fleet.write('set.yaml', set(revision))
  const rendered = await made.fleet.run('render', '.', '--allow-outside')
  expect(rendered.exitCode).toBe(0)
  more()
  const { both, exitCode } = await made.fleet.run('explain', '--behind')
  expect(exitCode).toBe(0)
  return both
}

describe('explain --behind knows the revisions that render would find', () => {
  test('tags of one package, as Porch writes them', async () => {
    publish('web/v1', 'web/v2')
    expect(await behindAfter('revision: 2', () => undefined)).toBe('0 of 1 package behind\n')
    publish('web/v9', 'web/v10', 'shop/v11')
    const { stdout } = await made.fleet.run('explain', '--behind')
    expect(stdout).toBe(
      '1 of 1 package behind\n  fleet/web-edge-1-web: web/v2, set web wants v2, the newest is v10  clusters/edge-1/web/Kptfile:21\n',
    )
  })

  test('tags with semantic versions, of the whole repository; a prerelease is not newer than a release that is asked for', async () => {
    publish('v1.2.0')
    const behind = await behindAfter('revision: v1.2.0', () => publish('v1.10.0', 'v1.9.0', 'v2.0.0-rc.1'))
    expect(behind).toContain('fleet/web-edge-1-web: v1.2.0, set web wants v1.2.0, the newest is v1.10.0')
  })

  test('a tag whose commit has no such package does not count', async () => {
    publish('v1.2.0')
    const behind = await behindAfter('revision: v1.2.0', () => {
      made.catalog.remove('web')
      made.catalog.commit('v2.0.0')
    })
    expect(behind).toBe('0 of 1 package behind\n')
  })

  test('folders of a catalog outside of the fleet', async () => {
    const publishFolder = (revision: number) => made.catalog.write(`web@v${revision}/Kptfile`, KPTFILE)
    publishFolder(1)
    const behind = await behindAfter('revision: 1', () => [2, 3].forEach(publishFolder), '{path: ../catalog}')
    expect(behind).toContain('fleet/web-edge-1-web: v1, set web wants v1, the newest is v3')
  })

  test('options in a file that --config names', async () => {
    publish('web/v1')
    await behindAfter('revision: 1', () => publish('web/v2'))
    made.fleet.remove('render.yaml')
    made.fleet.write('../options.yaml', options('{git: {repo: ../catalog}}'))
    const { stdout } = await made.fleet.run('explain', '--behind', '--config', '../options.yaml')
    expect(stdout).toContain('the newest is v2')
  })
})

describe('explain --behind says so', () => {
  test('when no revision of an upstream is known, as an error', async () => {
    publish('web/v1')
    await behindAfter('revision: 1', () => undefined)
    made.fleet.remove('render.yaml')
    const { stdout, exitCode } = await made.fleet.run('explain', '--behind')
    expect(stdout).toContain(
      "fleet/web: the newest revision is not known, `spec.upstream` must name an existing package, found none at 'catalog/web@v1', 'catalog/web@1', 'catalog/web'; the folder '..' has it: run the command there, or name '../catalog'",
    )
    expect(exitCode).toBe(1)
  })

  test('when git cannot read the repository', async () => {
    publish('web/v1')
    await behindAfter('revision: 1', () => undefined)
    made.fleet.write('render.yaml', options('{git: {repo: ../katalog}}'))
    const { stderr, exitCode } = await made.fleet.run('explain', '--behind')
    expect(stderr).toContain("`spec.upstream.repo` cannot be read: no git repository at '../katalog'")
    expect(exitCode).toBe(1)
  })

  test('when the package was made from another upstream package at the same revision', async () => {
    publish('web/v1')
    made.catalog.git('mv', 'web', 'shop')
    made.catalog.commit('shop/v1')
    await behindAfter('revision: 1', () => undefined)
    made.fleet.replace('set.yaml', 'package: web', 'package: shop')
    made.fleet.replace('set.yaml', '- repositories: [{name: edge-1}]', '- repositories: [{name: edge-1, packageNames: [web]}]')
    const { stdout } = await made.fleet.run('explain', '--behind')
    expect(stdout).toContain('web web/v1, set web wants shop v1; which is newer is not known')
  })
})
