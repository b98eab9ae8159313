import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { ROOT } from '../run-program.ts'

/** Programs that a test started, and their ends. */
export class Processes {
  private readonly started: ChildProcess[] = []
  private readonly said = new Map<string, string[]>()

  /** Starts a program that runs until `stop`. What it says is kept for `sayings`. */
  start(program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): void {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } })
    const lines: string[] = []
    this.said.set(program.replace(/^.*\//, ''), lines)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => lines.push(String(text)))
    this.started.push(child)
  }

  /** Returns the end of what a program said so far. */
  sayings(name: string): string {
    return (this.said.get(name) ?? []).join('').split('\n').slice(-30).join('\n')
  }

  stop(): void {
    for (const child of this.started.reverse()) child.kill('SIGKILL')
  }
}

/** Builds a program of a Go module below e2e/deploy, unless that version is there; Go builds only what has changed. */
export function buildGoProgram(module: string, packagePath: string, program: string): void {
  const args = ['build', '-C', `e2e/deploy/${module}`, '-ldflags=-s -w', '-o', program, packagePath]
  const { status, stderr } = spawnSync('go', args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** Returns a folder of the sources of a module that e2e/deploy builds. */
export function folderOfModule(module: string, path: string): string {
  const { stdout, stderr } = spawnSync('go', ['list', '-C', `e2e/deploy/${module}`, '-m', '-f', '{{.Dir}}', path], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (stdout.trim() === '') throw new Error(stderr)
  return stdout.trim()
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('a port has a number')
  return address.port
}

/** Asks every quarter of a second until the answer is yes; an answer that fails is a no. @throws Error  after `seconds` */
export async function waitUntil(what: string, holds: () => boolean | Promise<boolean>, seconds = 90): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (Date.now() < end) {
    try {
      if (await holds()) return
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`waited ${seconds} seconds for ${what}`)
}
