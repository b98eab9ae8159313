import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { AliasError } from '../read/node-value.ts'
import type { Reference } from './references.ts'

/** The reason why a field is neither read nor written. */
export interface EditFault {
  readonly rule: string
  readonly path: FieldPath
  readonly message: string
}

/** An error for an edit that must not be made. */
export class EditError extends Error {
  readonly fault: EditFault

  constructor(fault: EditFault) {
    super(fault.message)
    this.name = 'EditError'
    this.fault = fault
  }
}

/**
 * Returns the fault of an alias that is not expanded.
 *
 * @param asked  the requested path, used when the alias is the root of the value that was read
 */
export function aliasFault({ anchor, path }: AliasError, asked: FieldPath): EditFault {
  const at = path.length > 0 ? path : asked
  return { rule: 'alias', path: at, message: `\`${formatFieldPath(at)}\` must be written out: the alias *${anchor} is not expanded` }
}

/** Returns the fault of a key that occurs twice in a map to be edited. */
export function duplicateFault(path: FieldPath, lines: readonly number[]): EditFault {
  const message = `\`${formatFieldPath(path)}\` must be there once, stands on lines ${lines.join(' and ')}`
  return { rule: 'duplicate-key', path, message }
}

/** Returns the fault of a map to be edited that has `? ` keys. */
export function explicitFault(path: FieldPath): EditFault {
  const message = `\`${formatFieldPath(path)}\` must be written with plain keys to be edited, has keys behind '? '`
  return { rule: 'explicit-key', path, message }
}

/** Returns the fault of an edit that would change the value of an alias elsewhere. */
export function anchoredFault({ alias: path, anchor, target }: Reference): EditFault {
  const message = `\`${formatFieldPath(path)}\` must be written out: the alias *${anchor} would change with \`${formatFieldPath(target)}\``
  return { rule: 'anchored', path, message }
}

/** Returns the fault of an edit whose splices would give the text another meaning than the edit asks for. */
export function layoutFault(path: FieldPath): EditFault {
  return { rule: 'unusual-layout', path, message: `\`${formatFieldPath(path)}\` must be in plain YAML to be edited, ${UNUSUAL}` }
}

const UNUSUAL =
  "but what is around it would give the edit another meaning: a tab, a tag, an anchor, '---' on its line, or a map without braces in '[ ]'"
