import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ExplainedCall, functionOfImage } from '../../src/convert/explain-overlay.ts'
import { lookupExpr, valueName, whereOf } from '../../src/convert/fleet-texts.ts'
import {
  findTable,
  type LabeledValue,
  readTableExpr,
  tableBy,
  tableComment,
  tableCommentStart,
  tableExpr,
  type ValueTable,
} from '../../src/convert/value-tables.ts'
import type { FieldPath } from '../../src/field-path.ts'
import { readVendorObjects, type VendorObject } from '../../src/intake/vendor-objects.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, scalarText } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { CLUSTERS_FILE, clusterValues, VALUES_FILE } from './cluster-setters.ts'
import { listAt, shapeOf, valuesOf } from './drop-calls.ts'
import { fleetObjects, withFleetObjects } from './fleet-objects.ts'
import { matrixInFile } from './object-in-file.ts'
import { writeFile } from './write-fleet.ts'

/** A table of a matrix whose values stand in the values of each cluster for the time of a conversion. */
interface SpreadTable {
  readonly name: string
  readonly mutator: string
  readonly key: string
  readonly table: ValueTable
  /** The expression as it was written. */
  readonly text: string
  /** The values that the clusters had under this name, which no expression read. */
  readonly before: ReadonlyMap<string, JsonValue>
}

/** The tables of a fleet, and the texts of the files that had them. */
export interface SpreadTables {
  readonly tables: readonly SpreadTable[]
  readonly texts: ReadonlyMap<string, string>
}

export const NO_TABLES: SpreadTables = { tables: [], texts: new Map() }

/**
 * Writes the values of tables into the values of each cluster, and reads them there, so that the rest of a conversion knows one form alone.
 * A table that lacks a cluster stays, as any other expression that people wrote.
 */
export function spreadTables(names: Iterable<string>, work: string): SpreadTables {
  const values = fleetObjects(work, VALUES_FILE)
  const labels = labelsOfClusters(work)
  const tables: SpreadTable[] = []
  const texts = new Map<string, string>()
  for (const name of names) {
    const file = matrixFile(name)
    const inFile = matrixInFile(work, name)
    if (inFile === undefined) continue
    const matrix = inFile.object
    const own = expressionsOf(matrix).flatMap((place) => spread(name, place, values, labels) ?? [])
    if (own.length === 0) continue
    for (const { place } of own) matrix.set(place.path, lookupExpr(name, place.value))
    for (const override of new Set(own.flatMap(({ place }) => (place.override === undefined ? [] : [place.override])))) {
      const [first] = listAt(matrix, [...override, 'template', 'pipeline', 'mutators'])
      const shape = first && shapeOf(first)
      if (shape !== undefined && matrix.get([...override, 'where']) === undefined) matrix.set([...override, 'where'], whereOf(name, shape))
    }
    tables.push(...own.map(({ table }) => table))
    texts.set(file, readFileSync(join(work, file), 'utf8'))
    writeFile(work, file, inFile.fileWith(matrix.toText()))
  }
  if (tables.length > 0) {
    texts.set(VALUES_FILE, readFileSync(join(work, VALUES_FILE), 'utf8'))
    writeFile(work, VALUES_FILE, withFleetObjects(work, VALUES_FILE, values))
  }
  return { tables, texts }
}

/**
 * Writes the values of one table into those of each cluster with the package. Returns undefined, and does nothing, if one is not in the
 * table.
 */
function spread(name: string, place: Expression, values: readonly VendorObject[], labels: ClusterLabels) {
  const table = readTableExpr(place.text)
  if (table === undefined) return undefined
  const users = usersOf(name, values)
  const texts = users.map(({ name: cluster = '' }) => table.entries.get(labels.get(cluster)?.get(table.label) ?? ''))
  if (users.length === 0 || texts.includes(undefined)) return undefined
  const before = new Map<string, JsonValue>()
  for (const [index, user] of users.entries()) {
    const old = user.get(['spec', name, place.value])
    if (old !== undefined) before.set(user.name ?? '', old)
    user.set(['spec', name, place.value], texts[index] ?? '')
  }
  return { place, table: { name, mutator: scalarText(place.mutator.name), key: place.key, table, text: place.text, before } }
}

