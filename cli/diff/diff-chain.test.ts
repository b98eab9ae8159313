import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { kptfileText } from '../../testdata/written-objects.ts'

// A chain of three packages that are made from catalog/web: platform/web → region/web → edge/web.

const KPTFILE = kptfileText('web')

const webOf = (revision: number) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${revision}
  minReadySeconds: 5
  paused: false
`

const VARIANTS = [
  ['catalog', 'revision: 1', 'platform'],
  ['platform', 'workspaceName: main', 'region'],
  ['region', 'workspaceName: main', 'edge'],
]
  .map(
    ([from, revision, to]) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${to}-web, namespace: fleet}
spec:
  upstream: {repo: ${from}, package: web, ${revision}}
  downstream: {repo: ${to}, package: web}
`,
  )
  .join('---\n')

let fleet: TestRepository

beforeEach(() => {
  const folder = testFolder()
  fleet = new TestRepository(folder)
  for (const revision of [1, 2]) {
    fleet.write(`catalog/web@v${revision}/Kptfile`, KPTFILE)
    fleet.write(`catalog/web@v${revision}/web.yaml`, webOf(revision))
  }
  fleet.write('variants.yaml', VARIANTS)
  // The first commit names the fleet.
  fleet.commit('fleet')
})

const upgrade = () => fleet.replace('variants.yaml', 'revision: 1', 'revision: 2')

async function render(): Promise<void> {
  const { exitCode, stderr } = await fleet.run('render', '.', '--out', 'clusters', '--no-fan-out')
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('error')])
}

/** Commits the fleet with the tag `start`, its packages included. */
async function start(): Promise<void> {
  await render()
  fleet.commit('start')
}

/** Returns the groups of a report, each a text, by their clusters. */
async function changes(range: string): Promise<readonly string[]> {
  const { stdout, stderr } = await fleet.run('diff', range, '--out', 'clusters')
  expect(stderr).not.toContain('error')
  const [, groups = ''] = stdout.split('\n\n')
  return groups
    .split(/^(?=\d+ cluster)/m)
    .map((group) => group.trimEnd())
    .toSorted((a, b) => (clustersOf(a) < clustersOf(b) ? -1 : 1))
}

const clustersOf = (group: string) => group.split('\n').toSpliced(0, 1).join()

const UPGRADE = [
  `1 cluster  Deployment web  spec.replicas: 1 → 2
    edge
    because region/web changed: platform/web changed: catalog/web 1 → 2  variants.yaml:5
        spec.replicas: 1 → 2  catalog/web@v2/web.yaml:6`,
  `1 cluster  Deployment web  spec.replicas: 1 → 2
    platform
    because catalog/web 1 → 2  variants.yaml:5
        spec.replicas: 1 → 2  catalog/web@v2/web.yaml:6`,
  `1 cluster  Deployment web  spec.replicas: 1 → 2
    region
    because platform/web changed: catalog/web 1 → 2  variants.yaml:5
        spec.replicas: 1 → 2  catalog/web@v2/web.yaml:6`,
]

test('an upgrade at the top of a chain is the cause of its changes in every link, with the line of the upstream', async () => {
  await start()
  upgrade()
  fleet.commit('upgraded')
  expect(await changes('start..upgraded')).toEqual(UPGRADE)
})

test('an upgrade has the same causes when its packages are rendered and committed', async () => {
  await start()
  upgrade()
  await render()
  fleet.commit('rendered')
  expect(await changes('start..rendered')).toEqual(UPGRADE)
})

test('an upgrade has the same causes when no packages are committed', async () => {
  fleet.commit('start')
  upgrade()
  fleet.commit('upgraded')
  expect(await changes('start..upgraded')).toEqual(UPGRADE)
})

test('an edit of a link is the cause of the change in the packages below it, and an edit of the last package is no cause there', async () => {
  await start()
  fleet.replace('clusters/platform/web/web.yaml', 'paused: false', 'paused: true')
  fleet.replace('clusters/edge/web/web.yaml', 'minReadySeconds: 5', 'minReadySeconds: 9')
  const edited = [
    `1 cluster  Deployment web  spec.minReadySeconds: 5 → 9
    edge
    because edited in the package
        spec.minReadySeconds  clusters/edge/web/web.yaml:9`,
    `1 cluster  Deployment web  spec.paused: false → true
    edge
    because region/web changed: platform/web changed: edited in the package
        spec.paused  clusters/platform/web/web.yaml:10`,
    `1 cluster  Deployment web  spec.paused: false → true
    platform
    because edited in the package
        spec.paused  clusters/platform/web/web.yaml:10`,
    `1 cluster  Deployment web  spec.paused: false → true
    region
    because platform/web changed: edited in the package
        spec.paused  clusters/platform/web/web.yaml:10`,
  ]
  fleet.commit('edited')
  expect(await changes('start..edited')).toEqual(edited)
  await render()
  fleet.commit('rendered')
  expect(await changes('start..rendered')).toEqual(edited)
})

test('an object that the top of a chain gains or loses names the links and the upstream', async () => {
  fleet.write('catalog/web@v1/old.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: old\n')
  fleet.write('catalog/web@v2/new.yaml', 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: new\n')
  await start()
  upgrade()
  await render()
  fleet.commit('rendered')
  const causes = (await changes('start..rendered')).flatMap((group) => /.* is (new|gone) .*/.exec(group)?.[0] ?? [])
  const isNew = '        Secret new is new  catalog/web@v2/new.yaml:1'
  const isGone = '        ConfigMap old is gone  catalog/web@v1/old.yaml:1'
  expect(causes.toSorted()).toEqual([isGone, isGone, isGone, isNew, isNew, isNew])
})

test('a change of the variant of a link is the cause of the changes below it', async () => {
  await start()
  fleet.replace(
    'variants.yaml',
    'downstream: {repo: platform, package: web}',
    "downstream: {repo: platform, package: web}\n  pipeline: {mutators: [{image: 'set-annotations:v0.1', configMap: {team: shop}}]}",
  )
  await render()
  fleet.commit('rendered')
  const because = 'function set-annotations, spec.pipeline.mutators[0].image: none → set-annotations:v0.1  variants.yaml:7'
  expect((await changes('start..rendered')).map((group) => group.split('because ')[1])).toEqual([
    `region/web changed: platform/web changed: ${because}`,
    because,
    `platform/web changed: ${because}`,
  ])
})
