import type { FieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonValue, lookup } from '../json.ts'
import { type Node, nodesAlong, walk } from './node.ts'
import { scalarValue } from './scalar-value.ts'
import { applySplices, type Splice } from './splice.ts'

/**
 * The text with numbers, booleans and nulls below a path spelled as in the node that they were copied from: `0644`, `1.0`, `~`.
 * Those that had their value before keep their own spelling.
 *
 * @param before  the value at the path before it was copied
 */
export function respell(text: string, root: Node, path: FieldPath, source: Node, before: JsonValue | undefined): string {
  const splices: Splice[] = []
  for (const step of walk(source)) {
    if (step.node.type !== 'scalar' || step.node.style !== 'plain' || typeof scalarValue(step.node) === 'string') continue
    const copy = nodesAlong(root, [...path, ...step.path])[path.length + step.path.length]
    const kept = equalJson(valueAt(before, step.path), scalarValue(step.node))
    if (copy?.type === 'scalar' && !kept && copy.text !== step.node.text && step.node.text !== '') {
      splices.push({ start: copy.start, end: copy.end, text: step.node.text })
    }
  }
  return applySplices(text, splices)
}

function valueAt(value: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)]
    return isRecord(inner) ? lookup(inner, String(step)) : undefined
  }, value)
}
