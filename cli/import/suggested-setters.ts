import { differing, type FieldPath } from '../../src/field-path.ts'
import { readSetterPlace, writeSetters } from '../../src/intake/setter-places.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import { isRecord, type JsonValue, lookup, memberOf, scalarText } from '../../src/json.ts'
import { identityOfObject } from '../../src/resource-list/identity.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { isNestedValue } from '../../src/schema/config-map-pairs.ts'
import { NOT_SHOWN, OTHER_NOT_SHOWN, withoutSecretsAt } from '../../src/secret-values.ts'

/** A scalar that differs between two renderings of a chart: a candidate for a setter. */
export interface SuggestedSetter {
  /** The argument of `--setters`. */
  readonly setter: string
  readonly before: JsonValue
  readonly after: JsonValue
}

/** Matches the path of a field that most likely holds a secret, such as `containers[web].env[DB_PASSWORD].value`. */
const SECRET_NAME = /pass|secret|token|cred/i

/** The differences between two renderings of a chart. */
export interface SuggestedSetters {
  readonly setters: readonly SuggestedSetter[]
  /** The fields and objects that no setter makes differ, each with its reason. */
  readonly others: readonly string[]
}

/**
 * Returns the scalars that differ between two renderings with different values, and what else differs. Values of Secrets, and of fields
 * with such names, are hidden.
 */
export function suggestedSetters(one: readonly VendorObject[], other: readonly VendorObject[]): SuggestedSetters {
  const seconds = new Map(other.map(({ object }) => [identityOfObject(object), object]))
  const known = new Set(one.map(({ object }) => identityOfObject(object)))
  const names = new Set<string>()
  const found = one.flatMap(({ object }) => {
    const [second, shown] = [seconds.get(identityOfObject(object)), shownObject(object, one)]
    return second === undefined ? [`${shown}: only the first rendering has the object`] : differingFields({ object, second, shown }, names)
  })
  const added = other.filter(({ object }) => !known.has(identityOfObject(object)))
  const all = [...found, ...added.map(({ object }) => `${shownObject(object, other)}: only the second rendering has the object`)]
  return { setters: all.filter((each) => typeof each !== 'string'), others: all.filter((each) => typeof each === 'string') }
}

interface RenderedTwice {
  readonly object: KrmObject
  readonly second: KrmObject
  /** The object as `--setters` names it. */
  readonly shown: string
}

/** Returns a setter for each field that differs, or the reason why the field can have none. */
function differingFields({ object, second, shown }: RenderedTwice, names: Set<string>): readonly (SuggestedSetter | string)[] {
  const [before, after] = [object.toJson(), second.toJson()]
  return differing(before, after, []).map((path) => {
    const [was, is] = [before, after].map((json) => path.reduce<JsonValue | undefined>(memberOf, json))
    const written = `${writtenPath(was === undefined ? after : before, path)}@${shown}`
    if (was === undefined || is === undefined) return `${written}: one rendering lacks the field`
    const reason = noSetter(object, written, was, is)
    if (reason !== undefined) return `${written}: ${reason}`
    const setter = `${freeName(path, object, names)}=${written}`
    if (SECRET_NAME.test(written.slice(0, written.lastIndexOf('@')))) return { setter, before: NOT_SHOWN, after: OTHER_NOT_SHOWN }
    return { setter, before: withoutSecretsAt(before, path, was), after: withoutSecretsAt(after, path, is, was) }
  })
}

/** Returns why a field that both renderings have cannot be a setter; undefined if it can. */
function noSetter(object: KrmObject, written: string, was: JsonValue, is: JsonValue): string | undefined {
  if (isNestedValue(was) || isNestedValue(is)) return 'it is a map or list'
  const place = readSetterPlace(`setter=${written}`)
  const copy = KrmObject.of(object.toText(), 'document')
  if (place === undefined || writeSetters([{ object: copy, head: '' }], [place]).length > 0)
    return 'the chart writes it within several brackets, where no comment has a place'
  return undefined
}

/** Returns an object as `--setters` names it, with its namespace if another namespace has one of its kind and name. */
function shownObject({ kind, name, namespace }: KrmObject, among: readonly VendorObject[]): string {
  const alike = among.filter(({ object }) => object.kind === kind && object.name === name)
  return `${kind}/${alike.length > 1 && namespace ? `${namespace}/` : ''}${name}`
}

/** Returns a name for the setter of a field: its last key, and if another setter has it, the object's name in front. */
function freeName(path: FieldPath, { name = '' }: KrmObject, names: Set<string>): string {
  const key = String(path.findLast((step) => typeof step === 'string') ?? 'value').replaceAll(/[^\w-]+/g, '-')
  const wanted = [key, `${name}-${key}`.replaceAll(/[^\w-]+/g, '-')]
  let free = wanted.find((each) => !names.has(each)) ?? key
  for (let count = 2; names.has(free); count++) free = `${key}-${count}`
  names.add(free)
  return free
}

/** Returns a path with the names of entries: `spec.template.spec.containers[web].image`. */
function writtenPath(root: JsonValue, path: FieldPath): string {
  let value: JsonValue | undefined = root
  let text = ''
  for (const step of path) {
    value = value === undefined ? undefined : memberOf(value, step)
    text += typeof step === 'number' ? `[${nameOf(value) || step}]` : writtenKey(step, text)
  }
  return text
}

function writtenKey(key: string, before: string): string {
  return /^[\w-]+$/.test(key) ? `${before === '' ? '' : '.'}${key}` : `["${key}"]`
}

function nameOf(entry: JsonValue | undefined): string {
  return isRecord(entry) ? scalarText(lookup(entry, 'name')) : ''
}
