import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finished, ROOT, runProgram } from './run-program.ts'

/** A folder with the tarball of this package, and what was made of it; `remove` takes all of it away. */
export interface Packed {
  readonly folder: string
  readonly tarball: string
  remove(): void
}

/** Makes the tarball of the bundles that are built, and of the modules as they are now. Throws when a surface is not that of its report. */
export async function packPackage(): Promise<Packed> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-package-'))
  await must('node', ['scripts/sdk.mjs'])
  // What the build makes is there; to make it again would take the bundles from under other tests.
  const { stdout } = await must('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder])
  const [{ filename }] = JSON.parse(stdout.toString())
  return { folder, tarball: join(folder, filename), remove: () => rmSync(folder, { recursive: true }) }
}

/** Installs a tarball in a folder, from nothing but itself. */
export async function installTarball(tarball: string, folder: string): Promise<void> {
  await must('npm', ['install', '--prefix', folder, '--offline', '--omit=dev', '--no-save', '--no-audit', '--no-fund', tarball])
}

/** Gives an installed folder the tools for development that the repository has. */
export function linkTools(folder: string, tools: readonly string[]): void {
  for (const tool of tools) symlinkSync(join(ROOT, 'node_modules', tool), join(folder, 'node_modules', tool))
}

/** Runs a program that must succeed. */
export async function must(command: string, args: readonly string[]): Promise<Finished> {
  const finished = await runProgram(command, args)
  if (finished.exitCode !== 0) throw new Error(`${command} ${args.join(' ')}\n${finished.stdout}${finished.stderr}`)
  return finished
}
