import type { WholeFolder } from '../../folder/whole-folder.ts'
import { identityIn } from '../../merge/clone-marks.ts'
import { isBytes, objectsIn, type PackageContent } from '../../merge/package-files.ts'
import { equalBytes } from '../../merge/same-content.ts'
import { joinPath } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import type { ContentChange } from '../clone/package-changes.ts'
import type { RenderedContent } from '../clone/rendered-package.ts'
import { isExecutable, type Update } from './file-modes.ts'

/** The executable bits that people turned on or off on files which an update removes. */
export interface BitsOfPeople {
  /** The bit of each new file that upstream made of such a file. */
  readonly moved: ReadonlyMap<string, boolean>
  /** A warning for each such file whose bit no new file gets. */
  readonly results: readonly Result[]
}

const NONE: BitsOfPeople = { moved: new Map(), results: [] }

/**
 * Returns the executable bits that people turned, of the files that upstream gave another name or removed. A new file is made of a removed
 * one if it has the same bytes, or resources of it; of several, if it is the only one with the same name in another folder. A new file that
 * is made of several removed ones gets the bit of the first.
 *
 * @param changes  the changes of the package
 * @param place    the folder of the package, for findings
 */
export function bitsOfPeople(
  { files }: WholeFolder,
  changes: readonly ContentChange[],
  { read, made, upstream }: Update,
  place: string,
): BitsOfPeople {
  const base = read?.base
  if (base === undefined) return NONE
  const created = changes.flatMap(({ op, path }) => (op === 'create' ? [path] : []))
  const moved = new Map<string, boolean>()
  const givers = new Map<string, { readonly path: string; readonly bit: boolean }>()
  const results: Result[] = []
  const removed = changes.flatMap(({ op, path }) => (op === 'delete' ? [path] : []))
  for (const path of removed) {
    const [here, before] = [files.get(path)?.mode, base.modes.get(path)]
    if (here === undefined || before === undefined || isExecutable(here) === isExecutable(before)) continue
    const successor = successorOf(path, created, { read, made })
    const bit = isExecutable(here)
    if (successor === undefined) {
      results.push(bitLost(path, bit, place, 'upstream removed the file, or gave another name to it and changed it'))
      continue
    }
    const giver = givers.get(successor)
    if (giver === undefined) {
      givers.set(successor, { path, bit })
      if (isExecutable(upstream.modes.get(successor) ?? before) !== bit) moved.set(successor, bit)
    } else if (giver.bit !== bit)
      results.push(bitLost(path, bit, place, `\`${successor}\`, which upstream made of the file, has the bit of \`${giver.path}\``))
  }
  return { moved, results }
}

/** Returns the only one of the new files that is made of a removed one; of several, the only one with the same name. */
export function successorOf(path: string, created: readonly string[], { read, made }: Pick<Update, 'read' | 'made'>): string | undefined {
  const madeOf = created.filter((other) => isMadeOf(made.files.get(other), read?.files.get(path)))
  const [successor, ...others] = madeOf.length > 1 ? madeOf.filter((other) => nameOf(other) === nameOf(path)) : madeOf
  return others.length > 0 ? undefined : successor
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function isMadeOf(content: RenderedContent | undefined, former: PackageContent | undefined): boolean {
  if (isBytes(content) || isBytes(former)) return isBytes(content) && isBytes(former) && equalBytes(content, former)
  const identities = new Set(objectsIn(former).map(identityIn))
  return (content ?? []).some(({ object }) => identities.has(identityIn(object)))
}

function bitLost(path: string, executable: boolean, place: string, reason: string): Result {
  return {
    severity: 'warning',
    message: `\`${path}\` is ${executable ? 'executable' : 'not executable'} here by an edit; ${reason}, so that the edit is lost`,
    file: { path: joinPath(place, path), index: 0 },
    tags: { rule: 'edit-lost' },
  }
}
