import { compareText } from '../../field-path.ts'
import type { WholeFolder } from '../../package/whole-folder.ts'
import type { ContentChange } from '../package-changes.ts'
import type { RenderedPackage } from '../render-package.ts'
import type { SourcePackage } from '../upstream/source-package.ts'
import type { DownstreamPackage } from './read-downstream.ts'

/** A file that upstream made executable, or executable no longer, with the permissions that it is to have. */
export interface TurnedFile {
  readonly executable: boolean
  readonly mode: number
}

/** A package that was read, and what an update made of it. */
interface Update {
  readonly read: Pick<DownstreamPackage, 'files' | 'base'> | undefined
  readonly made: Pick<RenderedPackage, 'files'>
  readonly upstream: SourcePackage
}

const NONE: ReadonlyMap<string, TurnedFile> = new Map()

/** The files of a package that upstream made executable or not since, and that are not yet so; as in git, no other permission is of a package. */
export function turnedHere({ files }: WholeFolder, { read, made, upstream }: Update): ReadonlyMap<string, TurnedFile> {
  const base = read?.base
  if (base === undefined || base === upstream) return NONE
  const isGone = (path: string): boolean => read?.files.has(path) === true && !made.files.has(path)
  const found = [...upstream.modes].flatMap(([path, mode]): readonly [string, TurnedFile][] => {
    const executable = isExecutable(mode)
    if (isExecutable(base.modes.get(path) ?? mode) === executable || isGone(path)) return []
    const here = files.get(path)?.mode
    return here === undefined || isExecutable(here) === executable ? [] : [[path, { executable, mode: turnedMode(here, executable) }]]
  })
  return new Map(found)
}

/** The changes of a package with those of permissions. */
export function withTurned(changes: readonly ContentChange[], turned: ReadonlyMap<string, TurnedFile>): readonly ContentChange[] {
  if (turned.size === 0) return changes
  const others = changes.filter(({ path }) => !turned.has(path))
  const own = Array.from(turned, ([path, { executable }]): ContentChange => ({ path, op: 'update', executable }))
  return [...others, ...own].sort((a, b) => compareText(a.path, b.path))
}

const EXECUTE = 0o111
/** Who may read a file may execute it then. */
const READ_TO_EXECUTE = 2

function isExecutable(mode: number): boolean {
  return (mode & EXECUTE) !== 0
}

function turnedMode(mode: number, executable: boolean): number {
  return executable ? mode | ((mode >> READ_TO_EXECUTE) & EXECUTE) : mode & ~EXECUTE
}
