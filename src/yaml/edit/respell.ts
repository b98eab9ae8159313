import type { FieldPath } from '../../field-path.ts'
import type { JsonValue } from '../../json.ts'
import { type Node, nodesAlong, walk } from '../read/node.ts'
import { nodeValue } from '../read/node-value.ts'
import { scalarValue } from '../read/scalar-value.ts'
import { isBelow, keptPaths } from './kept-paths.ts'
import { applySplices, type Splice } from './splice.ts'

/**
 * The text with numbers, booleans and nulls below a path spelled as in the node that they were copied from: `0644`, `1.0`, `~`.
 * Those that had their value before keep their own spelling.
 *
 * @param before  the value at the path before it was copied
 */
export function respell(text: string, root: Node, path: FieldPath, source: Node, before: JsonValue | undefined): string {
  const kept = keptPaths(before, nodeValue(source))
  const splices: Splice[] = []
  for (const step of walk(source)) {
    if (step.node.type !== 'scalar' || step.node.style !== 'plain' || typeof scalarValue(step.node) === 'string') continue
    const copy = nodesAlong(root, [...path, ...step.path])[path.length + step.path.length]
    if (copy?.type !== 'scalar' || copy.text === step.node.text || step.node.text === '') continue
    if (!kept.some((prefix) => isBelow(step.path, prefix))) splices.push({ start: copy.start, end: copy.end, text: step.node.text })
  }
  return applySplices(text, splices)
}
