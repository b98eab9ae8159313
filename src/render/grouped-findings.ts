import { formatFieldPath } from '../field-path.ts'
import { FunctionError, hasErrors, type Result } from '../result.ts'
import { nameFirst } from '../wording.ts'

const NAMED_OTHERS = 3

/**
 * Collects findings about many packages. Findings with the same wording become one finding at the first package, which names the
 * others.
 */
export class GroupedFindings {
  readonly #findings = new Map<string, { readonly result: Result; readonly folder: string; readonly others: Set<string> }>()
  #hasErrors = false

  /** @param folder  the folder of the package, for people */
  add(folder: string, results: readonly Result[]): void {
    for (const result of results) {
      const { severity, message, field, tags } = result
      if (severity === 'error') this.#hasErrors = true
      const key = JSON.stringify([severity, tags.rule, message, formatFieldPath(field?.path ?? [])])
      const known = this.#findings.get(key)
      if (known === undefined) this.#findings.set(key, { result, folder, others: new Set() })
      else if (known.folder !== folder) known.others.add(folder)
    }
  }

  /** True if one of the findings is an error. */
  get hasErrors(): boolean {
    return this.#hasErrors
  }

  results(): readonly Result[] {
    return Array.from(this.#findings.values(), ({ result, others }) =>
      others.size === 0 ? result : { ...result, message: `${result.message}; the same for ${nameFirst([...others], NAMED_OTHERS)}` },
    )
  }
}

/**
 * Throws all findings but infos if one is an error: infos describe changes that will not be made.
 *
 * @param placed  returns the findings with their files before the run
 */
export function throwIfErrors(results: readonly Result[], placed = (refused: readonly Result[]) => refused): void {
  if (hasErrors(results)) throw new FunctionError(placed(results.filter(({ severity }) => severity !== 'info')))
}
