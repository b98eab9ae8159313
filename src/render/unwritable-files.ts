import { PathGate, pathFault } from '../package/safe-path.ts'
import type { Result } from '../result.ts'
import type { ContentChange } from './package-changes.ts'

/**
 * Returns errors of the files that cannot be written to a package: at all, or beside what the package has. A new file below a link would be
 * written to where the link leads, and one whose path differs from another path in case alone over that file, on some file systems.
 *
 * @param changes   the files that are to be written, and those that go
 * @param existing  the paths of all files and links of the package as it stands
 * @param place     the folder of the package, for findings
 */
export function unwritableFiles(
  changes: readonly Pick<ContentChange, 'path' | 'op'>[],
  existing: Iterable<string>,
  place: string,
): readonly Result[] {
  const gate = new PathGate()
  const gone = new Set(changes.flatMap(({ op, path }) => (op === 'delete' ? [path] : [])))
  if (changes.some(({ op }) => op === 'create')) for (const path of existing) if (!gone.has(path)) gate.knows(path)
  for (const { op, path } of changes) {
    const fault = op === 'create' ? undefined : pathFault(path)
    if (op === 'create') gate.admits(path)
    else if (fault !== undefined) gate.refuse(path, 'unsafe-path', fault)
  }
  return gate.results(place)
}
