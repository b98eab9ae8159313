import { spawnSync } from 'node:child_process'

/** Docker, podman or nerdctl: the one that kpt would use. Newer kpt reads the first variable, older the second. */
export const RUNTIME = process.env.KRM_FN_RUNTIME ?? process.env.KPT_FN_RUNTIME ?? 'docker'

/** Runs the container runtime and returns its stdout; its progress goes to stderr. Ends this process when it fails. */
export function runRuntime(...args) {
  const { status, stdout, error } = spawnSync(RUNTIME, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })
  if (error !== undefined)
    process.stderr.write(`${RUNTIME} must be installed, or another runtime named in KRM_FN_RUNTIME: ${error.message}\n`)
  if (status !== 0) process.exit(status ?? 1)
  return stdout.trim()
}
