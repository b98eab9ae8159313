import { spawnSync } from 'node:child_process'
import { MAX_INPUT_BYTES } from '../resource-list/limits.ts'
import type { Runner } from './match.ts'

/** Settings for running the user's programs. */
export interface ProgramSettings {
  /** The folder that the tool was started in; relative program names begin there, as in kpt. */
  readonly folder: string
  /** The environment, passed on unchanged. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The longest time of one call. */
  readonly seconds: number
}

/**
 * Returns the runner of a program that the user allowed: `exec` of a Kptfile with --allow-exec, or --function. The program runs without
 * a shell and reads the list from stdin. A program that exceeds the time limit, or prints more than the largest ResourceList, is
 * killed.
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
    // A program that does not read its input closes the pipe; its exit code decides.
    if (error !== undefined && code !== 'EPIPE') return ended(`cannot be run: ${code === 'ENOENT' ? 'no such program' : error.message}`)
    if (status === null) return ended(`was ended by ${signal}`)
    return { stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8'), exitCode: status }
  }
}
