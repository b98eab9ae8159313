import { differing, type FieldPath } from '../../src/field-path.ts'
import type { VendorObject } from '../../src/intake/vendor-objects.ts'
import { isRecord, type JsonValue, lookup, memberOf, scalarText } from '../../src/json.ts'
import { identityOfObject } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
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

/**
 * Returns the scalars that differ between two renderings with different values. Values of Secrets, and of fields with such names, are
 * hidden.
 */
export function suggestedSetters(one: readonly VendorObject[], other: readonly VendorObject[]): readonly SuggestedSetter[] {
  const others = new Map(other.map(({ object }) => [identityOfObject(object), object]))
  const names = new Set<string>()
  return one.flatMap(({ object }) => {
    const second = others.get(identityOfObject(object))
    if (second === undefined) return []
    const [before, after] = [object.toJson(), second.toJson()]
    return differing(before, after, []).flatMap((path): SuggestedSetter[] => {
      const [was, is] = [before, after].map((json) => path.reduce<JsonValue | undefined>(memberOf, json))
      if (was === undefined || is === undefined || isCollection(was) || isCollection(is)) return []
      const written = writtenPath(before, path)
      const setter = `${freeName(path, object, names)}=${written}@${object.kind}/${object.name}`
      if (SECRET_NAME.test(written)) return [{ setter, before: NOT_SHOWN, after: OTHER_NOT_SHOWN }]
      return [{ setter, before: withoutSecretsAt(before, path, was), after: withoutSecretsAt(after, path, is, was) }]
    })
  })
}

function isCollection(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null
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
