import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ApiClient } from '../api/api-client.ts'
import { ROOT } from '../run-program.ts'
import { type GitServer, serveGit } from './git-server.ts'
import { buildGoProgram, folderOfModule, freePort, Processes, waitUntil } from './processes.ts'

const PROGRAMS = join(ROOT, 'node_modules/.cache')

/** A cluster: a kube-apiserver without nodes and without controllers of Kubernetes' own. */
export interface Cluster {
  readonly client: ApiClient
  readonly kubeconfig: string
}

/** Clusters, of which the first runs Flux's source-controller and kustomize-controller, and a git server. */
export interface FluxClusters {
  readonly clusters: ReadonlyMap<string, Cluster>
  readonly git: GitServer
  /** The folder of the git repositories. */
  readonly repositories: string
  /** Returns the end of what a program said. */
  readonly sayings: (name: string) => string
  readonly stop: () => void
}

const TOKEN = 'token-of-the-test'

/** Builds the programs, which takes minutes the first time, and starts one API server for each name. */
export async function startFluxClusters(names: readonly string[]): Promise<FluxClusters> {
  mkdirSync(PROGRAMS, { recursive: true })
  buildGoProgram('kube-apiserver', 'k8s.io/kubernetes/cmd/kube-apiserver', join(PROGRAMS, 'kube-apiserver'))
  for (const name of ['kustomize-controller', 'source-controller'])
    buildGoProgram('flux', `github.com/fluxcd/${name}`, join(PROGRAMS, name))
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-deploy-'))
  const processes = new Processes()
  const etcd = await startEtcd(folder, processes)
  const clusters = new Map<string, Cluster>()
  for (const name of names) clusters.set(name, await startApiServer(join(folder, name), name, etcd, processes))
  const [management] = clusters.values()
  if (management === undefined) throw new Error('at least one cluster must be named')
  await defineFlux(management.client)
  const repositories = join(folder, 'repositories')
  const git = await serveGit(repositories)
  await startControllers(folder, management, processes)
  return {
    clusters,
    git,
    repositories,
    sayings: (name) => processes.sayings(name),
    stop: () => {
      processes.stop()
      git.server.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function startEtcd(folder: string, processes: Processes): Promise<string> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`]
  processes.start('etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
  ])
  await waitUntil('etcd', async () => (await fetch(`${client}/health`)).ok)
  return client
}

async function startApiServer(folder: string, name: string, etcd: string, processes: Processes): Promise<Cluster> {
  mkdirSync(folder)
  const [key, tokens] = [join(folder, 'sa.key'), join(folder, 'tokens.csv')]
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(tokens, `${TOKEN},admin,1,system:masters\n`)
  const port = await freePort()
  processes.start(join(PROGRAMS, 'kube-apiserver'), [
    ...[`--etcd-servers=${etcd}`, `--etcd-prefix=/${name}`, '--bind-address=127.0.0.1', `--secure-port=${port}`, `--cert-dir=${folder}`],
    ...['--service-account-issuer=https://127.0.0.1', `--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
    ...[`--token-auth-file=${tokens}`, '--authorization-mode=AlwaysAllow', '--disable-admission-plugins=ServiceAccount'],
    // A loopback address is refused as the address of a Service, and no program calls the server by that Service.
    ...['--endpoint-reconciler-type=none', '--service-cluster-ip-range=10.0.0.0/24'],
  ])
  const url = `https://127.0.0.1:${port}`
  let certificate = ''
  await waitUntil(`the API server of ${name}`, async () => {
    certificate = readFileSync(join(folder, 'apiserver.crt'), 'utf8')
    return (await new ApiClient({ url, certificate, token: TOKEN }).request('GET', '/readyz')).status === 200
  })
  const authority = Buffer.from(certificate).toString('base64')
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': authority } }],
    users: [{ name: 'u', user: { token: TOKEN } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  })
  return { client: new ApiClient({ url, certificate, token: TOKEN }), kubeconfig }
}

async function defineFlux(client: ApiClient): Promise<void> {
  const folders = ['kustomize-controller', 'source-controller'].map((name) =>
    join(folderOfModule('flux', `github.com/fluxcd/${name}`), 'config/crd/bases'),
  )
  await client.define(folders.flatMap((folder) => readdirSync(folder).map((name) => parse(readFileSync(join(folder, name), 'utf8')))))
}

async function startControllers(folder: string, { kubeconfig }: Cluster, processes: Processes): Promise<void> {
  const config = join(folder, 'kubeconfig')
  writeFileSync(config, kubeconfig)
  const environment = { KUBECONFIG: config, RUNTIME_NAMESPACE: 'flux-system' }
  const addresses = async () => [`--metrics-addr=127.0.0.1:${await freePort()}`, `--health-addr=127.0.0.1:${await freePort()}`]
  const storage = `127.0.0.1:${await freePort()}`
  mkdirSync(join(folder, 'artifacts'))
  processes.start(
    join(PROGRAMS, 'source-controller'),
    [...(await addresses()), `--storage-path=${join(folder, 'artifacts')}`, `--storage-addr=${storage}`, `--storage-adv-addr=${storage}`],
    environment,
  )
  processes.start(join(PROGRAMS, 'kustomize-controller'), [...(await addresses()), '--requeue-dependency=1s'], environment)
}
