import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runProgram } from '../run-program.ts'

const CATALOG = join(ROOT, 'examples/catalog')

/**
 * Makes a git repository of the example's catalog in a folder: its packages revision after revision, each with the tag that Porch gives it.
 */
export async function makeCatalog(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await git(folder, 'init', '--quiet', '--initial-branch', 'main')
  const revisions = readdirSync(CATALOG).filter((name) => name.includes('@'))
  for (const revision of revisions.sort()) await publish(folder, revision)
}

async function publish(folder: string, revision: string): Promise<void> {
  const [name = '', version = ''] = revision.split('@')
  rmSync(join(folder, name), { recursive: true, force: true })
  cpSync(join(CATALOG, revision), join(folder, name), { recursive: true })
  await commit(folder, revision)
  await git(folder, 'tag', `${name}/${version}`)
}

/** Commits everything in a repository. */
export async function commit(folder: string, message: string): Promise<void> {
  await git(folder, 'add', '--all')
  await git(folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--allow-empty', '--message', message)
}

/** Returns what git prints; throws when it fails. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runProgram('git', ['-C', folder, ...args])
  if (exitCode !== 0) throw new Error(stderr)
  return stdout.toString().trim()
}
