import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The programs that users would take instead, as the Go module proxy has them. */
export const PEERS = {
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  dyff: 'github.com/homeport/dyff/cmd/dyff@v1.12.0',
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1',
} as const

/** Returns the path of a program, built in `folder` on first use; undefined if it cannot be built. */
export function buildPeer(folder: string, peer: keyof typeof PEERS): string | undefined {
  return builtOnce(join(folder, 'peers', peer), ['install', PEERS[peer]], { env: { ...process.env, GOBIN: join(folder, 'peers') } })
}

/**
 * Returns the path of the functions of `bench/go-sdk`, which are written on the Go SDK, built in `folder` on first use: without an argument
 * the function that changes nothing, with `labels`, `namespace` or `replicas` one that writes it; undefined if they cannot be built.
 */
export function buildGoFunctions(folder: string): string | undefined {
  const path = resolve(folder, 'go-functions')
  return builtOnce(path, ['build', '-o', path, '.'], { cwd: 'bench/go-sdk' })
}

function builtOnce(
  path: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
): string | undefined {
  if (existsSync(path)) return path
  const { status, error, stderr } = spawnSync('go', args, { ...options, encoding: 'utf8' })
  if (status === 0) return path
  process.stderr.write(`go ${args.join(' ')}: ${error?.message ?? stderr}\n`)
  return undefined
}

/** Returns the first line of what kpt says of its version, undefined without kpt. */
export function kptVersion(): string | undefined {
  const { status, stdout } = spawnSync('kpt', ['version'], { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n')[0] : undefined
}
