import { isAlias, isMap, isScalar, type Node, parseDocument, type YAMLMap } from 'yaml'

/** Returns true if a text is one YAML document with a map, as a resource is. */
export function isReadable(text: string): boolean {
  const { errors, contents } = parseDocument(text, { uniqueKeys: false })
  return errors.length === 0 && isMap(contents)
}

/**
 * The text of a resource with annotations put in front of its own. Nothing else of it changes, and no code of the product has a
 * hand in it.
 *
 * @throws when the text has none of the forms that an orchestrator can add an annotation to
 */
export function withAnnotations(text: string, annotations: Readonly<Record<string, string>>): string {
  return insert(text, mapOf(parseDocument(text, { uniqueKeys: false }).contents), ['metadata', 'annotations'], annotations)
}

function mapOf(node: unknown): YAMLMap {
  if (!isMap(node)) throw new Error('no annotation can be added to what is no map')
  return node
}

/** Puts the annotations into the map at the end of a path; what is missing on the way is written before the first key. */
function insert(text: string, map: YAMLMap, [key, ...rest]: readonly string[], annotations: Readonly<Record<string, string>>): string {
  if (key === undefined) return writeInto(text, map, annotations)
  const pair = map.items.find((each) => isScalar(each.key) && each.key.value === key)
  const value = pair?.value
  if (isMap(value) && value.items.length > 0) return insert(text, value, rest, annotations)
  const nested = rest.reduceRight<object>((inner, name) => ({ [name]: inner }), annotations)
  if (pair === undefined) return writeInto(text, map, { [key]: nested })
  const isEmpty = value === null || (isScalar(value) && value.value === null) || isMap(value)
  if (!isEmpty || isAlias(value)) throw new Error(`no annotation can be added to ${key}`)
  const [start, end] = isScalar(value) || isMap(value) ? rangeOf(value) : rangeAfter(pair.key)
  return `${text.slice(0, start)} ${flow(nested)}${text.slice(end)}`
}

/** Entries in front of those of a map that has some, in its own style. */
function writeInto(text: string, map: YAMLMap, entries: object): string {
  const [start] = rangeOf(map)
  if (map.flow) return `${text.slice(0, start + 1)}${flow(entries).slice(1, -1)}${map.items.length > 0 ? ', ' : ''}${text.slice(start + 1)}`
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1))
  const lines = Object.entries(entries).map(
    ([key, value]) => `${JSON.stringify(key)}: ${typeof value === 'string' ? JSON.stringify(value) : flow(value)}`,
  )
  return `${text.slice(0, start)}${lines.join(`\n${indent}`)}\n${indent}${text.slice(start)}`
}

function flow(value: object): string {
  return JSON.stringify(value)
}

function rangeOf(node: Node): readonly [number, number] {
  const [start, end] = node.range ?? [0, 0]
  return [start, end]
}

/** The place behind the colon of a key without a value. */
function rangeAfter(key: unknown): readonly [number, number] {
  const end = (isScalar(key) ? rangeOf(key)[1] : 0) + 1
  return [end, end]
}
