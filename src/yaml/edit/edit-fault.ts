import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { Position } from '../../result.ts'
import type { RuleId } from '../../rules/rule-id.ts'
import type { AliasError } from '../read/alias-targets.ts'
import { type MapNode, type Node, nodesAlong } from '../read/node.ts'
import { duplicatesIn } from '../read/written.ts'
import { membersOf } from './members.ts'
import type { Reference } from './references.ts'

/** The reason why a field is neither read nor written. */
export interface EditFault {
  readonly rule: RuleId
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
function duplicateFault(path: FieldPath, lines: readonly number[]): EditFault {
  const message = `\`${formatFieldPath(path)}\` must occur once, occurs on lines ${lines.join(' and ')}`
  return { rule: 'duplicate-key', path, message }
}

/** Returns the fault of a map to be edited that has `? ` keys. */
function explicitFault(path: FieldPath): EditFault {
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

/** Maps that splices cannot edit: those with a repeated key or a `? ` key. Only unusual texts have such maps. */
export class UnsafeMaps {
  readonly #root: Node
  readonly #faults = new Map<Node, EditFault>()
  /** The first fault at or below each node. */
  readonly #below = new Map<Node, EditFault>()

  /** @param locate  returns the position in the file, for messages */
  constructor(root: Node, locate: (offset: number) => Position) {
    this.#root = root
    this.#find(root, [], locate)
  }

  #find(node: Node, path: FieldPath, locate: (offset: number) => Position): EditFault | undefined {
    const own = node.type === 'map' ? faultOf(node, path, locate) : undefined
    if (own !== undefined) this.#faults.set(node, own)
    let first = own
    const members = membersOf(node)
    for (const [index, { key, value }] of members.entries()) {
      const below = this.#find(value, [...path, key?.text ?? index], locate)
      first ??= below
    }
    if (first !== undefined) this.#below.set(node, first)
    return first
  }

  /** Returns the first fault on the way to a path, or below it. */
  faultAt(path: FieldPath): EditFault | undefined {
    if (this.#below.size === 0) return undefined
    const nodes = nodesAlong(this.#root, path)
    const onTheWay = nodes.map((node) => this.#faults.get(node)).find((fault) => fault !== undefined)
    const last = nodes.length > path.length ? nodes.at(-1) : undefined
    return onTheWay ?? (last && this.#below.get(last))
  }
}

function faultOf(map: MapNode, path: FieldPath, locate: (offset: number) => Position): EditFault | undefined {
  const [duplicate] = duplicatesIn(map, path, locate)
  if (duplicate !== undefined)
    return duplicateFault(
      duplicate.path,
      duplicate.positions.map(({ line }) => line),
    )
  return map.explicit === true ? explicitFault(path) : undefined
}
