import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../run-program.ts'

/** A program that functions run in, and what it says of itself; or why it cannot be used here. */
export type Host =
  | { readonly present: true; readonly program: string; readonly says: string }
  | { readonly present: false; readonly why: string }

/** Docker, podman or nerdctl: the one that kpt would use. */
export const CONTAINERS = findHost(process.env.KRM_FN_RUNTIME ?? process.env.KPT_FN_RUNTIME ?? 'podman', 'info')
export const KUSTOMIZE = findHost('kustomize', 'version')
export const HELM = findHost('helm', 'version')
export const GO = findHost('go', 'version')
export const PRE_COMMIT = findHost('pre-commit', '--version')
export const ACTIONLINT = findHost('actionlint', '--version')
export const GRAPHVIZ = findHost('dot', '-V')
export const CHROMIUM = findHost('chromium', '--version')
export const ZSH = findHost('zsh', '--version')
export const FISH = findHost('fish', '--version')

/** Every kpt there is: the one on PATH and, when KPT names another, that one. The first is the one for tests that need only one. */
export const KPTS: readonly string[] = [...new Set([process.env.KPT ?? 'kpt', 'kpt'])].filter((kpt) => findHost(kpt, 'version').present)

/** The files beside the repository. */
export const CRDS = join(ROOT, '../shared/real/crds')

/** Returns a line about each host, for the summary of a run. */
export function describeHosts(): string[] {
  const kpts = KPTS.map((kpt) => findHost(kpt, 'version'))
  const crds: Host = existsSync(CRDS) ? { present: true, program: 'CRDs', says: 'Porch' } : { present: false, why: `no folder ${CRDS}` }
  const hosts: Readonly<Record<string, readonly Host[]>> = {
    kpt: kpts,
    containers: [CONTAINERS],
    kustomize: [KUSTOMIZE],
    helm: [HELM],
    go: [GO],
    actionlint: [ACTIONLINT],
    'pre-commit': [PRE_COMMIT],
    graphviz: [GRAPHVIZ],
    chromium: [CHROMIUM],
    zsh: [ZSH],
    fish: [FISH],
    crds: [crds],
  }
  return Object.entries(hosts).flatMap(([name, found]) =>
    found.map((host) => `${name}: ${host.present ? `${host.program} ${host.says}` : `tests left out: ${host.why}`}`),
  )
}

function findHost(program: string, question: string): Host {
  const { status, stdout, stderr, error } = spawnSync(program, [question], { encoding: 'utf8' })
  if (status === 0) return { present: true, program, says: question === 'info' ? '' : lineOf(stdout) }
  return { present: false, why: `${program} ${question}: ${error?.message ?? lineOf(stderr)}` }
}

function lineOf(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
