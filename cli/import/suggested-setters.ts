import type { FieldPath } from '../../src/field-path.ts'
import { differing } from '../../src/intake/random-values.ts'
import { identityOfObject, type VendorObject } from '../../src/intake/vendor-objects.ts'
import { isRecord, type JsonValue, lookup, memberOf, scalarText } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { withoutSecretsAt } from '../../src/secret-values.ts'

/** A scalar that differs between two renderings of a chart: a candidate for a setter. */
export interface SuggestedSetter {
  /** The argument of `--setters`. */
  readonly setter: string
  readonly before: JsonValue
  readonly after: JsonValue
}

/** Returns the scalars that differ between two renderings with different values. Values of Secrets are hidden. */
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
      const setter = `${freeName(path, object, names)}=${writtenPath(before, path)}@${object.kind}/${object.name}`
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
