import type { FieldPath } from '../field-path.ts'
import { distinctItems } from '../group-by.ts'
import { quoteValue, type SetterPlace, writeSetters } from '../intake/setter-places.ts'
import type { VendorObject } from '../intake/vendor-objects.ts'
import { equalJson, isRecord, type JsonValue, memberOf } from '../json.ts'
import { remember } from '../remember.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { alignedValue, changedPaths } from './edit-object.ts'
import { afterCall, type ExplainedCall } from './explain-overlay.ts'
import type { ObjectPairs } from './pair-objects.ts'
import type { FieldsThatStay } from './probe-changes.ts'

/** The objects that a cluster makes of those of a base. */
export interface Explained {
  readonly target: string
  readonly pairs: ObjectPairs
  readonly calls: readonly ExplainedCall[]
  /** The fields that the cluster sets itself, also those in which it repeats the value of the base. */
  readonly kept?: FieldsThatStay
}

/**
 * Finds the values that the functions of clusters do not explain, writes the comment of a setter behind each, and returns the values of
 * each cluster by its name. A value that its setter does not write exactly is left out, and so are those of Secrets.
 */
export function findSetters(
  bases: readonly VendorObject[],
  explained: readonly Explained[],
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const wanted = new Map<string, Setter>()
  for (const each of explained) collect(bases, each, wanted)
  const names = new Map<string, string>()
  const values = new Map(explained.map(({ target }) => [target, new Map<string, string>()]))
  for (const { object, path, texts } of wanted.values()) {
    const content = JSON.stringify([path.at(-1), [...texts]])
    const known = names.get(content)
    const name = known ?? freeName(object, path, new Set(names.values()))
    const form = FORMS.find((each) => isWritable({ object, path, texts, name }, each, explained))
    if (form === undefined) continue
    if (form === 'quoted') quoteValue(object, path)
    writeSetters(bases, [placeOf(object, path, name)])
    names.set(content, name)
    for (const [target, text] of texts) values.get(target)?.set(name, text)
  }
  return new Map([...values].map(([target, own]) => [target, Object.fromEntries(own)]))
}

/** A setter writes `4.10` behind a plain text as a number, and behind a text in quotes as a text. */
const FORMS = ['as-it-is', 'quoted'] as const

interface Setter {
  readonly object: KrmObject
  readonly path: FieldPath
  /** The value of each cluster that has another one than the base. */
  readonly texts: Map<string, string>
}

function collect(bases: readonly VendorObject[], { target, pairs, calls, kept }: Explained, wanted: Map<string, Setter>): void {
  const objects = bases.map(({ object }) => object)
  const after = calls.reduce((all: readonly KrmObject[], call) => afterCall(all, call) ?? all, objects)
  for (const [index, object] of objects.entries()) {
    const [own, made, overlay] = [object.toJson(), after[index]?.toJson(), pairs.get(object)?.toJson()]
    if (made === undefined || overlay === undefined || object.kind === 'Secret' || !isNamedOnce(objects, object)) continue
    for (const path of distinctPaths([...changedPaths(made, overlay), ...(kept?.get(object) ?? [])])) {
      const [from, to] = [alignedValue(own, made, path), alignedValue(overlay, made, path)]
      const text = setterText(from, to)
      if (text === undefined || path.length < 2 || isCommon(pairs, path, to)) continue
      const key = `${index} ${JSON.stringify(path)}`
      remember(wanted, key, () => ({ object, path, texts: new Map<string, string>() })).texts.set(target, text)
    }
  }
}

function distinctPaths(paths: readonly FieldPath[]): readonly FieldPath[] {
  return distinctItems(paths)
}

/** Returns true for a label or annotation that all objects of an overlay have: no value of one object. */
function isCommon(pairs: ObjectPairs, path: FieldPath, value: JsonValue | undefined): boolean {
  const isText = path.length === 3 && path[0] === 'metadata'
  return isText && pairs.size > 1 && [...pairs.values()].every((object) => equalJson(object.get(path), value))
}

function isNamedOnce(objects: readonly KrmObject[], { kind, name }: KrmObject): boolean {
  return objects.filter((each) => each.kind === kind && each.name === name).length === 1
}

/** Returns the text that a setter needs to make one value of another; undefined if it cannot. */
export function setterText(from: JsonValue | undefined, to: JsonValue | undefined): string | undefined {
  if (Array.isArray(from) && Array.isArray(to))
    return [...from, ...to].every((each) => typeof each === 'string') && from.length > 0 && to.length > 0 ? JSON.stringify(to) : undefined
  if (typeof from !== typeof to || typeof to === 'object' || to === undefined || to === '') return undefined
  const text = String(to)
  return text.includes('\n') || text.includes('${') || String(from).includes('\n') ? undefined : text
}

/** Returns true if the setter gives each cluster that has a value the value, and can have a comment. */
function isWritable(
  { object, path, texts, name }: Setter & { readonly name: string },
  form: (typeof FORMS)[number],
  explained: readonly Explained[],
): boolean {
  const copy = KrmObject.fromDocument(object.toText())
  if (form === 'quoted' && !quoteValue(copy, path)) return false
  if (/# kpt-set/.test(lineOf(copy, path))) return false
  if (writeSetters([{ object: copy, head: '' }], [placeOf(copy, path, name)]).length > 0) return false
  return explained.every(({ target, pairs }) => {
    const text = texts.get(target)
    const overlay = pairs.get(object)?.toJson()
    if (text === undefined || overlay === undefined) return true
    const [made] = afterCall([copy], { fn: 'apply-setters', fixed: {}, values: { [name]: text } }) ?? []
    return made !== undefined && equalJson(made.get(path), alignedValue(overlay, object.toJson(), path))
  })
}

function lineOf(object: KrmObject, path: FieldPath): string {
  return object.toText().split('\n')[object.positionOf(path).line - 1] ?? ''
}

function placeOf(object: KrmObject, path: FieldPath, name: string): SetterPlace {
  const steps = path.map((step, index) => {
    if (typeof step === 'string') return step
    const entry = memberOf(object.get(path.slice(0, index)), step)
    const named = isRecord(entry) ? entry.name : undefined
    return typeof named === 'string' ? { entry: named } : String(step)
  })
  const { kind = '', name: own = '', namespace } = object
  return { written: name, name, steps, kind, object: namespace ? `${namespace}/${own}` : own }
}

/** Returns a name for the setter of a field: `replicas`, `web-replicas`, `web-replicas-2`. */
function freeName(object: KrmObject, path: FieldPath, taken: ReadonlySet<string>): string {
  const word = (text: string) => text.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  const key = word(String(path.findLast((step) => typeof step === 'string') ?? 'value')) || 'value'
  const whole = word(`${object.name}-${path.join('-')}`)
  const choices = [key, word(`${object.name}-${key}`), whole]
  const free = choices.find((each) => !taken.has(each) && !RESERVED.test(each))
  if (free !== undefined) return free
  for (let number = 2; ; number += 1) if (!taken.has(`${whole}-${number}`)) return `${whole}-${number}`
}

/** Names of the values of other functions. */
const RESERVED = /^(?:namespace|prepend|append)$|^(?:label|annotation|image)-/