/**
 * Makes a table of each value that one label decides in all clusters with the package, and takes it out of their values: of values that had
 * a table before, and of those of new packages. Returns a line for each table that the clusters no longer follow.
 */
export function gatherTables(names: Iterable<string>, { tables, texts }: SpreadTables, work: string): readonly string[] {
  const [values, labels, added] = [fleetObjects(work, VALUES_FILE), labelsOfClusters(work), new Set(names)]
  const lines: string[] = []
  let isChanged = false
  for (const name of new Set([...added, ...tables.map((each) => each.name)])) {
    const file = matrixFile(name)
    const inFile = matrixInFile(work, name)
    if (inFile === undefined) continue
    const matrix = inFile.object
    const users = usersOf(name, values)
    const known = tables.filter((each) => each.name === name)
    const found = expressionsOf(matrix)
      .filter(({ text, value }) => text === lookupExpr(name, value))
      .map((place): Gathered => {
        const old = known.find(({ mutator, key }) => key === place.key && mutator === scalarText(place.mutator.name))
        const own = old !== undefined || added.has(name) ? tableOf(name, place, users, labels, old) : undefined
        return { place, old, table: own !== undefined && isOnlyReadBy(name, matrix, place, users) ? own : undefined }
      })
      .filter(({ old, table }) => old !== undefined || table !== undefined)
    if (found.length === 0) continue
    for (const { place, old, table } of found) if (old !== undefined && table === undefined) lines.push(brokenText(name, place, old))
    isChanged ||= gather(name, matrix, found, users)
    writeAsBefore(work, file, inFile.fileWith(withComments(matrix, found)), texts)
  }
  if (isChanged) writeAsBefore(work, VALUES_FILE, withFleetObjects(work, VALUES_FILE, values), texts)
  return lines
}

function tableOf(
  name: string,
  { value }: Expression,
  users: readonly KrmObject[],
  labels: ClusterLabels,
  old: SpreadTable | undefined,
): ValueTable | undefined {
  const own = users.map((user): LabeledValue => {
    const text = user.get(['spec', name, value])
    return { labels: labels.get(user.name ?? '') ?? new Map(), value: typeof text === 'string' ? text : undefined }
  })
  return old === undefined ? findTable(own) : tableBy(old.table.label, own, old.table.entries)
}

/** Writes tables into a matrix, and takes their values out of the clusters. Returns false if there is no table. */
function gather(name: string, matrix: KrmObject, found: readonly Gathered[], users: readonly KrmObject[]): boolean {
  const tables = found.flatMap(({ table, ...each }) => (table === undefined ? [] : [{ ...each, table }]))
  const conditions = tables.flatMap(({ place }) => {
    const where = ownWhere(name, matrix, place)
    return where === undefined ? [] : [where]
  })
  for (const { place, old, table } of tables) {
    const expr = tableExpr(table)
    matrix.set(place.path, old !== undefined && expr === tableExpr(old.table) ? old.text : expr)
    for (const user of users) {
      const before = old?.before.get(user.name ?? '')
      if (before === undefined) user.delete(['spec', name, place.value])
      else user.set(['spec', name, place.value], before)
    }
  }
  for (const where of conditions) matrix.delete(where)
  return tables.length > 0
}

/** The expression of one value in a matrix. */
interface Expression {
  readonly path: FieldPath
  readonly text: string
  readonly mutator: JsonRecord
  readonly key: string
  /** The name that the value has in the values of a cluster. */
  readonly value: string
  /** The override that has the expression; undefined for the template. */
  readonly override: FieldPath | undefined
}

/** A value to make a table of; without a table, one that the clusters no longer follow, or that never had one. */
interface Gathered {
  readonly place: Expression
  readonly old: SpreadTable | undefined
  readonly table: ValueTable | undefined
}

