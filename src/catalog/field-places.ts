import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonValue, lookup } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { describeValue } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'

/**
 * A field that a function writes, and the kinds that have the field: a fieldSpec of kustomize. A missing or empty group, version or
 * kind matches any.
 */
export interface FieldSpec {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  /** Keys with slashes between them; a key that ends in `[]` leads to every entry of a list: `spec/containers[]/image`. */
  readonly path: string
  /** If true, a missing field and the missing maps above it are created. */
  readonly create: boolean
}

/** Returns true if the object is of a kind that the spec names. */
export function isOfSpecKind({ apiVersion = '', kind }: KrmObject, spec: Pick<FieldSpec, 'group' | 'version' | 'kind'>): boolean {
  if (spec.kind && spec.kind !== kind) return false
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  return (!spec.group || spec.group === groupOf(apiVersion)) && (!spec.version || spec.version === version)
}

/**
 * Returns the places of a field in one object.
 *
 * @example `spec/containers[]/image` of a Pod with two containers → `spec.containers[0].image`, `spec.containers[1].image`
 * @throws FunctionError  when a value on the way is neither a map nor, before `[]`, a list; as `KrmObject.get`
 */
export function fieldPlaces(object: KrmObject, { path, create }: Pick<FieldSpec, 'path' | 'create'>): readonly FieldPath[] {
  const steps = stepsOf(path)
  const key = keyOf(steps[0] ?? '')
  const top = object.get([key])
  return below({ object, create, steps }, top === undefined ? {} : { [key]: top }, [])
}

function stepsOf(path: string): readonly string[] {
  return path.includes('\\') ? path.split(UNESCAPED_SLASH).map((step) => step.replaceAll('\\/', '/')) : path.split('/')
}

const UNESCAPED_SLASH = /(?<!\\)\//

function keyOf(step: string): string {
  return step.endsWith('[]') ? step.slice(0, -2) : step
}

interface Walk {
  readonly object: KrmObject
  readonly create: boolean
  readonly steps: readonly string[]
}

/** @param depth  the number of steps that lead to the value: the indexes of lists in `at` are no steps */
function below(walk: Walk, value: JsonValue | undefined, at: FieldPath, depth = 0): readonly FieldPath[] {
  const { object, create, steps } = walk
  const step = steps[depth]
  if (step === undefined) return [at]
  if (value === undefined) {
    const missing = steps.slice(depth)
    return create && !missing.some((each) => each.endsWith('[]')) ? [[...at, ...missing]] : []
  }
  if (!isRecord(value)) throw wrongType(object, at, 'a map', value)
  const key = keyOf(step)
  const [member, place] = [lookup(value, key), [...at, key]]
  if (key === step) return member === undefined && depth === steps.length - 1 && !create ? [] : below(walk, member, place, depth + 1)
  if (member === undefined) return []
  if (!Array.isArray(member)) throw wrongType(object, place, 'a list', member)
  return member.flatMap((entry: JsonValue, index) => below(walk, entry, [...place, index], depth + 1))
}

/**
 * Returns the places of a field in one object, as kustomize finds them: every list on the way leads to all its entries, with `[]` behind
 * the key or without, and is never made. Null is a missing value; a null in a list stays.
 *
 * @example `spec/containers/image` of a Pod with two containers → `spec.containers[0].image`, `spec.containers[1].image`
 * @throws FunctionError  when a value on the way is neither a map nor a list; as `KrmObject.get`
 * @see kustomize api/filters/fieldspec
 */
export function kustomizePlaces(object: KrmObject, { path, create }: Pick<FieldSpec, 'path' | 'create'>): readonly FieldPath[] {
  const places = kustomizeWalk(object, path, create)
  return create ? places : places.filter((place) => object.get(place) !== null)
}

/** Returns the existing places of a field as `kustomizePlaces` does, and those that hold null. */
export function existingPlaces(object: KrmObject, path: string): readonly FieldPath[] {
  return kustomizeWalk(object, path, false)
}

function kustomizeWalk(object: KrmObject, path: string, create: boolean): readonly FieldPath[] {
  const steps = stepsOf(path)
  const first = keyOf(steps[0] ?? '')
  const top = object.get([first])
  return kustomizeBelow({ object, create, steps }, top === undefined ? {} : { [first]: top }, [])
}

function kustomizeBelow(walk: Walk, value: JsonValue, at: FieldPath, depth = 0): readonly FieldPath[] {
  const { object, create, steps } = walk
  const [step, ...rest] = steps.slice(depth)
  if (step === undefined) return [at]
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((entry: JsonValue, index) => kustomizeBelow(walk, entry, [...at, index], depth))
  if (!isRecord(value)) throw wrongType(object, at, 'a map or a list', value)
  const member = lookup(value, keyOf(step))
  const isThere = member !== undefined && (member !== null || rest.length === 0)
  if (isThere) return kustomizeBelow(walk, member, [...at, keyOf(step)], depth + 1)
  return create && ![step, ...rest].some((each) => each.endsWith('[]')) ? [[...at, step, ...rest]] : []
}

/**
 * Writes texts into the map at a place of an object; a missing map or null counts as an empty map.
 *
 * @throws FunctionError  for another value
 */
export function writePairs(object: KrmObject, place: FieldPath, pairs: ReadonlyMap<string, string>): void {
  const map = object.get(place) ?? {}
  if (!isRecord(map)) throw wrongType(object, place, 'a map', map)
  for (const [key, value] of pairs) if (lookup(map, key) !== value) object.set([...place, key], value)
}

/** Returns the error of a value with the wrong type. */
export function wrongType(object: KrmObject, path: FieldPath, wanted: string, found: JsonValue): FunctionError {
  const message = `must be ${wanted}, got ${describeValue(found)}`
  return new FunctionError([faultToResult(object, { severity: 'error', rule: 'wrong-type', path, message })])
}
