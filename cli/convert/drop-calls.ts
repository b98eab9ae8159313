import { type ExplainedCall, functionOfImage } from '../../src/convert/explain-overlay.ts'
import { callOverride, fieldSetCall, type Overlay } from '../../src/convert/fleet-texts.ts'
import { fieldSetNamed } from '../../src/convert/overlay-fields.ts'
import type { FieldPath } from '../../src/field-path.ts'
import { asRecord, type JsonRecord, recordsOf, scalarText } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { lostComments } from '../../src/resource-list/lost-comments.ts'
import type { BuiltTree } from './built-tree.ts'
import { clusterValues, VALUES_FILE } from './cluster-setters.ts'
import { fleetObjects, withFleetObjects } from './fleet-objects.ts'
import { matrixInFile } from './object-in-file.ts'
import { addedTo, baseObjects, leavesObjects, pairOverlay } from './overlay-objects.ts'
import { addEdits } from './prove-fleet.ts'
import { writeFile } from './write-fleet.ts'

/**
 * Takes the values of functions out of clusters whose overlays no longer do what the function does, such as one without its namespace,
 * since the function would write it again. A function of the template, which all clusters have, becomes an override for clusters with its
 * values.
 * Returns a line for each function, by the overlay.
 */
export function dropCalls(tree: BuiltTree, work: string): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, readonly string[]>()
  const objects = fleetObjects(work, VALUES_FILE)
  for (const [path, name] of tree.packages) {
    const found = matrixInFile(work, name)
    if (found === undefined) continue
    const matrix = found.object
    const users = tree.overlays.filter(({ bases }) => bases.includes(path))
    const dropped = users.flatMap((overlay) => {
      const gone = dropValues(matrix, name, clusterValues(objects, overlay.target), objectsOf(tree, overlay, path))
      const own = gone.map(({ call }) => `${name}: no ${call.fn} ${Object.keys(call.values).join(', ')} any more`)
      addEdits(lines, overlay.id, own)
      return gone.map(({ mutator }) => scalarText(mutator.name))
    })
    if (dropped.length === 0) continue
    moveToOverrides(matrix, name, new Set(dropped))
    writeFile(work, `fleet/${name}.yaml`, found.fileWith(matrix.toText()))
  }
  if (lines.size > 0) writeFile(work, VALUES_FILE, withFleetObjects(work, VALUES_FILE, objects))
  return lines
}

/**
 * Takes the values of the functions that would change the objects of an overlay out of the values of its cluster. Returns these functions.
 */
function dropValues(matrix: KrmObject, name: string, values: KrmObject | undefined, objects: readonly KrmObject[]) {
  const gone = values === undefined ? [] : goneCalls(matrix, asRecord(asRecord(values.get(['spec']))[name]), objects)
  for (const { mutator } of gone) for (const { value } of valuesOf(mutator)) values?.delete(['spec', name, value])
  return gone
}

/** Returns the functions of a cluster that would change the objects of its overlay. */
function goneCalls(matrix: KrmObject, known: JsonRecord, objects: readonly KrmObject[]) {
  return mutatorsOf(matrix).flatMap((mutator) => {
    const call = callOf(mutator, known)
    return call === undefined || leavesObjects(call, objects) ? [] : [{ mutator, call }]
  })
}

/** Returns the objects of an overlay that the functions of a package run on. */
function objectsOf(tree: BuiltTree, overlay: Overlay, path: string): readonly KrmObject[] {
  const paired = pairOverlay(tree, overlay)
  return [...baseObjects(tree, path).flatMap((object) => paired.pairs.get(object) ?? []), ...addedTo(path, overlay, paired)]
}

export function listAt(object: KrmObject, path: FieldPath): readonly JsonRecord[] {
  return recordsOf(object.get(path))
}

const TEMPLATE = ['spec', 'template', 'pipeline', 'mutators'] as const

export function mutatorsOf(matrix: KrmObject): readonly JsonRecord[] {
  const overrides = listAt(matrix, ['spec', 'overrides']).flatMap((each) => {
    const { mutators } = asRecord(asRecord(each.template).pipeline)
    return recordsOf(mutators)
  })
  return [...listAt(matrix, TEMPLATE), ...overrides]
}

