import { formatFieldPath } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Position, Result } from '../result.ts'
import { type Fault, faultToResult } from './fault.ts'

/**
 * Finds keys that stand twice in one map, of which most readers take the last and strict ones refuse both. A second `kind` and a second
 * `metadata` at the root are two objects without the line `---` between them: then of the keys at the root only `kind` is named.
 */
export function duplicateKeyFaults(object: KrmObject): Fault[] {
  const twice = object.duplicateKeys()
  const atRoot = (key: string) => twice.find(({ path }) => path.length === 1 && path[0] === key)
  const second = atRoot('metadata') && atRoot('kind')
  const named = second === undefined ? twice : twice.filter((each) => each === second || each.path.length > 1)
  return named.map((each) => ({
    severity: 'error',
    rule: 'duplicate-key',
    path: each.path,
    message: `must stand once in its map, but stands in lines ${listLines(each.positions)}${each === second ? NO_SEPARATOR : ''}`,
    position: each.positions.at(-1),
  }))
}

const NO_SEPARATOR = "; most likely the line '---' between two objects is missing"

/** Merge keys, and aliases of something that is not known: an object that has one cannot be read. */
export function aliasResults(object: KrmObject): Result[] {
  const unreadable = object.aliases().filter(({ isReadable }) => !isReadable)
  return unreadable.map(({ path, anchor, position }) => ({
    severity: 'error',
    message: `\`${formatFieldPath(path)}\` must be written out: it stands for the anchor '${anchor}', ${path.at(-1) === '<<' ? 'and merge keys are not followed' : 'which cannot be followed'}`,
    resourceRef: object.ref,
    field: { path },
    ...(object.file && { file: object.file }),
    position,
    tags: { rule: 'alias' },
  }))
}

/**
 * Reports every key that stands twice in a map of one of the objects, at its last place with the lines of all: yaml.v3 of Go refuses to
 * decode such an object, and other readers take the last value. Often a line `---` before the second is lost.
 */
export function duplicateKeyResults(objects: readonly KrmObject[]): Result[] {
  return objects.flatMap((object) => duplicateKeyFaults(object).map((fault) => faultToResult(object, fault)))
}

function listLines(positions: readonly Position[]): string {
  const lines = positions.map(({ line }) => String(line))
  return `${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`
}