function expressionsOf(matrix: KrmObject): readonly Expression[] {
  const overrides = listAt(matrix, ['spec', 'overrides']).map((_each, index): FieldPath => ['spec', 'overrides', index])
  return [undefined, ...overrides].flatMap((override) => {
    const list: FieldPath = [...(override ?? ['spec']), 'template', 'pipeline', 'mutators']
    return listAt(matrix, list).flatMap((mutator, index) => {
      const fn = functionOfImage(scalarText(mutator.image))
      if (fn === undefined) return []
      const texts = Object.entries(asRecord(mutator.configMap)).map(([key, value]) => [key, scalarText(value)] as const)
      const call: ExplainedCall = { fn, fixed: Object.fromEntries(texts), values: {} }
      const path: FieldPath = [...list, index, 'configMapExprs']
      return listAt(matrix, path).map(({ key, valueExpr }, at): Expression => {
        const own = { key: scalarText(key), value: valueName(call, scalarText(key)) }
        return { ...own, path: [...path, at, 'valueExpr'], text: scalarText(valueExpr), mutator, override }
      })
    })
  })
}

/** Returns the condition of the override of an expression, if it is the one that convert writes. */
function ownWhere(name: string, matrix: KrmObject, { override, mutator }: Expression): FieldPath | undefined {
  const shape = shapeOf(mutator)
  if (override === undefined || shape === undefined) return undefined
  const path: FieldPath = [...override, 'where']
  return matrix.get(path) === whereOf(name, shape) ? path : undefined
}

/** Returns true if no other text of a matrix needs a value among those of the clusters. A condition that all clusters meet does not. */
function isOnlyReadBy(name: string, matrix: KrmObject, place: Expression, users: readonly KrmObject[]): boolean {
  const where = ownWhere(name, matrix, place)
  const isMet = users.every((user) => valuesOf(place.mutator).every(({ value }) => user.get(['spec', name, value]) !== undefined))
  const others = KrmObject.fromDocument(matrix.toText())
  others.delete(place.path)
  if (where !== undefined && isMet) others.delete(where)
  return !textsIn(others.toJson()).some((text) => text.includes(`'${place.value}'`))
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : []
}

/** Returns the text of a matrix with a comment above each table, and without those of tables that are gone. */
function withComments(matrix: KrmObject, found: readonly Gathered[]): string {
  const object = KrmObject.fromDocument(matrix.toText())
  const lines = object.toText().split('\n')
  const places = found.map((each) => ({ ...each, line: object.positionOf(each.place.path).line - 1 }))
  for (const { old, table, line } of places.toSorted((a, b) => b.line - a.line)) {
    const [known, text = ''] = [old?.table ?? table, lines[line]]
    // In brackets, a comment would hide what is behind it.
    if (known === undefined || !/^\s*(?:- )?valueExpr:/.test(text)) continue
    const isCommented = lines[line - 1]?.trimStart().startsWith(tableCommentStart(known)) === true
    const comments = table === undefined ? [] : [`${/^\s*/.exec(text)?.[0] ?? ''}${tableComment(table)}`]
    lines.splice(isCommented ? line - 1 : line, isCommented ? 1 : 0, ...comments)
  }
  return lines.join('\n')
}

function brokenText(name: string, { value }: Expression, { table }: SpreadTable): string {
  return `${matrixFile(name)}: the label '${table.label}' no longer decides the value '${value}', so each cluster has its own in ${VALUES_FILE}`
}

/** Writes a file; with the text that it had before if that says the same. */
function writeAsBefore(work: string, file: string, text: string, texts: ReadonlyMap<string, string>): void {
  const [before, read] = [
    texts.get(file),
    (each: string) => readVendorObjects([{ name: file, bytes: Buffer.from(each) }]).objects.map(({ object }) => object.toJson()),
  ]
  writeFile(work, file, before !== undefined && equalJson(read(before), read(text)) ? before : text)
}

type ClusterLabels = ReadonlyMap<string, ReadonlyMap<string, string>>

function labelsOfClusters(work: string): ClusterLabels {
  const clusters = fleetObjects(work, CLUSTERS_FILE).filter(({ object }) => object.kind === 'Repository')
  return new Map(clusters.map(({ object }) => [object.name ?? '', object.labels]))
}

/** Returns the values of the clusters that have a package. */
function usersOf(name: string, values: readonly VendorObject[]): readonly KrmObject[] {
  return values.flatMap(({ object }) => {
    const own = clusterValues(values, object.name ?? '')
    return own === object && isRecord(object.get(['spec', name])) ? [object] : []
  })
}

function matrixFile(name: string): string {
  return `fleet/${name}.yaml`
}
