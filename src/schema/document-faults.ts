import { formatFieldPath } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Position, Result } from '../result.ts'
import type { Fault } from './fault.ts'

/** Keys that stand twice in one map, of which most readers take the last and strict ones refuse both. */
export function duplicateKeyFaults(object: KrmObject): Fault[] {
  return object.duplicateKeys().map(({ path, positions }) => ({
    severity: 'error',
    rule: 'duplicate-key',
    path,
    message: `must stand once in its map, but stands in lines ${listLines(positions)}`,
    position: positions.at(-1),
  }))
}

/** Aliases and merge keys. They are never expanded, so an object that has one cannot be read. */
export function aliasResults(object: KrmObject): Result[] {
  return object.aliases().map(({ path, anchor, position }) => ({
    severity: 'error',
    message: `\`${formatFieldPath(path)}\` must be written out: it stands for the anchor '${anchor}', and aliases are not followed`,
    resourceRef: object.ref,
    field: { path },
    ...(object.file && { file: object.file }),
    position,
    tags: { rule: 'alias' },
  }))
}

function listLines(positions: readonly Position[]): string {
  const lines = positions.map(({ line }) => String(line))
  return `${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`
}
