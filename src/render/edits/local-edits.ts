import { compareText } from '../../field-path.ts'
import { asRecord, equalJson, type JsonRecord, type JsonValue, lookup, textIn } from '../../json.ts'
import { PIPELINE_LISTS } from '../../kinds/kptfile.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import { isReservedKey } from '../../kinds/reserved-context-key.ts'
import { PACKAGE_OWNER_ANNOTATIONS } from '../../lifecycle/owner-annotation.ts'
import { objectsIn, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import { isSameContent } from '../../merge/same-content.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { injectedField } from '../../variant/injection/injection-point.ts'
import { isOwned, type Owners } from '../../variant/owned-functions.ts'
import { isPackageContext } from '../../variant/package-context.ts'
import { INJECTED_ANNOTATION, SEED_INJECTED_ANNOTATION, UPSTREAM_IDENTIFIER } from '../../well-known.ts'
import { contentsOf, type RenderedFiles } from '../clone/rendered-package.ts'
import type { VariantKeys } from './variant-keys.ts'

/** A variant and its owner names, which distinguish its functions from those of other variants. */
export interface Maker {
  readonly variant: Pick<PackageVariant, 'labels' | 'annotations'>
  readonly owners: Owners
  /** The keys that the variant wrote, where every other key counts: the package goes, and what people added goes with it. */
  readonly wrote?: VariantKeys
}

/**
 * Returns the files of a package that differ from its clone by edits. Content that the variant writes is no edit, even if the variant
 * asked for it earlier and not now: its functions, the data of the package context, injected values. Without `wrote`, labels and
 * annotations that upstream does not have may be such content, so they are no edits either: an update keeps them.
 *
 * @param clone  the package as cloned, before any mutation
 */
export function localEdits(clone: RenderedFiles, downstream: PackageFiles, maker: Maker): readonly string[] {
  const cloned = contentsOf(clone)
  const paths = [...new Set([...cloned.keys(), ...downstream.keys()])].sort(compareText)
  return paths.filter((path) => !isSame(path, cloned.get(path), downstream.get(path), maker))
}

function isSame(path: string, clone: PackageContent | undefined, downstream: PackageContent | undefined, maker: Maker): boolean {
  if (isSameContent(clone, downstream)) return true
  const [made, there] = [objectsIn(clone), objectsIn(downstream)]
  if (made.length === 0 || made.length !== there.length) return false
  const isSameOne = path === KPTFILE ? isSameKptfile : isSameObject
  return made.every((object, at) => isSameOne(object, there[at] ?? object, maker))
}

function isSameObject(made: KrmObject, there: KrmObject, { wrote }: Maker): boolean {
  if (isSameContent([made], [there])) return true
  if (isPackageContext(made) && isPackageContext(there))
    return equalJson(withoutField(made, 'data'), withoutField(there, 'data')) && (wrote === undefined || hasOnlyData(there, made, wrote))
  return differsByInjection(made, there)
}

/** Returns true if an object differs from that of a clone by injected values alone. */
export function differsByInjection(made: KrmObject, there: KrmObject): boolean {
  const field = injectedField(there)
  return isInjected(there) && equalJson(withoutField(made, field), withoutField(there, field))
}

/**
 * Returns true if every key of a package context is as cloned, kpt's, or the variant's. A key that is gone holds nothing that could be
 * lost.
 */
function hasOnlyData(there: KrmObject, made: KrmObject, { data }: VariantKeys): boolean {
  const cloned = asRecord(made.get(['data']))
  return Object.entries(asRecord(there.get(['data']))).every(
    ([key, value]) => isReservedKey(key) || data.has(key) || equalJson(lookup(cloned, key) ?? null, value),
  )
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
  ...PACKAGE_OWNER_ANNOTATIONS,
])

function isSameKptfile(made: KrmObject, there: KrmObject, maker: Maker): boolean {
  return equalJson(byHand(made, made, maker), byHand(there, made, maker))
}

/** Returns the content of a Kptfile that neither a tool nor the variant writes. */
function byHand(kptfile: KrmObject, made: KrmObject, { variant, owners, wrote }: Maker): JsonRecord {
  const { metadata, pipeline, info, ...rest } = without(kptfile.toJson(), (key) => NOTED.has(key))
  const isForeign = (map: 'labels' | 'annotations', key: string): boolean =>
    variant[map].has(key) || (wrote === undefined ? !made[map].has(key) : wrote[map].has(key))
  const own = withoutIn(
    withoutIn(metadata, 'annotations', (key) => WRITTEN_ANNOTATIONS.has(key) || isForeign('annotations', key)),
    'labels',
    (key) => isForeign('labels', key),
  )
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

/** Returns a map without the entries of one of its lists that pass a test; an empty list is removed. */
function withoutEntries(value: JsonValue | undefined, key: string, test: (entry: JsonValue) => boolean): JsonRecord {
  const map = asRecord(value)
  const list = lookup(map, key)
  return Array.isArray(list) ? withoutEmpty({ ...map, [key]: list.filter((entry) => !test(entry)) }) : map
}

/** Returns a map without the keys of one of its maps that pass a test; an empty map is removed. */
function withoutIn(value: JsonValue | undefined, key: string, test: (key: string) => boolean): JsonRecord {
  const map = asRecord(value)
  return withoutEmpty({ ...map, [key]: without(lookup(map, key), test) })
}

/** Returns a map without the keys that pass a test; {} for a value that is no map. */
function without(value: JsonValue | undefined, test: (key: string) => boolean): JsonRecord {
  return Object.fromEntries(Object.entries(asRecord(value)).filter(([key]) => !test(key)))
}

function withoutEmpty(map: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => !equalJson(value, {}) && !equalJson(value, [])))
}
