import { PathGate, pathFault } from '../package/safe-path.ts'
import type { Result } from '../result.ts'
import type { ContentChange } from './package-changes.ts'

/** The path of a file that will be written or deleted. */
export type PathChange = Pick<ContentChange, 'path' | 'op'>

/** Finds the files that cannot be written to a package, for one package after another. */
export class UnwritableFiles {
  /** The paths of new packages without a fault: thousands of variants of one upstream share these. */
  readonly #sound = new Set<string>()

  /**
   * Returns errors for files that cannot be written: because of their path, or because of another path of the package. A new file below
   * a link would be written to the link's target. A new file whose path differs from another in case alone would, on some file systems,
   * overwrite that file.
   *
   * @param changes   the files that will be written or deleted
   * @param existing  the paths of all files and links of the package until now
   * @param place     the folder of the package, for findings
   */
  faults(changes: readonly PathChange[], existing: readonly string[], place: string): readonly Result[] {
    const key = existing.length === 0 ? changes.map(({ path }) => path).join('\0') : undefined
    if (key !== undefined && this.#sound.has(key)) return []
    const results = gated(changes, existing).results(place)
    if (key !== undefined && results.length === 0) this.#sound.add(key)
    return results
  }
}

function gated(changes: readonly PathChange[], existing: readonly string[]): PathGate {
  const gate = new PathGate()
  const gone = new Set(changes.flatMap(({ op, path }) => (op === 'delete' ? [path] : [])))
  if (changes.some(({ op }) => op === 'create')) for (const path of existing) if (!gone.has(path)) gate.knows(path)
  for (const { op, path } of changes) {
    const fault = op === 'create' ? undefined : pathFault(path)
    if (op === 'create') gate.admits(path)
    else if (fault !== undefined) gate.refuse(path, 'unsafe-path', fault)
  }
  return gate
}
