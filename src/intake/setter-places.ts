import { setLineComments } from '../catalog/line-comments.ts'
import { markedFields } from '../catalog/setter-comments.ts'
import { settersOfValue } from '../catalog/setter-pattern.ts'
import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { isRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import { identityOfObject } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { didYouMean } from '../schema/nearest-name.ts'
import { applySplices } from '../yaml/edit/apply-splices.ts'
import { nodesAlong } from '../yaml/read/node.ts'
import type { VendorObject } from './vendor-objects.ts'

/** A field that gets the comment of a setter: `replicas=spec.replicas@Deployment/web`. */
export interface SetterPlace {
  readonly written: string
  readonly name: string
  /** The steps of the path: keys, positions, and names of entries. */
  readonly steps: readonly (string | { readonly entry: string })[]
  readonly kind: string
  readonly object: string
}

/** Returns the place that a text names; undefined for a text of another form. */
export function readSetterPlace(written: string): SetterPlace | undefined {
  const [, name = '', path = '', kind = '', object = ''] = /^([\w.-]+)=([^@]+)@([^/]+)\/(.+)$/.exec(written) ?? []
  const steps = Array.from(path.matchAll(/\["?([^\]"]*)"?\]|([^.[\]]+)/g), ([, entry, key = '']) => (entry === undefined ? key : { entry }))
  return name === '' || steps.length === 0 ? undefined : { written, name, steps, kind, object }
}

/** Writes the comments of setters behind the fields of objects. Returns an error for each field that is not there. */
export function writeSetters(objects: readonly VendorObject[], places: readonly SetterPlace[]): readonly Result[] {
  return places.flatMap((place): Result[] => {
    const found = objects.filter(({ object }) => object.kind === place.kind && isNamed(object, place.object))
    if (found.length === 0) return [noSuchObject(objects, place)]
    return found.flatMap(({ object }) => writeSetter(object, place))
  })
}

function isNamed({ name = '', namespace = '' }: KrmObject, written: string): boolean {
  return written === name || written === `${namespace}/${name}`
}

function writeSetter(object: KrmObject, { written, name, steps }: SetterPlace): readonly Result[] {
  let value: JsonValue | undefined = object.toJson()
  const path: (string | number)[] = []
  for (const step of steps) {
    const key: string | number | undefined = keyOfStep(value, step)
    const next: JsonValue | undefined = key === undefined || value === undefined ? undefined : memberOf(value, key)
    if (key === undefined || next === undefined) return [notThere(object, written, path, missingStep(value, step, path))]
    path.push(key)
    value = next
  }
  if (isRecord(value)) return [notThere(object, written, path, 'it is a map: a setter is behind a value or a list')]
  const skipped = setLineComments(object, new Map([[path, `# kpt-set: \${${name}}`]]))
  return skipped.length === 0 ? [] : [notThere(object, written, path, 'its value must be on a line of its own to get a comment')]
}

/** Writes a text in quotes, so that a setter writes `4.10` as a text too. Returns false for what is no plain text. */
export function quoteValue(object: KrmObject, path: FieldPath): boolean {
  const { text, node: root } = object.written()
  const node = nodesAlong(root, path)[path.length]
  if (node?.type !== 'scalar' || typeof object.get(path) !== 'string') return false
  if (node.style !== 'plain' || text.slice(node.start, node.end) !== node.text) return false
  object.takeText(applySplices(text, [{ start: node.start, end: node.end, text: JSON.stringify(node.text) }]))
  return true
}

function missingStep(value: JsonValue | undefined, step: SetterPlace['steps'][number], path: FieldPath): string {
  const text = typeof step === 'string' ? step : step.entry
  const entries = Array.isArray(value) ? value.map((entry) => scalarText(memberOf(entry, 'name'))) : []
  const at = path.length === 0 ? 'the object' : `\`${formatFieldPath(path)}\``
  return `${at} has no '${text}'${didYouMean(text, isRecord(value) ? Object.keys(value) : entries)}`
}

function keyOfStep(value: JsonValue | undefined, step: SetterPlace['steps'][number]): string | number | undefined {
  if (!Array.isArray(value)) return typeof step === 'string' ? step : step.entry
  const text = typeof step === 'string' ? step : step.entry
  const named = value.findIndex((entry) => isRecord(entry) && lookup(entry, 'name') === text)
  return named !== -1 ? named : /^\d+$/.test(text) ? Number(text) : undefined
}

function notThere(object: KrmObject, written: string, path: FieldPath, why: string): Result {
  return {
    severity: 'error',
    message: `\`--setters\` '${written}' must name a field of \`${formatResourceRef(object.ref)}\`: ${why}`,
    ...objectPlace(object),
    position: object.positionOf(path),
    tags: { rule: 'import-setter' },
  }
}

function noSuchObject(objects: readonly VendorObject[], { written, kind, object }: SetterPlace): Result {
  const names = objects.map((each) => `${each.object.kind}/${each.object.name}`)
  const message = `\`--setters\` '${written}' must name an object, no ${kind}/${object} is among the objects${didYouMean(`${kind}/${object}`, names)}`
  return { severity: 'error', message, tags: { rule: 'import-setter' } }
}

/**
 * Writes the comments of setters that people wrote in the last revision into the objects of the next one, also where entries of a list
 * moved.
 * Returns a warning for each comment that has no place any more.
 */
export function carrySetters(objects: readonly VendorObject[], last: readonly KrmObject[]): readonly Result[] {
  const before = new Map(last.map((object) => [identityOfObject(object), object]))
  return objects.flatMap(({ object }) => {
    const old = before.get(identityOfObject(object))
    const marked = old?.toText().includes('kpt-set:') === true ? markedFields(old) : []
    const [was, is] = [old?.toJson(), object.toJson()]
    const comments = new Map<FieldPath, string>()
    const lost = marked.flatMap(({ path, pattern, node }): Result[] => {
      const now = pathNow(was, is, path)
      const value = now?.reduce<JsonValue | undefined>(memberOf, is)
      const fits = Array.isArray(value) || (!isRecord(value) && value !== undefined && settersOfValue(pattern, scalarText(value)).size > 0)
      if (now === undefined || !fits) return [lostSetter(object, path, pattern)]
      // Quotes say that the setter's value is a text.
      if (node.type === 'scalar' && (node.style === 'single' || node.style === 'double')) quoteValue(object, now)
      comments.set(now, `# kpt-set: ${pattern}`)
      return []
    })
    const skipped = comments.size === 0 ? [] : setLineComments(object, comments)
    return [...lost, ...skipped.map((path) => lostSetter(object, path, comments.get(path)?.slice('# kpt-set: '.length) ?? ''))]
  })
}

/** Returns the path of a field in another state of an object: an entry of a list is found by its name. */
function pathNow(was: JsonValue | undefined, is: JsonValue | undefined, path: FieldPath): FieldPath | undefined {
  let [old, now] = [was, is]
  const found: (string | number)[] = []
  for (const step of path) {
    const name = Array.isArray(old) && typeof step === 'number' ? scalarText(memberOf(old[step], 'name')) : ''
    const key = name === '' || !Array.isArray(now) ? step : now.findIndex((entry) => scalarText(memberOf(entry, 'name')) === name)
    old = memberOf(old, step)
    now = memberOf(now, key)
    if (now === undefined) return undefined
    found.push(key)
  }
  return found
}

function lostSetter(object: KrmObject, path: FieldPath, pattern: string): Result {
  return {
    severity: 'warning',
    message: `\`${formatFieldPath(path)}\` had the comment 'kpt-set: ${pattern}' in the last revision, and has no place for it now`,
    ...objectPlace(object),
    position: object.positionOf(path),
    tags: { rule: 'import-setter' },
  }
}
