import { compileRegularExpression } from '../../cel/re2-expression.ts'
import { RegularExpressionError } from '../../cel/regular-expression.ts'
import { formatFieldPath } from '../../field-path.ts'
import { quoteText } from '../../schema/describe-value.ts'
import type { EditedObject } from './edited-object.ts'
import { describeField, type Field, type FieldAt, isNull, type ListField, memberField, plainScalar } from './field-tree.ts'

/** The error of a field path that does not fit an object; the message follows the field path of the functionConfig. */
export class FieldPathError extends Error {}

/** A field that a path leads to; `isNew` if the path made the field. */
export interface FoundField extends FieldAt {
  readonly isNew: boolean
}

/** The object in which fields are found; with `create`, missing fields are made, with a leaf of that type. */
export interface FieldSearch {
  readonly object: EditedObject
  readonly create: Field['type'] | undefined
  /** Pays for so many items or characters that are read; throws when the run has read too much. */
  readonly spend: (units: number) => void
}

const INDEX = /^\+?\d+$/
const ELEMENT = /^\[.*\]$/s

/**
 * Returns the one field that a path leads to, undefined if it is missing. `-` is the last item of a list, `[key=value]` the item with
 * exactly that value. Empty steps count for nothing.
 *
 * @throws FieldPathError  when a value on the way is of the wrong type
 * @see kustomize kyaml/yaml PathGetter
 */
export function findField(search: FieldSearch, path: readonly string[]): FoundField | undefined {
  const steps = path.map((step) => step.trim()).filter((step) => step !== '')
  let at: FoundField | undefined = { path: [], field: search.object.root, isNew: false }
  for (const [index, step] of steps.entries()) at &&= child(search, at, step, steps[index + 1])
  return at
}

function child(search: FieldSearch, at: FoundField, step: string, next: string | undefined): FoundField | undefined {
  if (/^-\d+$/.test(step)) throw new FieldPathError(`must not have an index below 0, got ${quoteText(step)}`)
  if (INDEX.test(step) || step === '-') {
    const list = listAt(at, step)
    return found(at, step === '-' ? list.items.length - 1 : Number(step))
  }
  if (!ELEMENT.test(step)) return memberOf(search, at, step, next)
  const list = listAt(at, step)
  const { key, value } = elementStep(step)
  search.spend(list.items.length)
  const index = list.items.findIndex(
    (item) => textOf(key === '' ? item : memberField(item, key)) === value && (key === '') === (item.type !== 'map'),
  )
  return index === -1 ? appended(search, at, key, value) : found(at, index)
}

/**
 * Returns all fields that a path leads to. `*` is every item of a list, `[key=value]` every item in whose value the regular expression
 * matches a part.
 *
 * @throws FieldPathError  when a value on the way is of the wrong type, or an index is beyond the end of its list
 * @see kustomize kyaml/yaml PathMatcher
 */
export function findFields(search: FieldSearch, steps: readonly string[]): readonly FoundField[] {
  return below(search, { path: [], field: search.object.root, isNew: false }, steps)
}

function below(search: FieldSearch, at: FoundField, [step, ...rest]: readonly string[]): readonly FoundField[] {
  if (step === undefined) return [at]
  if (INDEX.test(step)) return below(search, itemAt(search, at, step, rest[0]), rest)
  if (ELEMENT.test(step)) return matchingItems(search, at, step, rest)
  if (step === '*') {
    search.spend(listAt(at, step).items.length)
    return listAt(at, step).items.flatMap((_, index) => below(search, found(at, index) ?? at, rest))
  }
  if (step === '') throw new FieldPathError('must not have an empty step')
  const member = memberOf(search, at, step, rest[0])
  return member === undefined ? [] : below(search, member, rest)
}

function itemAt(search: FieldSearch, at: FoundField, step: string, next: string | undefined): FoundField {
  const { length } = listAt(at, step).items
  const index = Number(step)
  if (index === length && search.create !== undefined) return made(search, at, index, emptyField(next, search.create))
  const item = found(at, index)
  if (item === undefined)
    throw new FieldPathError(`must name an item of \`${formatFieldPath(at.path)}\`, which has ${length}, got ${quoteText(step)}`)
  return item
}

