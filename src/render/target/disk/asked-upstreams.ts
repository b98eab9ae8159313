import { realPlace } from '../../../package/inside-folder.ts'
import { locateFolder } from '../../../package/whole-folder.ts'
import type { GitPackageSource, PackageSource } from '../../source/source-package.ts'
import type { GitAnswer, RecordedRun } from './recorded-render.ts'

/** Notes the upstream packages that a run looks for. */
export class AskedUpstreams {
  readonly #folders = new Set<string>()
  readonly git: GitAnswer[] = []
  /** True if the run asked for something that is not noted: that happens on the way to an error. */
  isPartial = false

  noting(source: PackageSource): PackageSource {
    const { git } = source
    return {
      folder: (path) => {
        this.#folders.add(path)
        return source.folder(path)
      },
      beside: (path) => {
        this.isPartial = true
        return source.beside(path)
      },
      ...(git !== undefined && { git: this.#notingGit(git) }),
    }
  }

  #notingGit(git: GitPackageSource): GitPackageSource {
    return {
      folder: (...asked) => git.folder(...asked),
      commits: (repository, names) => {
        const commits = git.commits(repository, names)
        this.git.push({ repository, names, commits: commits.map((commit) => commit ?? null) })
        return commits
      },
      tags: (repository) => {
        this.isPartial = true
        return git.tags(repository)
      },
      packages: (repository, commit) => {
        this.isPartial = true
        return git.packages(repository, commit)
      },
    }
  }

  placesFrom(dir: string): RecordedRun['places'] {
    return Array.from(this.#folders, (path) => {
      const place = locateFolder(dir, path)
      return [place, realPlace(place)] as const
    })
  }
}
