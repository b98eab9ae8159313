import { targetWithin } from '../../folder/inside-folder.ts'
import type { NamedFolder } from '../../folder/named-folder.ts'
import type { WholeFolder } from '../../folder/whole-folder.ts'
import { joinPath } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { shellPath } from '../../shell-word.ts'
import type { ContentChange } from '../clone/package-changes.ts'
import { successorOf } from './bits-of-people.ts'
import type { Update } from './file-modes.ts'

/**
 * Returns a warning for each symbolic link of people in a package that leads to what the update removes, with the new place of the target
 * if upstream gave it another name. The link stays as it is, as in kpt: where it is to lead is for people to say.
 *
 * @param changes  the changes of the package
 * @param place    the folder of the package
 */
export function brokenLinks(
  { files, links }: WholeFolder,
  changes: readonly ContentChange[],
  update: Pick<Update, 'read' | 'made'>,
  place: NamedFolder,
): readonly Result[] {
  const pathsOf = (op: ContentChange['op']) => changes.flatMap((change) => (change.op === op ? [change.path] : []))
  const [created, removed] = [pathsOf('create'), new Set(pathsOf('delete'))]
  if (removed.size === 0) return []
  const stays = [...files.keys(), ...created].filter((path) => !removed.has(path))
  return links.flatMap((link): readonly Result[] => {
    const target = targetWithin(place.disk, link)
    if (target === undefined || stays.some((path) => isAtOrIn(path, target))) return []
    const gone = [...removed].filter((path) => isAtOrIn(path, target))
    if (gone.length === 0) return []
    const places = new Set(gone.map((path) => newPlace(path.slice(target.length), successorOf(path, created, update))))
    const [successor] = places.size === 1 ? places : []
    return [brokenLink({ link, target, successor }, place)]
  })
}

function isAtOrIn(path: string, target: string): boolean {
  return path === target || path.startsWith(`${target}/`)
}

/** Returns the new place of a target, in which a file has the path `rest`. */
function newPlace(rest: string, successor: string | undefined): string | undefined {
  return successor?.endsWith(rest) === true ? successor.slice(0, successor.length - rest.length) : undefined
}

interface BrokenLink {
  readonly link: string
  readonly target: string
  readonly successor: string | undefined
}

function brokenLink({ link, target, successor }: BrokenLink, { shown }: NamedFolder): Result {
  const path = joinPath(shown, link)
  const up = '../'.repeat(link.split('/').length - 1)
  const fate =
    successor === undefined
      ? 'upstream removed that, or gave another name to it and changed it, so that the link leads nowhere'
      : `upstream named that \`${successor}\`, so that the link leads nowhere: \`ln -sfn ${shellPath(up + successor)} ${shellPath(path)}\` corrects it`
  return {
    severity: 'warning',
    message: `\`${link}\` is a symbolic link to \`${target}\` by an edit; ${fate}`,
    file: { path, index: 0 },
    tags: { rule: 'edit-lost' },
  }
}
