import { GIT_MODES, listGitFiles, readGitContents } from './git.ts'
import type { GitRepository } from './run-git.ts'
import type { WholeFile, WholeFolder } from './whole-folder.ts'

/**
 * Returns a folder of a repository at a commit, without a checkout; empty if the folder is missing.
 *
 * @param repository  a folder in the repository
 * @param folder      relative to the top of the repository
 * @throws GitError
 */
export function gitFolder(repository: GitRepository, commit: string, folder: string): WholeFolder {
  const { files: listed, gate } = listGitFiles(repository, commit, { folder })
  const files = listed.filter(({ mode }) => mode !== GIT_MODES.link)
  const contents = readGitContents(repository, commit, { files, gate })
  const whole = files.flatMap(({ path, mode }): [string, WholeFile][] => {
    const bytes = contents.get(path)
    return bytes === undefined ? [] : [[path, fileOf(bytes, mode === GIT_MODES.executable ? 0o755 : 0o644)]]
  })
  const links = listed.filter(({ mode }) => mode === GIT_MODES.link).map(({ path }) => path)
  return { files: new Map(whole), links, gitFolders: [], leftovers: [], gate }
}

function fileOf(bytes: Buffer, mode: number): WholeFile {
  return { mode, size: bytes.length, read: () => bytes, holds: (other) => Buffer.compare(bytes, other) === 0 }
}
