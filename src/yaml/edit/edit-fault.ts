import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { AliasError } from '../read/node-value.ts'
import type { Reference } from './references.ts'

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

/** A key stands twice in a map that is to be edited. */
export function duplicateFault(path: FieldPath, lines: readonly number[]): EditFault {
  const message = `\`${formatFieldPath(path)}\` must be there once, stands on lines ${lines.join(' and ')}`
  return { rule: 'duplicate-key', path, message }
}

/** A map that is to be edited has keys behind `? `. */
export function explicitFault(path: FieldPath): EditFault {
  const message = `\`${formatFieldPath(path)}\` must be written with plain keys to be edited, has keys behind '? '`
  return { rule: 'explicit-key', path, message }
}

/** An alias elsewhere would stand for another value after an edit. */
export function anchoredFault({ alias: path, anchor, target }: Reference): EditFault {
  const message = `\`${formatFieldPath(path)}\` must be written out: the alias *${anchor} would change with \`${formatFieldPath(target)}\``
  return { rule: 'anchored', path, message }
}

/** What a splice would make something else of than what was asked for. */
export function layoutFault(path: FieldPath): EditFault {
  return { rule: 'unusual-layout', path, message: `\`${formatFieldPath(path)}\` must be in plain YAML to be edited, ${UNUSUAL}` }
}

const UNUSUAL =
  "but what is around it would give the edit another meaning: a tab, a tag, an anchor, '---' on its line, or a map without braces in '[ ]'"
