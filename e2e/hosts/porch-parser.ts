import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../run-program.ts'

/** The content of a ResourceList as the Go SDK reads it; `error` is empty for a list that the SDK can read. */
export interface Reading {
  readonly items: number
  readonly results: readonly string[] | null
  readonly error: string
}

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-porch-'))
const program = join(folder, 'porch-parser')

/** Builds the program of e2e/hosts/porch-parser: the Go SDK's parser behind a command line. */
export async function buildParser(): Promise<void> {
  const { stderr, exitCode } = await runProgram('go', ['build', '-C', 'e2e/hosts/porch-parser', '-o', program, '.'])
  if (exitCode !== 0) throw new Error(stderr)
}

export function removeParser(): void {
  rmSync(folder, { recursive: true })
}

/** Reads each text as Porch's wrapper server would. */
export async function readAsPorch(texts: readonly string[]): Promise<Reading[]> {
  const files = texts.map((text, index) => {
    const file = join(folder, `${index}.yaml`)
    writeFileSync(file, text)
    return file
  })
  const { stdout, stderr, exitCode } = await runProgram(program, files)
  if (exitCode !== 0) throw new Error(stderr)
  const lines = stdout.toString().trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}
