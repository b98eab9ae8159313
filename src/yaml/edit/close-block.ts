import { NODES } from '../read/builder.ts'
import { readFast } from '../read/fast-reader.ts'
import type { Node, ScalarNode } from '../read/node.ts'
import { readYaml, YamlError } from '../read/yaml-reader.ts'

const HEADER = /[|>]([1-9]?)([-+]?)([1-9]?)/y

/**
 * A text in which the last line does not end, so that a line break behind it belongs to no value: where it ends inside a block scalar,
 * that is to have no line break at its end. It may have ended its last line then.
 */
export function closeBlock(text: string): string {
  const last = lastScalar(read(text))
  if (last === undefined || (last.style !== 'literal' && last.style !== 'folded')) return text
  HEADER.lastIndex = last.start
  const [header = '', before = '', chomping = '', behind = ''] = HEADER.exec(text) ?? []
  // Blanks on the last line are none of the value; ended, the line would be.
  if (last.text.endsWith('\n')) return chomping === '+' ? text.replace(/\n +$/, '\n') : text
  return `${text.slice(0, last.start + 1)}${before}${behind}-${text.slice(last.start + header.length)}`
}

function lastScalar(node: Node | undefined): ScalarNode | undefined {
  if (node?.type === 'map') return lastScalar(node.entries.at(-1)?.value)
  if (node?.type === 'sequence') return lastScalar(node.items.at(-1)?.value)
  return node?.type === 'scalar' ? node : undefined
}

/** undefined: not by itself, since an alias in it stands for something above. */
function read(text: string): Node | undefined {
  try {
    return readFast(text, NODES, { frame: 'document' }) ?? readYaml(text)
  } catch (error) {
    if (error instanceof YamlError) return undefined
    throw error
  }
}
