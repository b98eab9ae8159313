import { posix } from 'node:path'
import { remember } from '../remember.ts'
import { folderOf, foldersAbove, KPTFILE } from '../resource-list/package-of.ts'
import type { FileTree } from './file-tree.ts'

/** The file that makes a folder a chart, whose templates are no YAML. */
export const CHART_FILE = 'Chart.yaml'

/** Returns true if a file is in a chart of its package. `has` returns true for a path of the package at which there is a file. */
export function isInChart(path: string, has: (path: string) => boolean): boolean {
  const folder = folderOf(path)
  if (has(posix.join(folder, CHART_FILE))) return true
  return folder !== '' && !has(posix.join(folder, KPTFILE)) && isInChart(folder, has)
}

/** Finds the packages and charts among the folders above files. Each folder is looked at once. */
export class PackageFolders {
  readonly #tree: FileTree
  readonly #names = new Map<string, ReadonlySet<string>>()
  readonly #known = new Map<string, boolean>()

  constructor(tree: FileTree) {
    this.#tree = tree
  }

  /** Returns true if a file is in a package below the top: its folder or one above has a Kptfile. */
  hold(path: string): boolean {
    const folder = folderOf(path)
    if (folder === '') return false
    return remember(this.#known, folder, () => this.#has(posix.join(folder, KPTFILE)) || this.hold(folder))
  }

  /** Returns true if a file is in a chart of a package, which may be the top itself. */
  holdChartOf(path: string): boolean {
    return (this.hold(path) || this.#has(KPTFILE)) && isInChart(path, (each) => this.#has(each))
  }

  /** Returns the outermost folder above a file that is a chart; undefined for a file in none. */
  chartAbove(path: string): string | undefined {
    return foldersAbove(path).find((folder) => this.#has(posix.join(folder, CHART_FILE)))
  }

  #has(path: string): boolean {
    const folder = folderOf(path)
    const filesIn = () => new Set(this.#tree.list(folder).flatMap(({ name, type }) => (type === 'file' ? [name] : [])))
    return remember(this.#names, folder, filesIn).has(posix.basename(path))
  }
}
