import { listGitFiles, readGitContents } from './git.ts'
import type { WholeFile, WholeFolder } from './whole-folder.ts'

const LINK = '120000'
const EXECUTABLE = '100755'

/**
 * A folder of a repository as it stands at a commit, without a checkout; empty when it is not there.
 *
 * @param repository  a folder in it
 * @param folder      from the top of the repository
 * @throws GitError
 */
export function gitFolder(repository: string, commit: string, folder: string): WholeFolder {
  const listed = listGitFiles(repository, commit, folder)
  const files = listed.filter(({ mode }) => mode !== LINK)
  const contents = readGitContents(
    repository,
    files.map(({ id }) => id),
  )
  const whole = files.map(({ path, mode, id }): [string, WholeFile] => {
    const bytes = contents.get(id) ?? new Uint8Array()
    return [
      path,
      {
        mode: mode === EXECUTABLE ? 0o755 : 0o644,
        size: bytes.length,
        read: () => bytes,
        holds: (other) => Buffer.compare(bytes, other) === 0,
      },
    ]
  })
  return { files: new Map(whole), links: listed.filter(({ mode }) => mode === LINK).map(({ path }) => path), gitFolders: [], leftovers: [] }
}
