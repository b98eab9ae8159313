import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { GitError } from '../../git/run-git.ts'
import type { PackageSource, SourcePackage } from '../source-package.ts'

/** Upstream packages: those in folders, and those in git by commit; the commits of names, and the tags. */
export interface SourcePlaces {
  readonly folders?: Readonly<Record<string, Texts>>
  readonly commits?: Readonly<Record<string, Texts>>
  readonly names?: Readonly<Record<string, string>>
  readonly tags?: readonly string[]
  /** The folders of the packages at each commit; none if absent. */
  readonly packages?: readonly string[]
  /** True if git cannot read any repository. */
  readonly fails?: boolean
}

/** Returns a source of upstream packages that are given as texts. */
export function sourceOfTexts({
  folders = {},
  commits = {},
  names = {},
  tags = [],
  packages = [],
  fails = false,
}: SourcePlaces): PackageSource {
  return {
    folder: (path) => (folders[path] === undefined ? undefined : packageAt(path, folders[path])),
    beside: (path) => Object.keys(folders).filter((folder) => parentOf(folder) === parentOf(path)),
    git: {
      commits: (_, asked) => {
        if (fails) throw new GitError('no route to the host')
        return asked.map((name) => names[name] ?? (commits[name] === undefined ? undefined : name))
      },
      tags: () => tags,
      packages: () => packages,
      folder: (_, commit, folder) => (commits[commit] === undefined ? undefined : packageAt(`${folder} at ${commit}`, commits[commit])),
    },
  }
}

function packageAt(place: string, texts: Texts): SourcePackage {
  return { place, files: packageOfTexts(texts), layouts: new Map(), modes: new Map(), results: [], faults: [] }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}
