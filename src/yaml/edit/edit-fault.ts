import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { Node } from '../read/node.ts'
import type { AliasError } from '../read/node-value.ts'
import { type DuplicateKey, explicitMaps } from '../read/written.ts'
import type { Change } from './changes.ts'
import { isBelow } from './kept-paths.ts'
import { changedReference } from './references.ts'

/** Why a place of an object is neither read nor written. */
export interface EditFault {
  readonly rule: string
  readonly path: FieldPath
  readonly message: string
}

/** An edit that must not be made. */
export class EditError extends Error {
  readonly fault: EditFault

  constructor(fault: EditFault) {
    super(fault.message)
    this.name = 'EditError'
    this.fault = fault
  }
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
  return isBelow(a, b) || isBelow(b, a)
}

/** The first alias elsewhere that would stand for another value after a step. */
export function anchoredFault(root: Node, step: Change): EditFault | undefined {
  const reference = changedReference(root, step)
  if (reference === undefined) return undefined
  const { alias: path, anchor, target } = reference
  const message = `\`${formatFieldPath(path)}\` must be written out: the alias *${anchor} would change with \`${formatFieldPath(target)}\``
  return { rule: 'anchored', path, message }
}

/** What a splice would make something else of than what was asked for. */
export function layoutFault(path: FieldPath): EditFault {
  return { rule: 'unusual-layout', path, message: `\`${formatFieldPath(path)}\` must be in plain YAML to be edited, ${UNUSUAL}` }
}

const UNUSUAL =
  "but what is around it would give the edit another meaning: a tab, a tag, an anchor, '---' on its line, or a map without braces in '[ ]'"
