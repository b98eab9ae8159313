import { execFileSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { catalogFunctions, TestFleet } from '../../../testdata/test-fleet.ts'
import { diskFolder } from '../../folder/whole-folder.ts'
import { finish } from '../../progress.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { idOfValues } from '../../upstream/values-id.ts'
import type { RenderOptions } from '../options.ts'
import type { FolderReport } from '../render-summary.ts'
import type { SelectionTerms } from '../selection.ts'
import { renderToFolder } from './render-to-folder.ts'

// The chains of variants of seed 000 rule 62.

/** A variant: the upstream package with its revision, and the downstream package, `catalog/foo@1` → `platform/foo`. */
type Link = readonly [upstream: string, downstream: string]

/** The chain of the tests. The variants are named so that they are read in another order than they are rendered. */
const CHAIN: readonly Link[] = [
  ['region/foo@main', 'edge/foo'],
  ['platform/foo@main', 'region/foo'],
  ['catalog/foo@1', 'platform/foo'],
]

const UPGRADED: readonly Link[] = CHAIN.map(([upstream, downstream]) => [upstream.replace('@1', '@2'), downstream])

const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: foo
`

function appOf(revision: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: foo
spec:
  replicas: 1
  paused: false # ${revision}
  image: foo:${revision}
`
}

/** A fleet in a temporary folder with two revisions of `catalog/foo`. */
class ChainedFleet extends TestFleet {
  constructor() {
    super()
    onTestFinished(() => this.remove())
    for (const revision of [1, 2]) {
      this.write(`catalog/foo@v${revision}/Kptfile`, KPTFILE)
      this.write(`catalog/foo@v${revision}/app.yaml`, appOf(revision))
    }
  }

