import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'

/** A Kustomization of Flux, and the folder that holds what the commit of its GitRepository holds. */
export interface BuildQuestion {
  readonly root: string
  readonly kustomization: unknown
}

/** The objects that kustomize-controller would apply; `error` is empty if it builds them. */
export interface BuildAnswer {
  readonly objects: readonly FluxObject[]
  readonly error: string
}

export interface FluxObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-flux-'))
const program = join(folder, 'flux-build')

/** Builds the program of e2e/hosts/flux-build: the packages of kustomize-controller behind a command line. */
export async function buildFluxProgram(): Promise<void> {
  const { stderr, exitCode } = await runProgram('go', ['build', '-C', 'e2e/hosts/flux-build', '-o', program, '.'])
  if (exitCode !== 0) throw new Error(stderr)
}

export function removeFluxProgram(): void {
  rmSync(folder, { recursive: true })
}

/** Builds each Kustomization as kustomize-controller would. */
export function buildAsFlux(questions: readonly BuildQuestion[]): readonly BuildAnswer[] {
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('')
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(stderr)
  return stdout
    .trimEnd()
    .split('\n')
    .map((line): BuildAnswer => JSON.parse(line))
}