/** Returns the keys of the config of a function, each with the name of its value in the values of a cluster. */
export function valuesOf(mutator: JsonRecord): readonly { readonly key: string; readonly value: string }[] {
  const exprs = recordsOf(mutator.configMapExprs)
  return exprs.flatMap(({ key, valueExpr }) => {
    const [, value] = /^inputs\.values\.spec\['[^']*'\]\['([^']*)'\]$/.exec(scalarText(valueExpr)) ?? []
    return value === undefined ? [] : [{ key: scalarText(key), value }]
  })
}

/** Returns the call of a function without the values of a cluster; undefined for a function that convert did not write. */
export function shapeOf(mutator: JsonRecord): ExplainedCall | undefined {
  const fn = functionOfImage(scalarText(mutator.image))
  const set = fieldSetNamed(scalarText(mutator.configPath))
  if (fn === 'apply-replacements' && set !== undefined) return fieldSetCall(set)
  const values = valuesOf(mutator)
  if (fn === undefined || values.length === 0) return undefined
  const fixed = Object.fromEntries(Object.entries(asRecord(mutator.configMap)).map(([key, value]) => [key, scalarText(value)]))
  return { fn, fixed, values: Object.fromEntries(values.map(({ key }) => [key, ''])) }
}

/** Returns the call of a function for a cluster; undefined for setters, other functions, and a cluster without its values. */
function callOf(mutator: JsonRecord, known: JsonRecord): ExplainedCall | undefined {
  const [shape, values] = [shapeOf(mutator), valuesOf(mutator)]
  if (shape === undefined || /^apply-/.test(shape.fn) || !values.every(({ value }) => Object.hasOwn(known, value))) return undefined
  return { ...shape, values: Object.fromEntries(values.map(({ key, value }) => [key, scalarText(known[value])])) }
}

/**
 * Moves the first of some functions, and those behind it, from the template to the overrides, which come after the template. Comments at
 * what moves are then above its override.
 */
export function moveToOverrides(matrix: KrmObject, name: string, dropped: ReadonlySet<string>): void {
  const mutators = listAt(matrix, TEMPLATE)
  const first = mutators.findIndex((each) => dropped.has(scalarText(each.name)))
  if (first === -1) return
  const before = matrix.draft()
  const moved = mutators.slice(first).map((each) => callOverride(name, each, shapeOf(each)))
  const count = listAt(matrix, OVERRIDES).length
  if (count === 0) matrix.set(OVERRIDES, moved)
  else
    for (const [index, override] of moved.entries()) {
      matrix.set([...OVERRIDES, count + index], override)
      matrix.move(OVERRIDES, count + index, index)
    }
  for (let index = mutators.length - 1; index >= Math.max(first, 1); index -= 1) matrix.delete([...TEMPLATE, index])
  for (let length = first === 0 ? TEMPLATE.length : 0; length > 1; length -= 1) {
    const path = TEMPLATE.slice(0, length)
    if (length === TEMPLATE.length || Object.keys(asRecord(matrix.get(path))).length === 0) matrix.delete(path)
  }
  placeComments(matrix, before, first)
}

const OVERRIDES = ['spec', 'overrides'] as const

/** Writes the comments that an object lost with its functions above the overrides that these became. */
function placeComments(matrix: KrmObject, before: KrmObject, first: number): void {
  for (const { field, comment } of lostComments(matrix, { base: undefined, ours: before })) {
    const isOfFunction = TEMPLATE.every((step, index) => field[index] === step) && typeof field[TEMPLATE.length] === 'number'
    const override = isOfFunction ? Math.max(Number(field[TEMPLATE.length]) - first, 0) : 0
    const lines = matrix.toText().split('\n')
    const at = matrix.positionOf([...OVERRIDES, override, 'name']).line - 1
    lines.splice(at, 0, `${/^ */.exec(lines[at] ?? '')?.[0] ?? ''}${comment}`)
    matrix.takeText(lines.join('\n'))
  }
}