  git(...args: readonly string[]): string {
    const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
    return execFileSync('git', [...own, ...args], { cwd: this.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  }

  commit(): void {
    if (!existsSync(join(this.root, '.git'))) this.git('init', '-q')
    this.git('add', '-A')
    this.git('commit', '-qm', 'state')
  }

  render(links: readonly Link[], options: Partial<RenderOptions> = {}, only?: string): FolderReport {
    const terms: SelectionTerms = { only: only === undefined ? [] : [{ field: 'repository', value: only }], shard: undefined }
    const plan = this.plan(links.map(variant), options, terms)
    const functions = catalogFunctions()
    return finish(renderToFolder({ ...plan, functions, isDryRun: false }))
  }
}

function variant([from, to]: Link, index: number): KrmObject {
  const [, repo, name, revision = ''] = /^([^/]+)\/([^@]+)@(.*)$/.exec(from) ?? []
  const [downstreamRepo, downstream] = to.split('/')
  const asked = /^\d+$/.test(revision) ? `revision: ${revision}` : `workspaceName: ${revision}`
  const text = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${downstreamRepo}-${downstream}, namespace: fleet}
spec:
  upstream: {repo: ${repo}, package: ${name}, ${asked}}
  downstream: {repo: ${downstreamRepo}, package: ${downstream}}
`
  return KrmObject.fromDocument(text, { path: 'fleet.yaml', index, line: 1 + 10 * index })
}

/** Returns the messages of a refused run, each with its rule. */
function refusal(render: () => unknown): readonly string[] {
  try {
    render()
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(({ message, tags }) => `${tags.rule}: ${message}`)
    throw error
  }
  return []
}

const tree = (fleet: ChainedFleet, folder: string) => /upstream-tree: ([0-9a-f]{40})/.exec(fleet.read(`out/${folder}/Kptfile`))?.[1]

test('a chain is rendered from its top in one run, in whatever order its variants are read', () => {
  const fleet = new ChainedFleet()
  const { fates } = fleet.render(CHAIN)
  expect([...fates]).toEqual([['created', 3]])
  expect(fleet.read('out/edge/foo/app.yaml')).toContain('image: foo:1')
  expect(fleet.read('out/edge/foo/Kptfile')).toContain('    repo: region\n    directory: /foo\n    ref: main\n')
  const written = fleet.read('out/edge/foo/Kptfile')
  expect([...fleet.render(CHAIN).fates]).toEqual([['unchanged', 3]])
  expect(fleet.read('out/edge/foo/Kptfile')).toBe(written)
})

test('the recorded tree is the one that git gives the folder of the upstream, with folders and executable files', () => {
  const fleet = new ChainedFleet()
  fleet.write('catalog/foo@v1/a.b/run.sh', '#!/bin/sh\n')
  fleet.write('catalog/foo@v1/a/c.yaml', 'kind: X\n')
  fleet.write('catalog/foo@v1/a-b', 'text\n')
  execFileSync('chmod', ['755', join(fleet.root, 'catalog/foo@v1/a.b/run.sh')])
  fleet.render(CHAIN)
  fleet.commit()
  expect(tree(fleet, 'region/foo')).toBe(fleet.git('rev-parse', 'HEAD:out/platform/foo'))
  expect(tree(fleet, 'edge/foo')).toBe(fleet.git('rev-parse', 'HEAD:out/region/foo'))
  expect(tree(fleet, 'platform/foo')).toBeUndefined()
})

test('an upgrade at the top and edits at every link arrive at the end in one run', () => {
  const fleet = new ChainedFleet()
  fleet.render(CHAIN)
  fleet.commit()
  fleet.edit('out/platform/foo/app.yaml', 'replicas: 1', 'replicas: 3 # platform')
  fleet.edit('out/region/foo/app.yaml', 'paused: false', 'paused: true')
  fleet.edit('out/edge/foo/app.yaml', '  name: foo', '  name: foo\n  labels: {site: edge}')
  const { fates, lost, results } = fleet.render(UPGRADED)
  expect([[...fates], lost, results]).toEqual([[['updated', 3]], 0, []])
  const edge = fleet.read('out/edge/foo/app.yaml')
  for (const line of ['replicas: 3 # platform', 'paused: true', 'labels: {site: edge}', 'image: foo:2']) expect(edge).toContain(line)
  expect(fleet.read('out/platform/foo/app.yaml')).toContain('paused: false')
  expect([...fleet.render(UPGRADED).fates]).toEqual([['unchanged', 3]])
})

test('an upgrade needs no git while no person edits a package that others are made from', () => {
  const fleet = new ChainedFleet()
  fleet.render(CHAIN)
  fleet.edit('out/edge/foo/app.yaml', 'replicas: 1', 'replicas: 5')
  expect([...fleet.render(UPGRADED).fates]).toEqual([['updated', 3]])
  const edge = fleet.read('out/edge/foo/app.yaml')
  expect(edge).toContain('replicas: 5')
  expect(edge).toContain('image: foo:2')
})

test('a package that was edited before it was committed refuses the run: edits below the package could not be distinguished from its own', () => {
  const fleet = new ChainedFleet()
  fleet.render(CHAIN)
  fleet.edit('out/region/foo/app.yaml', 'replicas: 1', 'replicas: 3')
  const before = fleet.read('out/edge/foo/app.yaml')
  expect(refusal(() => fleet.render(UPGRADED))).toEqual([
    expect.stringMatching(/^original-missing: .*'region\/foo' is in no commit of this clone/),
  ])
  expect(fleet.read('out/edge/foo/app.yaml')).toBe(before)
  expect(fleet.read('out/platform/foo/app.yaml')).toContain('image: foo:1')
})

test.each(['not an id', '../../etc', '0'.repeat(40), `${'0'.repeat(39)}\n`])(
  'a recorded tree %j that no repository has is refused',
  (id) => {
    const fleet = new ChainedFleet()
    fleet.render(CHAIN)
    fleet.commit()
    fleet.edit('out/edge/foo/Kptfile', String(tree(fleet, 'edge/foo')), JSON.stringify(id))
    expect(refusal(() => fleet.render(UPGRADED))).toEqual([expect.stringMatching(/^original-missing: /)])
  },
)

test('an update goes on from the id that the function render-variants recorded', () => {
  const fleet = new ChainedFleet()
  fleet.render(CHAIN)
  fleet.edit('out/edge/foo/Kptfile', String(tree(fleet, 'edge/foo')), idOfValues(diskFolder(join(fleet.root, 'out/region/foo'))))
  fleet.edit('out/edge/foo/app.yaml', 'replicas: 1', 'replicas: 5')
  expect([...fleet.render(UPGRADED).fates]).toEqual([['updated', 3]])
  const edge = fleet.read('out/edge/foo/app.yaml')
  for (const line of ['replicas: 5', 'image: foo:2']) expect(edge).toContain(line)
})

test('an upstream in another repository does not take the place of the revision that the package was made from', () => {
  const fleet = new ChainedFleet()
  const moved = (revision: number): readonly Link[] => [[`other/foo@${revision}`, 'platform/foo']]
  for (const revision of [1, 2]) {
    fleet.write(`other/foo@v${revision}/Kptfile`, KPTFILE)
    fleet.write(`other/foo@v${revision}/app.yaml`, appOf(revision).replace('replicas: 1', `replicas: ${revision + 4}`))
  }
  fleet.render([['catalog/foo@1', 'platform/foo']])
  fleet.edit('out/platform/foo/app.yaml', 'replicas: 1', 'replicas: 5')
  const { lost, results } = fleet.render(moved(2))
  expect(fleet.read('out/platform/foo/app.yaml')).toContain('replicas: 6')
  expect([lost, results.map(({ tags }) => tags.rule)]).toEqual([1, ['edit-lost']])
})

test('a package whose upstream repository was renamed is updated', () => {
  const fleet = new ChainedFleet()
  fleet.render([['catalog/foo@1', 'platform/foo']])
  renameSync(join(fleet.root, 'catalog'), join(fleet.root, 'library'))
  expect([...fleet.render([['library/foo@2', 'platform/foo']]).fates]).toEqual([['updated', 1]])
  expect(fleet.read('out/platform/foo/app.yaml')).toContain('image: foo:2')
})

test('a link is put between two others, taken out, and renamed, with the edits of the packages', () => {
  const fleet = new ChainedFleet()
  fleet.render([['catalog/foo@1', 'platform/foo']])
  fleet.edit('out/platform/foo/app.yaml', 'replicas: 1', 'replicas: 3')
  fleet.commit()
  const between: readonly Link[] = [
    ['catalog/foo@1', 'base/foo'],
    ['base/foo@main', 'platform/foo'],
  ]
  expect([...fleet.render(between).fates]).toEqual([
    ['created', 1],
    ['updated', 1],
  ])
  expect(fleet.read('out/platform/foo/app.yaml')).toContain('replicas: 3')
  fleet.commit()
  const renamed = between.map(([from, to]): Link => [from.replace('base/', 'ground/'), to.replace('base/', 'ground/')])
  expect([...fleet.render(renamed, { allowEmpty: true }).fates]).toEqual([
    ['created', 1],
    ['updated', 1],
  ])
  fleet.commit()
  expect([...fleet.render([['catalog/foo@2', 'platform/foo']], { allowEmpty: true }).fates]).toEqual([['updated', 1]])
  const platform = fleet.read('out/platform/foo/app.yaml')
  for (const line of ['replicas: 3', 'image: foo:2']) expect(platform).toContain(line)
})

test('a published revision of a link wins over the package of the run', () => {
  const fleet = new ChainedFleet()
  fleet.render(CHAIN)
  fleet.commit()
  fleet.git('tag', 'out/region/foo/v1')
  const repositories = new Map([
    ['region', { trusted: true, revisions: new Map(), tags: new Map(), git: { repo: fleet.root, directory: 'out/region' } }],
  ])
  const published = UPGRADED.map(([from, to]): Link => [from.replace('region/foo@main', 'region/foo@1'), to])
  fleet.render(published, { repositories })
  expect(fleet.read('out/region/foo/app.yaml')).toContain('image: foo:2')
  expect(fleet.read('out/edge/foo/app.yaml')).toContain('image: foo:1')
  expect(fleet.read('out/edge/foo/Kptfile')).toContain(`commit: ${fleet.git('rev-parse', 'HEAD')}`)
  expect(tree(fleet, 'edge/foo')).toBeUndefined()
})

test('a run of one repository takes the package of the link before it as it is', () => {
  const fleet = new ChainedFleet()
  fleet.render(CHAIN)
  fleet.commit()
  fleet.edit('out/region/foo/app.yaml', 'replicas: 1', 'replicas: 3')
  expect([...fleet.render(UPGRADED, {}, 'edge').fates]).toEqual([['updated', 1]])
  expect(fleet.read('out/edge/foo/app.yaml')).toContain('replicas: 3')
  expect(fleet.read('out/edge/foo/app.yaml')).toContain('image: foo:1')
})

test('a run of one repository fails without the package of the link before it', () => {
  const { fates, results } = new ChainedFleet().render(CHAIN, {}, 'edge')
  expect([...fates]).toEqual([['failed', 1]])
  expect(results.map(({ message }) => message)).toEqual([
    "`spec.upstream` must name a package that is there: 'region/foo' of PackageVariant 'region-foo' was not made, neither in this run nor before",
  ])
})

test('packages below a package whose functions fail are made from what it was before, or not at all', () => {
  const fleet = new ChainedFleet()
  const failing = `${KPTFILE}pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
    configMap: {namespace: ''}
`
  fleet.write('catalog/foo@v2/Kptfile', failing)
  expect([...fleet.render(UPGRADED).fates]).toEqual([['failed', 3]])
  expect(existsSync(join(fleet.root, 'out/edge/foo'))).toBe(false)
  fleet.render(CHAIN)
  expect([...fleet.render(UPGRADED).fates]).toEqual([
    ['failed', 1],
    ['unchanged', 2],
  ])
})

test('packages that are made from each other are refused with the way', () => {
  const links: readonly Link[] = [
    ['b/foo@main', 'a/foo'],
    ['c/foo@main', 'b/foo'],
    ['b/foo@main', 'c/foo'],
  ]
  const [result, ...others] = refusal(() => new ChainedFleet().render(links))
  expect(others).toEqual([])
  expect(result).toBe(
    'upstream-cycle: `spec.upstream` must not be made from its own package: b/foo (variant b-foo) -> c/foo (variant c-foo) -> b/foo',
  )
})

test('a circle is refused where one of its links is published, and where the run renders one of its packages alone', () => {
  const links: readonly Link[] = [
    ['b/foo@1', 'a/foo'],
    ['a/foo@main', 'b/foo'],
  ]
  const fleet = new ChainedFleet()
  fleet.write('b/foo@v1/Kptfile', KPTFILE)
  const way =
    'upstream-cycle: `spec.upstream` must not be made from its own package: a/foo (variant a-foo) -> b/foo (variant b-foo) -> a/foo'
  expect(refusal(() => fleet.render(links))).toEqual([way])
  expect(refusal(() => fleet.render(links, {}, 'a'))).toEqual([way])
})
