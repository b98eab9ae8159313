import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { ROOT } from '../run-program.ts'
import { type FluxClusters, startFluxClusters } from './flux-cluster.ts'
import { waitUntil } from './processes.ts'

// A fleet of three clusters that Flux deploys, from the first day to the last. The commands are those of docs/recipes/gitops.md.

const RECIPE = readFileSync(join(ROOT, 'docs/recipes/gitops.md'), 'utf8')
const CLUSTERS = ['ham', 'ber', 'muc'] as const
type ClusterName = (typeof CLUSTERS)[number]

const isMissing = ['go', 'etcd'].some((name) => spawnSync(name, [name === 'etcd' ? '--version' : 'version']).error !== undefined)

const matrix = (revision: number) => `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: base}
spec:
  upstreams: [{repo: catalog, package: dns, revision: ${revision}}]
  targets:
  - repositorySelector: {matchExpressions: [{key: ring, operator: Exists}]}
  rings:
  - {name: canary, where: target.labels.ring == 'canary'}
  - {name: world}
`

const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: GenerateSync
metadata: {name: flux, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {for: flux, destinationExpr: repository.name + '-kubeconfig', interval: 2s, retryInterval: 2s, timeout: 10s}
`

const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: dns}\n'
const configMap = (revision: number) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: dns, namespace: dns}\ndata: {revision: v${revision}}\n`
// Nothing makes Pods of a Deployment here, so that it is ready when the test says so.
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: dns, namespace: dns}
spec:
  replicas: 1
  selector: {matchLabels: {app: dns}}
  template: {metadata: {labels: {app: dns}}, spec: {containers: [{name: dns, image: dns}]}}
`

const READY = {
  observedGeneration: 1,
  ...{ replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
  conditions: [
    { type: 'Available', status: 'True' },
    { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
  ],
}

describe.skipIf(isMissing)('with source-controller and kustomize-controller', () => {
  let flux: FluxClusters
  let fleet: TestRepository

  beforeAll(async () => {
    flux = await startFluxClusters(['management', ...CLUSTERS])
    mkdirSync(flux.repositories)
    fleet = new TestRepository(join(flux.repositories, 'fleet'))
  }, 1_800_000)
  afterAll(() => flux?.stop())

  const clientOf = (name: ClusterName | 'management') => {
    const cluster = flux.clusters.get(name)
    if (cluster === undefined) throw new Error(`no cluster ${name}`)
    return cluster.client
  }
  const create = async (name: ClusterName | 'management', path: string, object: unknown) => {
    const { status, body } = await clientOf(name).request('POST', path, JSON.stringify(object))
    expect({ path, status, body: status === 201 ? {} : body }).toEqual({ path, status: 201, body: {} })
  }
  const field = (body: unknown, ...path: readonly (string | number)[]): unknown =>
    path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined), body)
  /** Returns the revision of the package that a cluster has; undefined for none. */
  const revisionIn = async (name: ClusterName) =>
    field((await clientOf(name).request('GET', '/api/v1/namespaces/dns/configmaps/dns')).body, 'data', 'revision')
  const DNS = '/apis/apps/v1/namespaces/dns/deployments/dns'
  const makeReady = async (name: ClusterName) => {
    const patch = JSON.stringify({ status: READY })
    return (await clientOf(name).request('PATCH', `${DNS}/status`, patch, 'application/merge-patch+json')).status === 200
  }
  const kustomization = async (name: string) =>
    clientOf('management').request('GET', `/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/${name}`)
  const messageOf = async (name: string) => String(field((await kustomization(name)).body, 'status', 'conditions', 0, 'message'))
  const everywhere = (names: readonly ClusterName[], revision: string) =>
    waitUntil(`${revision} in ${names.join(', ')}`, async () =>
      (await Promise.all(names.map(revisionIn))).every((found) => found === revision),
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${flux.sayings('kustomize-controller')}\n${flux.sayings('source-controller')}`)
    })
  /** Lets Flux apply the sync objects of a repository, as people do. */
  const createRoot = async (repository: string) => {
    const metadata = { name: `root-${repository}`, namespace: 'flux-system' }
    await create('management', '/apis/source.toolkit.fluxcd.io/v1/namespaces/flux-system/gitrepositories', {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata,
      spec: { interval: '2s', url: `${flux.git.url}/${repository}/.git`, ref: { branch: 'main' } },
    })
    await create('management', '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations', {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata,
      spec: { interval: '2s', path: './fleet/flux', prune: true, sourceRef: { kind: 'GitRepository', name: metadata.name } },
    })
  }
  /** Runs the command of a row of the recipe. */
  const run = async (row: string, ...more: readonly string[]) => {
    const [, command = ''] = new RegExp(`^\\| ${row} \\| .*?\`krm-variants ([^\`]+)\``, 'm').exec(RECIPE) ?? []
    const { exitCode, stderr } = await fleet.run(...command.split(' '), ...more)
    expect({ row, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ row, exitCode: 0, stderr: '' })
  }
  const render = () => run('a change of a package')
  const cluster = (name: ClusterName) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ${name}, labels: {ring: ${name === 'ham' ? 'canary' : 'world'}}}
