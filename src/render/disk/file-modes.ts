import { compareText } from '../../field-path.ts'
import type { WholeFolder } from '../../folder/whole-folder.ts'
import { permissionsOf, type SourcePackage } from '../../upstream/source-package.ts'
import type { ContentChange } from '../clone/package-changes.ts'
import type { RenderedPackage } from '../render-request.ts'
import type { DownstreamPackage } from './read-downstream.ts'

/** A file whose executable bit upstream turned on or off, with its new permissions. */
export interface TurnedFile {
  readonly executable: boolean
  readonly mode: number
}

/** A package as read from disk, and the result of its update. */
export interface Update {
  readonly read: Pick<DownstreamPackage, 'files' | 'base'> | undefined
  readonly made: Pick<RenderedPackage, 'files' | 'modes'>
  readonly upstream: SourcePackage
}

const NONE: ReadonlyMap<string, TurnedFile> = new Map()

/**
 * Returns the files whose executable bit upstream changed and the package does not have yet. As in git, a package has no other
 * permissions.
 */
export function turnedHere({ files }: WholeFolder, { read, made, upstream }: Update): ReadonlyMap<string, TurnedFile> {
  const base = read?.base
  const own = base === undefined || base === upstream ? [] : [...permissionsOf(base, upstream)]
  const all = new Map([...own, ...(made.modes ?? [])])
  if (all.size === 0) return NONE
  const isGone = (path: string): boolean => read?.files.has(path) === true && !made.files.has(path)
  const found = [...all].flatMap(([path, { base: former, theirs }]): readonly [string, TurnedFile][] => {
    const executable = isExecutable(theirs)
    if (isExecutable(former ?? theirs) === executable || isGone(path)) return []
    const here = files.get(path)?.mode
    return here === undefined || isExecutable(here) === executable ? [] : [[path, { executable, mode: turnedMode(here, executable) }]]
  })
  return new Map(found)
}

/** Returns the changes of a package, with the changed executable bits among them, sorted by path. */
export function withTurned(changes: readonly ContentChange[], turned: ReadonlyMap<string, TurnedFile>): readonly ContentChange[] {
  if (turned.size === 0) return changes
  const others = changes.filter(({ path }) => !turned.has(path))
  const own = Array.from(turned, ([path, { executable }]): ContentChange => ({ path, op: 'update', executable }))
  return [...others, ...own].sort((a, b) => compareText(a.path, b.path))
}

const EXECUTE = 0o111
/** The bits from read permission to execute permission: a file becomes executable for those who may read it. */
const READ_TO_EXECUTE = 2

/** Returns true for permissions that let someone run a file. */
export function isExecutable(mode: number): boolean {
  return (mode & EXECUTE) !== 0
}

/** Returns permissions with the executable bits turned on or off. */
export function turnedMode(mode: number, executable: boolean): number {
  return executable ? mode | ((mode >> READ_TO_EXECUTE) & EXECUTE) : mode & ~EXECUTE
}
