import { formatFieldPath } from '../field-path.ts'
import { fieldPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { type PlacedComment, shownComment } from '../resource-list/lost-comments.ts'
import type { Position, Result } from '../result.ts'
import { quoteText } from './describe-value.ts'
import { type Fault, faultToResult } from './fault.ts'

/**
 * Returns an error for each duplicate key of a map: most readers use the last value, strict ones refuse the object. A second `kind` with a
 * second `metadata` at the root means that the line `---` between two objects is missing; of the keys at the root, only `kind` is then
 * reported.
 */
export function duplicateKeyFaults(object: KrmObject): Fault[] {
  const twice = object.duplicateKeys()
  if (twice.length === 0) return []
  const atRoot = (key: string) => twice.find(({ path }) => path.length === 1 && path[0] === key)
  const second = atRoot('metadata') && atRoot('kind')
  const named = second === undefined ? twice : twice.filter((each) => each === second || each.path.length > 1)
  return named.map((each) => ({
    severity: 'error',
    rule: 'duplicate-key',
    path: each.path,
    message: `must occur once in its map, but occurs ${listLines(each.positions)}${each === second ? NO_SEPARATOR : ''}`,
    position: each.positions.at(-1),
  }))
}

const NO_SEPARATOR = "; most likely the line '---' between two objects is missing"

/** Returns an error for each alias of an unknown anchor, and for each merge key without a map: an object with one cannot be read. */
export function aliasResults(object: KrmObject): Result[] {
  const unreadable = object.aliases().filter(({ isReadable }) => !isReadable)
  return unreadable.map(({ path, anchor, position }) => ({
    severity: 'error',
    message: `\`${formatFieldPath(path)}\` must be written out: it refers to the anchor '${anchor}', ${path.at(-1) === '<<' ? 'and a merge key needs a map with that anchor above it in the same document' : 'which cannot be followed'}`,
    ...fieldPlace(object, path, position),
    tags: { rule: 'alias' },
  }))
}

/**
 * Returns an error for each duplicate key in the objects, at the last place of the key, with the lines of all places: yaml.v3 of Go
 * refuses to decode such an object, and other readers use the last value. Often the line `---` before a second object is missing.
 */
export function duplicateKeyResults(objects: readonly KrmObject[]): Result[] {
  return objects.flatMap((object) => duplicateKeyFaults(object).map((fault) => faultToResult(object, fault)))
}

/** Returns the lines of two or more places: `in lines 3 and 4`, `2 times in line 3`. */
function listLines(positions: readonly Position[]): string {
  const lines = [...new Set(positions.map(({ line }) => line))]
  if (lines.length === 1) return `${positions.length} times in line ${lines[0]}`
  return `in lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`
}

/** Returns the warning about a comment that is lost with its entry. */
export function commentLost(ours: KrmObject, { field, comment }: PlacedComment): Result {
  const name = field.length > 0 ? formatFieldPath(field) : (ours.name ?? ours.file?.path ?? '')
  const message = `\`${name}\` has the comment ${quoteText(shownComment(ours, comment))} here, which is lost: the entry of the comment was removed or replaced`
  return {
    severity: 'warning',
    message,
    ...(ours.ref.kind === '' && ours.ref.name === '' ? {} : { resourceRef: ours.ref }),
    ...(field.length > 0 && { field: { path: field } }),
    ...(ours.file && { file: ours.file }),
    position: ours.positionOf(field),
    tags: { rule: 'comment-lost' },
  }
}