spec: {type: git, deployment: true, git: {repo: "${flux.git.url}/fleet/.git", branch: main, directory: packages/${name}}}
`
  /** Expects that each cluster has what a person made beside the package. */
  const expectMine = async (names: readonly ClusterName[]) => {
    for (const name of names)
      expect((await clientOf(name).request('GET', '/api/v1/namespaces/dns/configmaps/mine')).status, `mine in ${name}`).toBe(200)
  }
  const makeMine = (name: ClusterName) =>
    create(name, '/api/v1/namespaces/dns/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' } })

  test('first day: the packages are in their clusters', async () => {
    await create('management', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'flux-system' } })
    for (const name of CLUSTERS) {
      const stringData = { value: flux.clusters.get(name)?.kubeconfig }
      const metadata = { name: `${name}-kubeconfig` }
      await create('management', '/api/v1/namespaces/flux-system/secrets', { apiVersion: 'v1', kind: 'Secret', metadata, stringData })
    }
    for (const revision of [1, 2]) {
      const folder = `fleet/catalog/dns@v${revision}`
      fleet.write(`${folder}/Kptfile`, 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: dns}\n')
      fleet.write(`${folder}/namespace.yaml`, namespace)
      fleet.write(`${folder}/config.yaml`, configMap(revision))
    }
    fleet.write('fleet/catalog/dns@v2/deployment.yaml', deployment)
    fleet.write('fleet/matrix.yaml', matrix(1))
    fleet.write('fleet/sync.yaml', OPTIONS)
    for (const name of ['ham', 'ber'] as const) fleet.write(`fleet/${name}.yaml`, cluster(name))
    await render()
    await run('first day')
    fleet.commit('first')
    await createRoot('fleet')
    await everywhere(['ham', 'ber'], 'v1')
    for (const name of ['ham', 'ber'] as const) await makeMine(name)
  })

  test('a raise of both rings in one commit: the second ring waits until the first is ready', async () => {
    fleet.write('fleet/matrix.yaml', matrix(2))
    await render()
    await run('first day')
    fleet.commit('second')
    await everywhere(['ham'], 'v2')
    await waitUntil('the wait of ber', async () => /dependency 'flux-system\/ham-dns'/.test(await messageOf('ber-dns')))
    await new Promise((resolve) => setTimeout(resolve, 6000))
    expect(await revisionIn('ber')).toBe('v1')
    await waitUntil('the Deployment of ham', () => makeReady('ham'))
    await everywhere(['ham', 'ber'], 'v2')
    await waitUntil('the Deployment of ber', () => makeReady('ber'))
    await expectMine(['ham', 'ber'])
  })

  test('a roll-back: the old revision is everywhere, what the new one brought is deleted, what people made stays', async () => {
    fleet.write('fleet/matrix.yaml', matrix(1))
    await render()
    fleet.commit('third')
    await everywhere(['ham', 'ber'], 'v1')
    for (const name of ['ham', 'ber'] as const)
      await waitUntil('the end of the Deployment', async () => (await clientOf(name).request('GET', DNS)).status === 404)
    await expectMine(['ham', 'ber'])
  })

  test('a new cluster gets the package after its ring', async () => {
    fleet.write('fleet/muc.yaml', cluster('muc'))
    await render()
    await run('a new cluster')
    fleet.commit('fourth')
    await everywhere(['ham', 'ber', 'muc'], 'v1')
    await makeMine('muc')
  })

  test('a cluster leaves: its objects go in two commits, and nothing in the cluster is deleted', async () => {
    fleet.remove('fleet/muc.yaml')
    await run('a cluster leaves')
    fleet.commit('fifth')
    await waitUntil('prune: false of muc', async () => field((await kustomization('muc-dns')).body, 'spec', 'prune') === false)
    await run('a cluster leaves', '--remove', 'muc-dns')
    await render()
    fleet.commit('sixth')
    await waitUntil('the end of muc-dns', async () => (await kustomization('muc-dns')).status === 404)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await everywhere(['ham', 'ber', 'muc'], 'v1')
    await expectMine(['ham', 'ber', 'muc'])
  })

  test('the system is left in two commits, and nothing in the clusters is deleted', async () => {
    await run('leave the system')
    fleet.commit('seventh')
    for (const name of ['ham', 'ber'])
      await waitUntil(`prune: false of ${name}`, async () => field((await kustomization(`${name}-dns`)).body, 'spec', 'prune') === false)
    await run('leave the system')
    // Flux refuses a path that a commit does not have, and then removes nothing.
    fleet.write('fleet/flux/.gitkeep', '')
    fleet.commit('eighth')
    for (const name of ['ham', 'ber'])
      await waitUntil(`the end of ${name}-dns`, async () => (await kustomization(`${name}-dns`)).status === 404)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    await everywhere(['ham', 'ber', 'muc'], 'v1')
    await expectMine(['ham', 'ber', 'muc'])
  })

  test('clusters that read tags of their own: `readyExpr` lets the second ring wait on an update', async () => {
    const tags = new TestRepository(join(flux.repositories, 'tags'))
    const runHere = async (...args: readonly string[]) => {
      const { exitCode, stderr } = await tags.run(...args)
      expect({ args, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ args, exitCode: 0, stderr: '' })
    }
    const writeRelease = async (revision: number) => {
      for (const name of ['ham', 'ber'] as const) {
        const text = cluster(name).replace('/fleet/.git', '/tags/.git').replace('labels: {', `labels: {release: r${revision}, `)
        tags.write(`fleet/${name}.yaml`, text)
      }
      tags.write('fleet/matrix.yaml', matrix(revision))
      await runHere('render', 'fleet', '--out', 'packages')
      tags.commit(`ham-r${revision}`)
      tags.commit(`ber-r${revision}`)
      await runHere('sync', 'fleet', '--for', 'flux', '--out', 'packages')
      tags.commit('main')
      tags.git('tag', '--delete', 'main')
    }
    cpSync(join(fleet.folder, 'fleet/catalog'), join(tags.folder, 'fleet/catalog'), { recursive: true })
    tags.write(
      'fleet/sync.yaml',
      OPTIONS.replace('interval: 2s', "tagExpr: repository.name + '-' + repository.labels.release, interval: 2s"),
    )
    await writeRelease(1)
    await createRoot('tags')
    await waitUntil(
      'the Kustomization of ber',
      async () => field((await kustomization('ber-dns')).body, 'status', 'conditions', 0, 'status') === 'True',
    )
    await writeRelease(2)
    await everywhere(['ham'], 'v2')
    await waitUntil('the wait of ber', async () => /not ready according to readyExpr/.test(await messageOf('ber-dns')))
    expect(await revisionIn('ber')).toBe('v1')
    await waitUntil('the Deployment of ham', () => makeReady('ham'))
    await everywhere(['ham', 'ber'], 'v2')
    await expectMine(['ham', 'ber', 'muc'])
  })
})
