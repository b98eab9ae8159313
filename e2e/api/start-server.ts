import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { ROOT } from '../run-program.ts'
import { ApiClient } from './api-client.ts'
import { CRD_FOLDERS, readDefinitions } from './definitions.ts'

/** The address of the server for tests, or the reason why no server runs. */
export type RunningServer = { readonly url: string; readonly certificate: string } | { readonly absent: string }

declare module 'vitest' {
  interface ProvidedContext {
    apiServer: RunningServer
  }
}

/** Kubernetes' own server for custom resources, kept between runs: Go builds only what has changed. */
const PROGRAM = join(ROOT, 'node_modules/.cache/api-server')
const folder = mkdtempSync(join(tmpdir(), 'krm-variants-api-'))
const started: ChildProcess[] = []

/** Builds and starts the server, and defines the kinds. Where a part is missing the tests are skipped, in CI they fail. */
export async function setup(project: TestProject): Promise<void> {
  const why = missingProgram() ?? missingDefinitions()
  if (why !== undefined) {
    if (missingProgram() === undefined ? SHARED_MUST_BE_THERE : process.env.CI === 'true')
      throw new Error(`the API server cannot run: ${why}`)
    console.log(`the tests with an API server are left out: ${why}`)
    project.provide('apiServer', { absent: why })
    return
  }
  const server = await startServer()
  const client = new ApiClient(server)
  const definitions = readDefinitions()
  await client.define(definitions)
  console.log(`the API server defines ${definitions.length} kinds`)
  project.provide('apiServer', server)
}

export function teardown(): void {
  for (const child of started.reverse()) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function missingProgram(): string | undefined {
  const program = ['go', 'etcd'].find((name) => spawnSync(name, [name === 'go' ? 'version' : '--version']).status !== 0)
  return program === undefined ? undefined : `no ${program} on the PATH; e2e/install-hosts.sh installs etcd on Debian`
}

function missingDefinitions(): string | undefined {
  const crds = CRD_FOLDERS.find((path) => !existsSync(path))
  return crds === undefined ? undefined : `no folder ${crds}`
}

async function startServer(): Promise<{ readonly url: string; readonly certificate: string }> {
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true })
  const built = spawnSync('go', ['build', '-C', 'e2e/api/server', '-ldflags=-s -w', '-o', PROGRAM, '.'], { cwd: ROOT, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(built.stderr)
  const etcd = await startEtcd()
  const server = start(PROGRAM, [etcd, folder])
  const [url] = await once(createInterface(server.stdout), 'line')
  const certificateFile = join(folder, 'apiserver.crt')
  await waitUntil('the API server to answer', () => existsSync(certificateFile))
  const running = { url: String(url), certificate: readFileSync(certificateFile, 'utf8') }
  await waitUntil('the API server to be ready', async () => (await new ApiClient(running).request('GET', '/healthz')).status === 200)
  return running
}

async function startEtcd(): Promise<string> {
  const [client, peer] = [await freeAddress(), await freeAddress()]
  start('etcd', [
    ...['--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
  ])
  await waitUntil('etcd to be healthy', async () => (await fetch(`${client}/health`)).ok)
  return client
}

function start(program: string, args: readonly string[]): ChildProcess & { readonly stdout: NodeJS.ReadableStream } {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  const said: string[] = []
  child.stderr.on('data', (text) => said.push(String(text)))
  child.on('exit', (code) => {
    if (code !== null) console.error(`${program} ended with ${code}\n${said.join('').split('\n').slice(-20).join('\n')}`)
  })
  return child
}

async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('a port has a number')
  return `http://127.0.0.1:${address.port}`
}

/** Asks until the answer is yes; an answer that fails is a no. */
export async function waitUntil(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (Date.now() < end) {
    try {
      if (await holds()) return
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`waited a minute for ${what}`)
}
