import { type JsonValue, newRecord } from '../../json.ts'
import { NODES } from './builder.ts'
import { type ObjectFrame, readFast } from './fast-reader.ts'
import type { MapNode, Node } from './node.ts'
import { plainValue, scalarValue } from './node-value.ts'
import { expressionOf, hasPlainLines, LONGEST_PATTERN, type PassedLines, plainLines } from './plain-maps.ts'
import { RecentPatterns } from './recent-patterns.ts'
import type { Wanted } from './wanted.ts'

/**
 * Reads the values of some keys of objects of plain maps (`isOfPlainMaps`). Most objects of a list have the keys of another object: an
 * expression is made of the lines of the first, and reads the scalars of the next such object at once, in a fifth of the time of the fast
 * reader. The values are those of the fast reader.
 */
export class PlainValues {
  readonly #wanted: Wanted
  readonly #shapes = new RecentPatterns<ValuesShape>()

  constructor(wanted: Wanted) {
    this.#wanted = wanted
  }

  /**
   * Returns the wanted keys behind the passed lines of an object. Undefined means nothing: the fast reader must read the object.
   *
   * @param passed  undefined if no line was passed
   */
  read(text: string, frame: ObjectFrame, passed: PassedLines | undefined): JsonValue | undefined {
    if (passed === undefined || passed.end === 0 || passed.root.some((key) => this.#wanted.has(key))) return undefined
    const known = this.#shapes.find((shape) => shape.read(text, passed.end))
    return known ?? (this.#shapes.takeCredit() ? this.#readNew(text, frame, passed) : undefined)
  }

  #readNew(text: string, frame: ObjectFrame, passed: PassedLines): JsonValue | undefined {
    if (text.length - passed.end > LONGEST_PATTERN || !hasPlainLines(text, passed)) return undefined
    const root = readFast(text, NODES, { frame, wanted: this.#wanted })
    const shape = root?.type === 'map' ? shapeOf(root, text, passed.end) : undefined
    if (shape !== undefined) this.#shapes.add(shape)
    return shape?.read(text, passed.end)
  }
}

/** A value of the objects of one shape: equal in all, the scalar of a group of the expression, or a map or list of such values. */
type Template =
  | { readonly type: 'equal'; readonly value: JsonValue }
  | { readonly type: 'scalar'; readonly group: number }
  | { readonly type: 'list'; readonly items: readonly Template[] }
  | { readonly type: 'map'; readonly entries: readonly TemplateEntry[] }

interface TemplateEntry {
  readonly key: string
  readonly value: Template
}

/** The objects whose lines have the same keys and items. */
class ValuesShape {
  readonly #expression: RegExp
  readonly #template: Template

  constructor(expression: RegExp, template: Template) {
    this.#expression = expression
    this.#template = template
  }

  read(text: string, start: number): JsonValue | undefined {
    this.#expression.lastIndex = start
    const found = this.#expression.exec(text)
    return found === null ? undefined : filled(this.#template, found)
  }
}

/** Returns the shape of an object of plain maps, undefined if a wanted value is a list on one line. */
function shapeOf(root: MapNode, text: string, start: number): ValuesShape | undefined {
  const lines = plainLines(text, start)
  const places = new Set(lines.map((line) => line.start))
  const groups = new Map<number, number>()
  const template = templateOf(root, (place) => {
    if (!places.has(place)) return undefined
    groups.set(place, groups.size + 1)
    return groups.size
  })
  return (
    template &&
    new ValuesShape(
      expressionOf(lines, (line) => groups.has(line.start)),
      template,
    )
  )
}

/** @param groupAt  returns the group of the scalar at an offset; called in the order of the text */
function templateOf(node: Node, groupAt: (place: number) => number | undefined): Template | undefined {
  if (node.type === 'scalar') {
    if (node.start === node.end) return { type: 'equal', value: scalarValue(node) }
    const group = groupAt(node.start)
    return group === undefined ? undefined : { type: 'scalar', group }
  }
  if (node.type === 'alias' || node.flow) return undefined
  if (node.type === 'sequence') {
    const items = node.items.flatMap(({ value }) => templateOf(value, groupAt) ?? [])
    return items.length === node.items.length ? { type: 'list', items } : undefined
  }
  const entries = node.entries.flatMap(({ key, value }) => {
    const template = templateOf(value, groupAt)
    return template === undefined ? [] : [{ key: key.text, value: template }]
  })
  return entries.length === node.entries.length ? { type: 'map', entries } : undefined
}

function filled(template: Template, found: RegExpExecArray): JsonValue {
  switch (template.type) {
    case 'equal':
      return template.value
    case 'scalar':
      return writtenValue(found[template.group] ?? '')
    case 'list':
      return template.items.map((item) => filled(item, found))
    case 'map': {
      const record = newRecord()
      for (const { key, value } of template.entries) record[key] = filled(value, found)
      return record
    }
  }
}

/** Returns the value of a scalar as the expression accepts it: in quotes without an escape, or plain. */
function writtenValue(written: string): JsonValue {
  return written.startsWith("'") || written.startsWith('"') ? written.slice(1, -1) : plainValue(written)
}
