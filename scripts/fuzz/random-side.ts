import { isRecord } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError } from '../../src/result.ts'
import { type Block, blockAt, ownsLines } from '../../src/yaml/edit/block.ts'
import { type Node, walk } from '../../src/yaml/read/node.ts'
import { randomEdit } from './edit.ts'
import type { Random } from './random.ts'

/**
 * A text as a person leaves it after a few edits of values and comments, where it can be edited. `name` is in every comment that is
 * written.
 */
export function randomSide(random: Random, text: string, name: string): string {
  let side = text
  for (let n = random.below(4); n > 0; n--) side = random.oneIn(3) ? withComment(random, side, `# ${name}${n}`) : withEdit(random, side)
  return side
}

function withEdit(random: Random, text: string): string {
  const object = KrmObject.fromDocument(text)
  try {
    const value = object.get([])
    if (!isRecord(value)) return text
    const edit = randomEdit(random, value)
    if (edit.op === 'set') object.set(edit.path, edit.value)
    else object.delete(edit.path)
    return isRecord(object.get([])) ? object.toText() : text
  } catch (error) {
    if (error instanceof FunctionError) return text
    throw error
  }
}

/** Above an entry of a block map or list, or behind it. */
function withComment(random: Random, text: string, comment: string): string {
  const blocks = [...blocksIn(text, KrmObject.fromDocument(text).written().node)]
  if (blocks.length === 0) return text
  const block = random.pick(blocks)
  if (random.oneIn(2) && block.behind !== undefined) return `${text.slice(0, block.behind.start)} ${comment}${text.slice(block.behind.end)}`
  const line = `${' '.repeat(block.column)}${comment}\n`
  const start = block.body - block.column
  return ownsLines(text, block) ? text.slice(0, start) + line + text.slice(start) : text
}

/** Every entry of a block map or list below a node. */
function* blocksIn(text: string, root: Node): Generator<Block> {
  for (const { node } of walk(root)) {
    const steps = node.type === 'map' ? node.entries.map(({ key }) => key.text) : node.type === 'sequence' ? [...node.items.keys()] : []
    for (const step of steps) {
      const block = blockAt(text, node, step)
      if (block !== undefined) yield block
    }
  }
}
