import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { differingFiles, readFolder } from '../folder-copy.ts'
import { runProgram } from '../run-program.ts'

/** The output of a run of kpt. */
export interface KptRun {
  /** Both streams, for people. */
  readonly printed: string
  readonly exitCode: number | null
}

/** The output of a render besides the files. */
export interface Render extends KptRun {
  /** The results of every function, in the order of their runs. */
  readonly results: readonly unknown[]
}

/** Runs kpt to its end, with `input` on stdin. */
export async function runKpt(kpt: string, args: readonly string[], input = ''): Promise<KptRun> {
  const { stdout, stderr, exitCode } = await runProgram(kpt, args, input)
  return { printed: `${stdout}${stderr}`, exitCode }
}

/** Runs kpt, which must succeed; otherwise throws what it printed. */
export async function kptMust(kpt: string, args: readonly string[], input = ''): Promise<string> {
  const { printed, exitCode } = await runKpt(kpt, args, input)
  if (exitCode !== 0) throw new Error(`${kpt} ${args.join(' ')} ended with ${exitCode}\n${printed}`)
  return printed
}

/** Renders a folder with the pipelines of its Kptfiles. */
export async function render(kpt: string, folder: string, ...options: readonly string[]): Promise<Render> {
  const results = `${folder}.results`
  const run = await runKpt(kpt, ['fn', 'render', folder, '--results-dir', results, ...options])
  const file = join(results, 'results.yaml')
  const items: { readonly results?: unknown }[] = existsSync(file) ? parse(readFileSync(file, 'utf8')).items : []
  return { ...run, results: items.map((item) => item.results ?? []) }
}

/** Renders a folder until a render changes nothing, at most three times; returns the files after each. */
export async function renderUntilClean(kpt: string, folder: string, ...options: readonly string[]): Promise<ReadonlyMap<string, string>[]> {
  const states = [readFolder(folder)]
  for (let run = 1; run <= 3; run++) {
    const { printed, exitCode } = await render(kpt, folder, ...options)
    if (exitCode !== 0) throw new Error(printed)
    states.push(readFolder(folder))
    if (differingFiles(states[run - 1] ?? new Map(), states[run] ?? new Map()).length === 0) return states
  }
  throw new Error(`${folder} still changes in the third render`)
}

/**
 * Rewrites pipelines, also those that functions read from other files: `exec: dist/NAME.mjs`, and an image of ours, becomes what `line`
 * says for NAME.
 */
export function replaceBundles(folder: string, line: (name: string) => string): void {
  const files = [...readFolder(folder).keys()].filter((path) => /(^|\/)Kptfile$|\.yaml$/.test(path))
  for (const path of files.map((file) => join(folder, file))) {
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace(/\b(?:exec: dist\/([a-z-]+)\.mjs|image: ghcr\.io\/krm-variants\/([a-z-]+):.*)/g, (_, bundle, image) =>
        line(bundle ?? image),
      ),
    )
  }
}
