import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Cost, measure } from './measure.ts'

/**
 * The unit of all rows, G: the Go SDK's identity function on a list, as a whole process. Built here from bench/go-identity.
 * undefined when there is no Go or the module cannot be had.
 */
export function goBaseline(folder: string, stdin: string, runs: number): Cost | undefined {
  const command = join(folder, 'identity')
  const built = spawnSync('go', ['build', '-o', command, '.'], { cwd: 'bench/go-identity', encoding: 'utf8' })
  if (built.status === 0) return measure({ command, args: [], stdin, stdout: `${stdin}.go` }, runs)
  process.stderr.write(`No baseline, since the Go program cannot be built: ${built.error?.message ?? built.stderr}\n`)
  return undefined
}
