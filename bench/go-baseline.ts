import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Cost, measure } from './measure.ts'

/** The unit of all rows, G: the Go SDK's identity function on a list, as a whole process. undefined if it cannot be built. */
export function goBaseline(folder: string, stdin: string, runs: number): Cost | undefined {
  const command = buildGoFunctions(folder)
  return command === undefined ? undefined : measure({ command, args: [], stdin, stdout: `${stdin}.go` }, runs)
}

/** Returns the program of bench/go-sdk, built on first use; undefined when there is no Go or the module cannot be had. */
export function buildGoFunctions(folder: string): string | undefined {
  const command = join(folder, 'go-functions')
  if (existsSync(command)) return command
  const built = spawnSync('go', ['build', '-o', command, '.'], { cwd: 'bench/go-sdk', encoding: 'utf8' })
  if (built.status === 0) return command
  process.stderr.write(`No baseline, since the Go program cannot be built: ${built.error?.message ?? built.stderr}\n`)
  return undefined
}
