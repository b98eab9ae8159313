import { spawnSync } from 'node:child_process'
import { MAX_INPUT_BYTES } from '../resource-list/limits.ts'
import type { Runner } from './match.ts'

/** How programs of the user run. */
export interface ProgramSettings {
  /** The folder that the tool was started in: relative names of programs are from there, as in kpt. */
  readonly folder: string
  /** Passed on as it is. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How long one call may take. */
  readonly seconds: number
}

/**
 * Returns the runner of a program that the user allowed by name: `exec` of a Kptfile with --allow-exec, or --function. No shell is between; the
 * list goes to stdin. A program that takes longer than the limit, or prints more than a ResourceList may have, is ended.
 */
export function programRunner([program = '', ...args]: readonly string[], { folder, environment, seconds }: ProgramSettings): Runner {
  return (input) => {
    const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
      input,
      cwd: folder,
      env: { ...environment },
      timeout: seconds * 1000,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_INPUT_BYTES,
      shell: false,
    })
    const code = error !== undefined && 'code' in error ? error.code : undefined
    const ended = (reason: string) => ({ stdout: '', stderr: reason, exitCode: undefined })
    if (code === 'ETIMEDOUT') return ended(`took longer than ${seconds} s and was ended; --function-timeout gives it longer`)
    if (code === 'ENOBUFS') return ended(`printed more than ${MAX_INPUT_BYTES / 1024 / 1024} MB and was ended`)
    // A program that does not read its input ends the pipe; its exit code says how it went.
    if (error !== undefined && code !== 'EPIPE') return ended(`cannot be run: ${code === 'ENOENT' ? 'no such program' : error.message}`)
    if (status === null) return ended(`was ended by ${signal}`)
    return { stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8'), exitCode: status }
  }
}
