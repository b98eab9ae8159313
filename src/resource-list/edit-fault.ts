import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { Node } from './node.ts'
import type { AliasError } from './node-value.ts'
import { type DuplicateKey, explicitMaps } from './written.ts'

/** Why a place of an object is neither read nor written. */
export interface EditFault {
  readonly rule: string
  readonly path: FieldPath
  readonly message: string
}

/** @param asked  the path that was asked for, where the alias is the root of what was read */
export function aliasFault({ anchor, path }: AliasError, asked: FieldPath): EditFault {
  const at = path.length > 0 ? path : asked
  return { rule: 'alias', path: at, message: `\`${formatFieldPath(at)}\` must be written out: the alias *${anchor} is not expanded` }
}

/** The first map on the way to a path, or below it, in which a splice would not know its place. */
export function unsafeFault(root: Node, path: FieldPath, duplicates: readonly DuplicateKey[]): EditFault | undefined {
  const duplicate = duplicates.find((key) => touches(key.path.slice(0, -1), path))
  if (duplicate !== undefined) {
    const lines = duplicate.positions.map(({ line }) => line).join(' and ')
    const message = `\`${formatFieldPath(duplicate.path)}\` must be there once, stands on lines ${lines}`
    return { rule: 'duplicate-key', path: duplicate.path, message }
  }
  const explicit = explicitMaps(root).find((map) => touches(map, path))
  if (explicit === undefined) return undefined
  const message = `\`${formatFieldPath(explicit)}\` must be written with plain keys to be edited, has keys behind '? '`
  return { rule: 'explicit-key', path: explicit, message }
}

/** Whether one path leads to the other. */
function touches(a: FieldPath, b: FieldPath): boolean {
  const shorter = Math.min(a.length, b.length)
  return a.slice(0, shorter).every((step, index) => step === b[index])
}
