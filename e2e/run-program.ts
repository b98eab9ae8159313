import { spawn } from 'node:child_process'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The output of a process; stdout as bytes, since a text comparison would hide bad UTF-8. */
export interface Finished {
  readonly stdout: Buffer
  readonly stderr: string
  readonly exitCode: number | null
}

/** The path of `dist/NAME.mjs`. */
export function bundlePath(name: string): string {
  return `${ROOT}dist/${name}.mjs`
}

/** Runs a program to its end, with `input` on stdin, in the repository's folder. Throws when it cannot start. */
export async function runProgram(command: string, args: readonly string[], input: string | Buffer = ''): Promise<Finished> {
  const child = spawn(command, args, { cwd: ROOT })
  const exitCode = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  // A program that refuses its input early closes the pipe: its exit code says more than our EPIPE.
  child.stdin.on('error', () => {}).end(input)
  const [stdout, stderr] = await Promise.all([buffer(child.stdout), text(child.stderr), exitCode])
  return { stdout, stderr, exitCode: await exitCode }
}
