import type { FieldPath } from '../../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, newRecord } from '../../json.ts'
import type { Node } from '../read/node.ts'
import { scalarValue } from '../read/scalar-value.ts'
import { readYaml, YamlError } from '../read/yaml-reader.ts'
import type { Change } from './changes.ts'

/**
 * Whether a text after one step of an edit means what the text before did, and at the path of the step what was asked for.
 *
 * @param root  what a reader made of the object in the text before
 */
export function isAsAsked(before: string, root: Node, step: Change, after: string): boolean {
  const whole = readYaml(before)
  const asked = { ...step, path: [...pathTo(whole, root), ...step.path] }
  try {
    return equalJson(meaning(readYaml(after)), afterStep(meaning(whole), asked))
  } catch (error) {
    if (error instanceof YamlError) return false
    throw error
  }
}

/** Where the object stands in its text: behind a dash or key, unless it is the document. */
function pathTo(whole: Node, root: Node): FieldPath {
  if (whole.start === root.start) return []
  return whole.type === 'map' ? [whole.entries[0]?.key.text ?? ''] : [0]
}

/** The value of a node in which an alias is what it is, a name. */
function meaning(node: Node): JsonValue {
  if (node.type === 'scalar') return scalarValue(node)
  if (node.type === 'alias') return { '*': node.anchor ?? '' }
  if (node.type === 'sequence') return node.items.map(({ value }) => meaning(value))
  const record = newRecord()
  for (const { key, value } of node.entries) record[key.text] = meaning(value)
  return record
}

function afterStep(value: JsonValue | undefined, step: Change): JsonValue {
  const [part, ...path] = step.path
  if (part === undefined) return step.op === 'delete' ? null : step.value
  const inner = { ...step, path }
  return typeof part === 'number'
    ? listAfter(Array.isArray(value) ? value : [], part, inner)
    : recordAfter(isRecord(value) ? value : {}, part, inner)
}

function listAfter(list: readonly JsonValue[], index: number, inner: Change): JsonValue {
  if (inner.path.length > 0 || inner.op === 'put') return list.toSpliced(index, 1, afterStep(list[index], inner))
  return inner.op === 'delete' ? list.toSpliced(index, 1) : list.toSpliced(index, 0, inner.value)
}

function recordAfter(record: JsonRecord, key: string, inner: Change): JsonValue {
  const others = Object.entries(record).filter(([other]) => other !== key)
  if (inner.path.length === 0 && inner.op === 'delete') return Object.fromEntries(others)
  return Object.fromEntries([...others, [key, afterStep(lookup(record, key), inner)]])
}