function matchingItems(search: FieldSearch, at: FoundField, step: string, rest: readonly string[]): readonly FoundField[] {
  const { key, value } = elementStep(step)
  const list = listAt(at, step)
  const pattern = elementPattern(value)
  const fields = list.items.flatMap((item, index) => {
    const text = textOf(key === '' ? item : memberField(item, key))
    search.spend(1 + (text?.length ?? 0))
    if (text === undefined || !pattern(text)) return []
    const one = found(at, index) ?? at
    return key === '' ? [one] : below(search, one, rest)
  })
  if (fields.length > 0 || search.create === undefined) return fields
  if (!pattern(value))
    throw new FieldPathError(`must have a value that the regular expression of ${quoteText(step)} matches, to make an item with the value`)
  const item = appended(search, at, key, value)
  if (item === undefined) return []
  return key === '' ? [item] : below(search, item, rest)
}

/** Returns the member of a map, made if it is missing and fields are made; undefined below null. */
function memberOf(search: FieldSearch, at: FoundField, key: string, next: string | undefined): FoundField | undefined {
  const { field, path } = at
  if (field.type !== 'map' && !isNull(field))
    throw new FieldPathError(`must lead through a map, but \`${formatFieldPath(path)}\` is ${describeField(field)}`)
  const member = memberField(field, key)
  if (member !== undefined) return { path: [...path, key], field: member, isNew: false }
  if (search.create === undefined) return undefined
  if (field.type !== 'map') search.object.put(path, { type: 'map', entries: new Map() })
  return made(search, at, key, emptyField(next, search.create))
}

/** Appends the item `key: value`, or the value itself, to a list if fields are made. */
function appended(search: FieldSearch, at: FoundField, key: string, value: string): FoundField | undefined {
  if (search.create === undefined) return undefined
  const scalar = plainScalar(value)
  const item: Field = key === '' ? scalar : { type: 'map', entries: new Map([[key, scalar]]) }
  return made(search, at, listAt(at, value).items.length, item)
}

function made({ object }: FieldSearch, { path }: FieldAt, step: string | number, field: Field): FoundField {
  const place = [...path, step]
  object.make(place, field)
  return { path: place, field, isNew: true }
}

/** Returns the empty value of a missing field: a list if the next step is in a list, the leaf if there is no next step. */
function emptyField(next: string | undefined, leaf: Field['type']): Field {
  const type = next === undefined ? leaf : INDEX.test(next) || next === '-' || ELEMENT.test(next) ? 'list' : 'map'
  if (type === 'list') return { type, items: [] }
  return type === 'map' ? { type, entries: new Map() } : plainScalar('')
}

function found({ path, field }: FieldAt, index: number): FoundField | undefined {
  const item = memberField(field, index)
  return item && { path: [...path, index], field: item, isNew: false }
}

function listAt({ path, field }: FieldAt, step: string): ListField {
  if (field.type === 'list') return field
  throw new FieldPathError(`must lead to a list before ${quoteText(step)}, but \`${formatFieldPath(path)}\` is ${describeField(field)}`)
}

/** Returns key and value of `[key=value]`; the key is '' for an item that is itself the value. */
function elementStep(step: string): { readonly key: string; readonly value: string } {
  const text = step.slice(1, -1)
  const equals = text.indexOf('=')
  if (equals === -1) throw new FieldPathError(`must have a key and a value in brackets, such as \`[name=web]\`, got ${quoteText(step)}`)
  return { key: text.slice(0, equals), value: text.slice(equals + 1) }
}

function textOf(field: Field | undefined): string | undefined {
  return field?.type === 'scalar' ? field.text : undefined
}

/**
 * Returns a test that passes for texts with a part that the regular expression (RE2) matches.
 *
 * @throws FieldPathError  for an invalid or too large regular expression; the test throws it when it has read too much
 */
function elementPattern(pattern: string): (text: string) => boolean {
  if (/^[\w/:@, -]*$/.test(pattern)) return (text) => text.includes(pattern)
  const explained = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof RegularExpressionError)) throw error
      throw new FieldPathError(`${error.message}, behind the \`=\` of ${quoteText(pattern)}`)
    }
  }
  const expression = explained(() => compileRegularExpression(pattern))
  return (text) => explained(() => expression.test(text))
}
