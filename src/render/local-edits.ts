import { compareText } from '../field-path.ts'
import { asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { PIPELINE_LISTS } from '../kinds/kptfile.ts'
import type { PackageVariant } from '../kinds/package-variant.ts'
import { isBytes, objectsIn, type PackageContent, type PackageFiles } from '../merge/package-files.ts'
import { isSameContent } from '../merge/same-content.ts'
import { UPSTREAM_IDENTIFIER } from '../merge/upstream-identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { injectedField } from '../variant/injection/injection-point.ts'
import { isOwned, type Owners } from '../variant/owned-functions.ts'
import { isPackageContext } from '../variant/package-context.ts'
import { INJECTED_ANNOTATION, SEED_INJECTED_ANNOTATION } from '../well-known.ts'
import { MARK_ANNOTATIONS } from './owner-annotation.ts'
import type { RenderedContent, RenderedFiles } from './rendered-package.ts'

/** A variant, and what tells its functions from those of others. */
export interface Maker {
  readonly variant: Pick<PackageVariant, 'labels' | 'annotations'>
  readonly owners: Owners
}

/**
 * The files in which a package is not what was cloned: what people did to it. What its variant writes is no edit, and none of what it wrote
 * when it asked for other things: its functions, the data of the package context, what is injected. Labels and annotations that upstream
 * does not have may be of a variant that asks for them no more, so they are none either.
 *
 * @param clone  the package as it was cloned, before anything was asked of it
 */
export function localEdits(clone: RenderedFiles, downstream: PackageFiles, maker: Maker): readonly string[] {
  const paths = [...new Set([...clone.keys(), ...downstream.keys()])].sort(compareText)
  return paths.filter((path) => !isSame(path, contentOf(clone.get(path)), downstream.get(path), maker))
}

function contentOf(content: RenderedContent | undefined): PackageContent | undefined {
  return content === undefined || isBytes(content) ? content : content.map(({ object }) => object)
}

function isSame(path: string, clone: PackageContent | undefined, downstream: PackageContent | undefined, maker: Maker): boolean {
  if (isSameContent(clone, downstream)) return true
  const [made, there] = [objectsIn(clone), objectsIn(downstream)]
  if (made.length === 0 || made.length !== there.length) return false
  const isSameOne = path === KPTFILE ? (a: KrmObject, b: KrmObject) => isSameKptfile(a, b, maker) : isSameObject
  return made.every((object, at) => isSameOne(object, there[at] ?? object))
}

function isSameObject(made: KrmObject, there: KrmObject): boolean {
  if (isSameContent([made], [there])) return true
  if (isPackageContext(made) && isPackageContext(there)) return equalJson(withoutField(made, 'data'), withoutField(there, 'data'))
  const field = injectedField(there)
  return isInjected(there) && equalJson(withoutField(made, field), withoutField(there, field))
}

function isInjected({ annotations }: KrmObject): boolean {
  return annotations.has(INJECTED_ANNOTATION) || annotations.has(SEED_INJECTED_ANNOTATION)
}

function withoutField(object: KrmObject, field: string): JsonRecord {
  const { metadata, ...rest } = without(object.toJson(), (key) => key === field)
  return { ...rest, metadata: withoutIn(metadata, 'annotations', (key) => WRITTEN_ANNOTATIONS.has(key)) }
}

const WRITTEN_ANNOTATIONS: ReadonlySet<string> = new Set([
  INJECTED_ANNOTATION,
  SEED_INJECTED_ANNOTATION,
  UPSTREAM_IDENTIFIER,
  ...MARK_ANNOTATIONS,
])

function isSameKptfile(made: KrmObject, there: KrmObject, maker: Maker): boolean {
  return equalJson(byHand(made, made, maker), byHand(there, made, maker))
}

/** What of a Kptfile neither tools note nor a variant writes. */
function byHand(kptfile: KrmObject, made: KrmObject, { variant, owners }: Maker): JsonRecord {
  const { metadata, pipeline, info, ...rest } = without(kptfile.toJson(), (key) => NOTED.has(key))
  const isForeign = (key: string): boolean => WRITTEN_ANNOTATIONS.has(key) || !made.annotations.has(key) || variant.annotations.has(key)
  const isForeignLabel = (key: string): boolean => !made.labels.has(key) || variant.labels.has(key)
  const own = withoutIn(withoutIn(metadata, 'annotations', isForeign), 'labels', isForeignLabel)
  return withoutEmpty({
    ...rest,
    metadata: without(own, (key) => key === 'name'),
    pipeline: withoutOwned(pipeline, owners),
    info: withoutEntries(info, 'readinessGates', (gate) => textIn(gate, 'conditionType').startsWith('config.injection.')),
  })
}

const NOTED: ReadonlySet<string> = new Set(['upstream', 'upstreamLock', 'status'])

function withoutOwned(pipeline: JsonValue | undefined, owners: Owners): JsonRecord {
  const isOwn = (entry: JsonValue): boolean => isOwned(textIn(entry, 'name'), owners)
  return Object.keys(PIPELINE_LISTS).reduce((left, list) => withoutEntries(left, list, isOwn), asRecord(pipeline))
}

function textIn(entry: JsonValue, key: string): string {
  const text = isRecord(entry) ? lookup(entry, key) : undefined
  return typeof text === 'string' ? text : ''
}

/** A map with fewer entries in one of its lists; a list without entries is none. */
function withoutEntries(value: JsonValue | undefined, key: string, test: (entry: JsonValue) => boolean): JsonRecord {
  const map = asRecord(value)
  const list = lookup(map, key)
  return Array.isArray(list) ? withoutEmpty({ ...map, [key]: list.filter((entry) => !test(entry)) }) : map
}

/** A map with fewer keys in one of its maps; a map without keys is none. */
function withoutIn(value: JsonValue | undefined, key: string, test: (key: string) => boolean): JsonRecord {
  const map = asRecord(value)
  return withoutEmpty({ ...map, [key]: without(lookup(map, key), test) })
}

/** A map without some keys; what is no map has none. */
function without(value: JsonValue | undefined, test: (key: string) => boolean): JsonRecord {
  return Object.fromEntries(Object.entries(asRecord(value)).filter(([key]) => !test(key)))
}

function withoutEmpty(map: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => !equalJson(value, {}) && !equalJson(value, [])))
}
