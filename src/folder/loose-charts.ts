import { posix } from 'node:path'
import type { Result } from '../result.ts'
import { CHART_FILE, type PackageFolders } from './package-folders.ts'
import type { ReadFile } from './read-package-file.ts'

/** The charts among the files of a fleet, outside of its packages, whose templates are no YAML: each chart is one error. */
export class LooseCharts {
  readonly #folders: PackageFolders
  /** The number of templates of each chart. */
  readonly #templates = new Map<string, number>()

  constructor(folders: PackageFolders) {
    this.#folders = folders
  }

  get size(): number {
    return this.#templates.size
  }

  /** Returns the outermost folder above a file that is a chart; undefined for a file in none. */
  above(path: string): string | undefined {
    return this.#folders.chartAbove(path)
  }

  /** Returns a file as it was read; a template without its own finding, since it counts for its chart. */
  without(path: string, file: ReadFile): ReadFile {
    const chart = file.results.some(({ tags }) => tags.rule === 'template-file') ? this.above(path) : undefined
    if (chart === undefined) return file
    this.#templates.set(chart, (this.#templates.get(chart) ?? 0) + 1)
    return { results: [] }
  }

  /** Returns the error of each chart, at its Chart.yaml. @param name  returns the name of a file in findings */
  faults(name: (path: string) => string): readonly Result[] {
    return Array.from(this.#templates, ([chart, count]): Result => {
      const templates = count === 1 ? 'a template, which is' : `${count} templates, which are`
      const message = `expected resources, found a Helm chart with ${templates} no YAML; add the line '/${chart}/' to ${name('.krmignore')}`
      const file = { path: name(posix.join(chart, CHART_FILE)), index: 0 }
      return { severity: 'error', message, file, tags: { rule: 'unreadable-file' } }
    })
  }
}
