import { topOf } from './git.ts'
import { gitIdOf } from './git-snapshot.ts'
import { type GitRepository, runGit } from './run-git.ts'

/**
 * Returns the ids that git would give files of a checkout when they are committed, in their order: git may convert the ends of lines, and
 * files by the filters of the user's own configuration (Git LFS). A filter of the repository's configuration is not run.
 *
 * @param paths  files that exist, relative to the folder of the repository
 * @returns undefined if git cannot be kept from running a filter of the repository
 * @throws GitError
 */
export function convertedIds(repository: GitRepository, paths: readonly string[]): readonly string[] | undefined {
  if (paths.length === 0) return []
  const settings = withoutFilters(repository)
  if (settings === undefined) return undefined
  // Git takes the paths from the top of the checkout, and those of a folder in it only as arguments.
  const prefix = runGit(repository, ['rev-parse', '--show-prefix']).toString('utf8').replace(/\n$/, '')
  const input = paths.map((path) => `${quoted(prefix + path)}\n`).join('')
  return runGit({ ...repository, dir: topOf(repository) }, [...settings, 'hash-object', '--stdin-paths'], { input })
    .toString('utf8')
    .trim()
    .split('\n')
}

/**
 * Returns a function that returns the content that git would commit for a file with the ends of lines of Windows: with those of Unix, if
 * the configuration or the attributes of its path, from the top of the checkout, say so. Git is asked for each such file.
 *
 * @throws GitError
 */
export function lineConverter(repository: GitRepository): (path: string, bytes: Uint8Array) => Uint8Array {
  let known: { readonly settings: readonly string[] | undefined; readonly top: GitRepository } | undefined
  return (path, bytes) => {
    const text = Buffer.from(bytes).toString('latin1')
    if (!text.includes('\r\n')) return bytes
    known ??= { settings: withoutFilters(repository), top: { ...repository, dir: topOf(repository) } }
    if (known.settings === undefined) return bytes
    const id = runGit(known.top, [...known.settings, 'hash-object', `--path=${path}`, '--stdin'], { input: bytes })
      .toString('utf8')
      .trim()
    const lines = Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1')
    return id === gitIdOf(lines, id) ? lines : bytes
  }
}

/** Returns the settings that turn off the filters of the repository; undefined if there is one that no setting can name. */
function withoutFilters(repository: GitRepository): readonly string[] | undefined {
  const filters = filtersOfRepository(repository)
  // Git reads the name of `-c NAME=VALUE` up to the first '='.
  if (filters.some((name) => name.includes('='))) return undefined
  return filters.flatMap((name) => ['-c', `${name}.clean=`, '-c', `${name}.process=`, '-c', `${name}.required=false`])
}

/** Returns the names of the filters, `filter.lfs`, that the configuration has of the repository and not of the user. */
function filtersOfRepository(repository: GitRepository): readonly string[] {
  const records = runGit(repository, ['config', '--list', '--show-scope', '-z']).toString('utf8').split('\0')
  const names = new Set<string>()
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [scope = '', setting = ''] = records.slice(at, at + 2)
    const [name = ''] = setting.split('\n', 1)
    if (scope !== 'system' && scope !== 'global' && name.startsWith('filter.')) names.add(name.slice(0, name.lastIndexOf('.')))
  }
  return [...names]
}

/** Returns a path as git reads it from a line. */
function quoted(path: string): string {
  return /^"|[\n\r]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"` : path
}
