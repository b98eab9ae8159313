import { formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import type { Result } from '../result.ts'
import { nameFirst } from '../wording.ts'

const NAMED_OTHERS = 3

/** A finding about one package of a fleet. */
export interface PackageResult {
  /** The folder of the package. */
  readonly folder: string
  readonly result: Result
}

/** Findings of one wording are told once, at the first package, with how many others it is about: what upstream brings, every package has. */
export function toldTogether(found: readonly PackageResult[]): readonly Result[] {
  const groups = groupBy(found, ({ result: { severity, message, field, tags } }) =>
    JSON.stringify([severity, tags.rule, message, formatFieldPath(field?.path ?? [])]),
  )
  return Array.from(groups.values(), ([first, ...others]) => {
    const folders = [...new Set(others.map(({ folder }) => folder))].filter((folder) => folder !== first.folder)
    if (folders.length === 0) return first.result
    return { ...first.result, message: `${first.result.message}; the same for ${nameFirst(folders, NAMED_OTHERS)}` }
  })
}
