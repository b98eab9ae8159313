import { APPLY_REPLACEMENTS } from '../catalog/apply-replacements/apply-replacements.ts'
import { APPLY_SETTERS } from '../catalog/apply-setters/apply-setters.ts'
import type { CatalogFunction } from '../catalog/catalog-function.ts'
import { ENSURE_NAME_SUBSTRING } from '../catalog/ensure-name-substring/ensure-name-substring.ts'
import { SEARCH_REPLACE } from '../catalog/search-replace/search-replace.ts'
import { SET_ANNOTATIONS } from '../catalog/set-annotations/set-annotations.ts'
import { SET_IMAGE } from '../catalog/set-image/set-image.ts'
import { SET_LABELS } from '../catalog/set-labels/set-labels.ts'
import { SET_NAMESPACE } from '../catalog/set-namespace/set-namespace.ts'
import { distinctItems } from '../group-by.ts'
import { equalJson, type JsonRecord, type JsonValue } from '../json.ts'
import { LOCAL_CONFIG } from '../resource-list/applied-objects.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { hasErrors } from '../result.ts'
import { resultsOf } from '../run.ts'
import { UPSTREAM_IDENTIFIER } from '../well-known.ts'
import { alignedValue, changedPaths } from './edit-object.ts'
import type { ObjectPairs } from './pair-objects.ts'

/** A call of a built-in function: the keys that are the same for all clusters, and those with values of a cluster. */
export interface ExplainedCall {
  readonly fn: FunctionName
  readonly fixed: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
}

const FUNCTIONS = {
  'apply-replacements': APPLY_REPLACEMENTS,
  'apply-setters': APPLY_SETTERS,
  'ensure-name-substring': ENSURE_NAME_SUBSTRING,
  'search-replace': SEARCH_REPLACE,
  'set-annotations': SET_ANNOTATIONS,
  'set-image': SET_IMAGE,
  'set-labels': SET_LABELS,
  'set-namespace': SET_NAMESPACE,
} as const satisfies Record<string, CatalogFunction>

export type FunctionName = keyof typeof FUNCTIONS

/** The functions in their order in a pipeline. Setters are first: other functions may take their comments away. */
export const PIPELINE_ORDER: readonly FunctionName[] = [
  'apply-setters',
  'ensure-name-substring',
  'set-namespace',
  'set-labels',
  'search-replace',
  'set-annotations',
  'set-image',
  'apply-replacements',
]

/** Returns the image of a function, in the newest version that is built in. */
export function imageOf(name: FunctionName): string {
  return `ghcr.io/kptdev/krm-functions-catalog/${name}:${versionOf(name)}`
}

/** Returns the function of an image; undefined for one that convert does not call. */
export function functionOfImage(image: string): FunctionName | undefined {
  return PIPELINE_ORDER.find((name) => image.includes(`/${name}:`))
}

/** Finds entries of lists by their whole name and keeps the type of the source; later versions do neither. */
export const REPLACEMENTS_VERSION = 'v0.1.1'

function versionOf(name: FunctionName): string {
  if (name === 'apply-replacements') return REPLACEMENTS_VERSION
  return FUNCTIONS[name].versions.find((version) => version.startsWith('v')) ?? ''
}

/** Returns copies of objects after a call; undefined if the function reports an error. */
export function afterCall(objects: readonly KrmObject[], { fn, fixed, values }: ExplainedCall): readonly KrmObject[] | undefined {
  const copies = objects.map((object) => KrmObject.fromDocument(object.toText()))
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'config' }, data: { ...fixed, ...values } }
  const list = ResourceList.of(copies, KrmObject.fromDocument(JSON.stringify(config)))
  const results = resultsOf(FUNCTIONS[fn].at(versionOf(fn)), list)
  return hasErrors(results) || list.items.length !== copies.length ? undefined : list.items
}

/** The changes of an overlay to objects that nothing names: it changes all objects so, new ones too. */
export interface Probe {
  /** A ConfigMap with the labels and annotations of all objects. */
  readonly added: KrmObject
  /** Images, each with the one that the overlay makes of it; undefined if nothing is known. */
  readonly images?: readonly (readonly [string, string])[]
}

/**
 * Returns the calls of built-in functions that an overlay makes. A call is taken if each field that it changes then has the value of the
 * overlay, so that no edit has to take it back.
 */
