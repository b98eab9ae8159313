import { FolderStats } from '../../../package/folder-stats.ts'
import { realPlace } from '../../../package/inside-folder.ts'
import { type FleetPrint, type PrintRequest, printFleet } from '../../../package/tree-print.ts'
import type { RecordedPackage } from './recorded-render.ts'

/** Returns true if a file outside of packages is as this run read it. */
type IsKnown = PrintRequest['isKnown']

/** The packages of a fleet as a run finds them. Each package is walked once, and each of its files has one stat until the run writes the file. */
export class SeenPackages {
  readonly #root: string
  readonly #recorded: ReadonlyMap<string, Pick<RecordedPackage, 'files'>>
  readonly #stats = new Map<string, FolderStats>()
  readonly #asRecorded = new Map<string, boolean>()
  /** The package that was walked last: most others have files with the same paths. */
  #last: FolderStats | undefined
  #walked: { readonly print: FleetPrint | undefined; readonly roots: readonly string[] } | undefined

  /**
   * @param out       the folder of all packages
   * @param recorded  the packages that the last run recorded
   */
  constructor(out: string, recorded: ReadonlyMap<string, Pick<RecordedPackage, 'files'>>) {
    this.#root = realPlace(out)
    this.#recorded = recorded
  }

  /**
   * Walks folders and the folder of all packages before the run, and returns their print; undefined if one cannot be read, which the run
   * itself reports.
   *
   * @param folders  real paths
   */
  walk(folders: readonly string[], isKnown: IsKnown): FleetPrint | undefined {
    const roots = outermost([this.#root, ...folders])
    const print = this.#print(roots, (folder) => this.#recorded.has(folder), isKnown)
    this.#walked = { print, roots }
    return print
  }

  /**
   * Returns the print of folders and the folder of all packages after the run. The print from before the run is returned if the run made
   * and removed no package.
   *
   * @param packages  the folders of the packages after the run
   */
  walkAfter(folders: readonly string[], packages: ReadonlySet<string>, isKnown: IsKnown): FleetPrint | undefined {
    const roots = outermost([this.#root, ...folders])
    const { print: before, roots: rootsBefore = [] } = this.#walked ?? {}
    const isSame = before !== undefined && roots.join('\0') === rootsBefore.join('\0') && isEqual(before.packages, packages)
    return isSame ? before : this.#print(roots, (folder) => packages.has(folder), isKnown)
  }

  /** Returns the path of a folder below the folder of all packages; undefined for the real path of any other folder. */
  folderAt(place: string): string | undefined {
    return place.startsWith(`${this.#root}/`) ? place.slice(this.#root.length + 1) : undefined
  }

  /** Returns true if a package that the last run recorded has the files that it was left with. */
  isAsRecorded(folder: string): boolean {
    const known = this.#asRecorded.get(folder)
    if (known !== undefined) return known
    const recorded = this.#recorded.get(folder)
    const isFound = recorded !== undefined && (this.#walked?.print ?? this.walk([], () => false))?.packages.has(folder) === true
    const isSame = isFound && this.at(folder)?.digest() === recorded.files
    this.#asRecorded.set(folder, isSame)
    return isSame
  }

  /** Returns the package in a folder as the run found it; undefined if it cannot be read. */
  at(folder: string): FolderStats | undefined {
    const known = this.#stats.get(folder)
    if (known !== undefined) return known
    const stats = quietly(() => FolderStats.at(`${this.#root}/${folder}`, this.#last))
    if (stats === undefined) return undefined
    this.#last = stats
    this.#stats.set(folder, stats)
    return stats
  }

  /**
   * Returns the package in a folder as the run left it; undefined if it cannot be read.
   *
   * @param written  the files that the run wrote or removed; undefined for all
   */
  after(folder: string, written: ReadonlySet<string> | undefined): FolderStats | undefined {
    const before = written && this.#stats.get(folder)
    const stats = quietly(() => (written && before ? before.after(written) : FolderStats.at(`${this.#root}/${folder}`, this.#last)))
    this.#last = stats ?? this.#last
    return stats
  }

  /** Forgets the files of a package that is not opened. */
  forget(folder: string): void {
    this.#stats.delete(folder)
  }

  #print(roots: readonly string[], isPackage: (folder: string) => boolean, isKnown: IsKnown): FleetPrint | undefined {
    return quietly(() => printFleet({ roots, out: this.#root, isPackage, isKnown }))
  }
}

/** Returns those folders that are not inside another one. */
function outermost(folders: readonly string[]): readonly string[] {
  const distinct = [...new Set(folders)].sort()
  return distinct.filter((folder) => !distinct.some((other) => folder.startsWith(other === '/' ? '/' : `${other}/`) && folder !== other))
}

function isEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each))
}

/** Returns what an action returns; undefined if it throws: what cannot be read is reported by the run itself. */
function quietly<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