export function explainCalls(bases: readonly KrmObject[], pairs: ObjectPairs, probe?: Probe): readonly ExplainedCall[] {
  const calls: ExplainedCall[] = []
  let objects = bases
  for (const candidates of CANDIDATES) {
    const known = new Set<string>()
    for (const attempt of attemptsOf(candidates(objects, overlaysOf(bases, pairs), probe))) {
      const after = attempt.reduce((all: readonly KrmObject[] | undefined, call) => all && afterCall(all, call), objects)
      const keys = attempt.flatMap(labelKeys)
      // A second call for the same label changes nothing.
      if (after === undefined || (keys.length > 0 && keys.every((key) => known.has(key)))) continue
      const isProbed = probe !== undefined && attempt.every(({ fn }) => fn !== 'ensure-name-substring')
      if (!isRight(objects, after, overlaysOf(bases, pairs), isProbed)) continue
      for (const key of keys) known.add(key)
      calls.push(...attempt)
      objects = after
    }
  }
  return calls
}

/** Returns the calls to try together: a prefix and a suffix make the names of an overlay only both. */
function attemptsOf(calls: readonly ExplainedCall[]): readonly (readonly ExplainedCall[])[] {
  const isBoth = calls.length === 2 && calls[0]?.values.prepend !== undefined && calls[1]?.values.append !== undefined
  return [...(isBoth ? [calls] : []), ...calls.map((call) => [call])]
}

type Overlays = readonly (JsonRecord | undefined)[]

function overlaysOf(bases: readonly KrmObject[], pairs: ObjectPairs): Overlays {
  return bases.map((base) => pairs.get(base)?.toJson())
}

function labelKeys({ fn, fixed, values }: ExplainedCall): readonly string[] {
  if (fn === 'set-labels' || fn === 'set-annotations') return Object.keys(values)
  return fn === 'search-replace' ? [fixed['by-path']?.replace('metadata.labels.', '') ?? ''] : []
}

/** @param isProbed  true if the call is one even if it changes nothing yet, since objects that are new later get it */
function isRight(before: readonly KrmObject[], after: readonly KrmObject[], overlays: Overlays, isProbed: boolean): boolean {
  let changes = 0
  for (const [index, overlay] of overlays.entries()) {
    const [one, other] = [before[index]?.toJson() ?? {}, after[index]?.toJson() ?? {}]
    if (overlay === undefined || equalJson(one, other)) continue
    changes += 1
    const paths = [...changedPaths(one, other), ...changedPaths(other, one)]
    if (paths.some((path) => !isReached(alignedValue(other, other, path), alignedValue(overlay, other, path)))) return false
  }
  return changes > 0 || isProbed
}

/** Returns true for the value of the overlay, and for one that differs in the hash of a generated name, which a setter or edit writes. */
function isReached(value: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  if (equalJson(value, wanted)) return true
  const [own, other] = [value, wanted].map((each) => (typeof each === 'string' && HASHED.test(each) ? each.replace(HASHED, '') : undefined))
  return own !== undefined && own === other
}

/** The end of a name that a generator of kustomize makes: a hash in letters and digits that make no words. */
export const HASHED = /-[2456789bcdfghkmt]{10}$/

type Candidates = (objects: readonly KrmObject[], overlays: Overlays, probe: Probe | undefined) => readonly ExplainedCall[]

const CANDIDATES: readonly Candidates[] = [
  substrings,
  namespaces,
  maps('labels', 'set-labels'),
  maps('annotations', 'set-annotations'),
  images,
]

function substrings(objects: readonly KrmObject[], overlays: Overlays): readonly ExplainedCall[] {
  const found = objects.flatMap((object, index) => {
    const [name = '', other] = [object.name?.replace(HASHED, ''), nameIn(overlays[index])?.replace(HASHED, '')]
    if (other === undefined || other === name || object.kind === 'Namespace' || !other.includes(name)) return []
    const at = other.indexOf(name)
    return [{ prepend: other.slice(0, at), append: other.slice(at + name.length) }]
  })
  return (['prepend', 'append'] as const).flatMap((key) => {
    const texts = new Set(found.map((each) => each[key]).filter((text) => text !== ''))
    return [...texts].slice(0, 3).map((text): ExplainedCall => ({ fn: 'ensure-name-substring', fixed: {}, values: { [key]: text } }))
  })
}

function nameIn(object: JsonRecord | undefined): string | undefined {
  const name = object === undefined ? undefined : alignedValue(object, object, ['metadata', 'name'])
  return typeof name === 'string' ? name : undefined
}

function namespaces(objects: readonly KrmObject[], overlays: Overlays, probe: Probe | undefined): readonly ExplainedCall[] {
  const found = overlays.flatMap((overlay, index) => {
    const name = overlay && alignedValue(overlay, overlay, ['metadata', 'namespace'])
    return typeof name === 'string' && name !== objects[index]?.namespace ? [name] : []
  })
  return [...new Set([...(probe?.added.namespace ? [probe.added.namespace] : []), ...found])]
    .slice(0, 3)
    .map((namespace): ExplainedCall => ({ fn: 'set-namespace', fixed: {}, values: { namespace } }))
}

/**
 * Returns the calls that give all objects the labels, or annotations, that all objects of the overlay have. Labels that are in no selector
 * and in no template are written by search-replace, since set-labels writes them there too; its paths have no keys with dots.
 */
function maps(field: 'labels' | 'annotations', fn: 'set-labels' | 'set-annotations'): Candidates {
  return (objects, overlays, probe) => {
    const present = overlays.flatMap((overlay, index) => (overlay === undefined ? [] : [{ overlay, base: objects[index] }]))
    const [first] = present
    const entries = Object.entries(textsAt(probe?.added.toJson() ?? first?.overlay, field)).filter(
      ([key, value]) =>
        !NOT_FOR_ALL.has(key) &&
        present.every(({ overlay }) => textsAt(overlay, field)[key] === value) &&
        (probe !== undefined || present.some(({ base }) => base?.[field].get(key) !== value)),
    )
    if (entries.length === 0) return []
    const whole: ExplainedCall = { fn, fixed: {}, values: Object.fromEntries(entries) }
    const alone = entries.length === 1 ? [] : entries.map(([key, value]): ExplainedCall => ({ fn, fixed: {}, values: { [key]: value } }))
    const metadataOnly = entries
      .filter(([key]) => field === 'labels' && /^[\w/-]+$/.test(key))
      .map(
        ([key, value]): ExplainedCall => ({
          fn: 'search-replace',
          fixed: { 'by-path': `metadata.labels.${key}` },
          values: { 'put-value': value },
        }),
      )
    return [whole, ...alone, ...metadataOnly]
  }
}

/** The annotations that objects of a package have for kpt, and that a function must not write into all of them. */
const NOT_FOR_ALL: ReadonlySet<string> = new Set([UPSTREAM_IDENTIFIER, LOCAL_CONFIG])

function textsAt(object: JsonRecord | undefined, field: string): Readonly<Record<string, string>> {
  const found = object && alignedValue(object, object, ['metadata', field])
  const entries = typeof found === 'object' && found !== null ? Object.entries(found) : []
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function images(objects: readonly KrmObject[], overlays: Overlays, probe: Probe | undefined): readonly ExplainedCall[] {
  const calls = probe?.images?.flatMap(([from, to]) => (from === to ? [] : imageCall(from, to))) ?? changedImages(objects, overlays)
  return distinctItems(calls)
}

function changedImages(objects: readonly KrmObject[], overlays: Overlays): readonly ExplainedCall[] {
  return objects.flatMap((object, index) => {
    const [own, overlay] = [object.toJson(), overlays[index]]
    if (overlay === undefined) return []
    return changedPaths(own, overlay).flatMap((path): readonly ExplainedCall[] => {
      const [from, to] = [alignedValue(own, own, path), alignedValue(overlay, own, path)]
      return path.at(-1) === 'image' && typeof from === 'string' && typeof to === 'string' ? imageCall(from, to) : []
    })
  })
}

/** Returns an image with the same name and another tag or digest. */
export function imageWithOtherTag(image: string): string {
  const name = image.replace(/(?::[^/:@]+)?(?:@.*)?$/, '')
  return image.includes('@') ? `${name}@sha256:${'e'.repeat(64)}` : `${name}:krm-variants-probe`
}

function imageCall(from: string, to: string): readonly ExplainedCall[] {
  const [before, after] = [splitImage(from), splitImage(to)]
  if (before === undefined || after === undefined) return []
  const values = {
    ...(after.name !== before.name && { newName: after.name }),
    ...(after.tag !== before.tag && after.tag !== undefined && { newTag: after.tag }),
    ...(after.digest !== undefined && { digest: after.digest }),
  }
  return [{ fn: 'set-image', fixed: { name: before.name }, values }]
}

function splitImage(image: string): { readonly name: string; readonly tag?: string; readonly digest?: string } | undefined {
  const [, name, tag, digest] = /^((?:[^/@]*\/)*[^:@/]+)(?::([^@]+))?(?:@(.+))?$/.exec(image) ?? []
  if (name === undefined || (tag !== undefined && digest !== undefined)) return undefined
  return { name, ...(tag !== undefined && { tag }), ...(digest !== undefined && { digest }) }
}
