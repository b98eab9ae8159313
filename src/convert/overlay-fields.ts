import { APPLY_REPLACEMENTS } from '../catalog/apply-replacements/apply-replacements.ts'
import { asList, asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { remember } from '../remember.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { hasErrors } from '../result.ts'
import { resultsOf } from '../run.ts'
import { emitValue } from '../yaml/emit/emit.ts'
import { REPLACEMENTS_VERSION } from './explain-overlay.ts'
import type { ObjectPairs } from './pair-objects.ts'

/**
 * A field that an overlay sets and no setter of the base can write, such as one that the base does not have. As an edit alone it would be
 * lost when the base gets the field too: apply-replacements writes it again after each merge, as a patch of kustomize does.
 */
export interface OverlayField {
  /** The kind and name of the object; '' for a label or annotation that all objects get, new ones of the base too. */
  readonly kind: string
  readonly name: string
  /** The steps of a field path of kustomize: keys, and `[name=x]` for the entry of a list. */
  readonly path: readonly string[]
  readonly value: JsonValue
}

const FIELDS_KIND = 'OverlayFields'
const LOCAL = { 'config.kubernetes.io/local-config': 'true' }

/** Returns the fields that a patch of an overlay sets in rendered objects, each tried: only those that come out exactly. */
export function overlayFields(rendered: readonly KrmObject[], pairs: ObjectPairs): readonly OverlayField[] {
  return rendered.flatMap((object) => {
    const [wanted, { kind = '', name = '' }] = [pairs.get(object), object]
    const isAlone = rendered.filter((each) => each.kind === kind && each.name === name).length === 1
    if (wanted === undefined || kind === 'Secret' || !isAlone || wanted.name !== name) return []
    let current = object
    const taken: OverlayField[] = []
    for (const leaf of leavesOf(object.toJson(), wanted.toJson(), [])) {
      const field = { kind, name, ...leaf }
      const after = isWritable(leaf.path) ? afterField(current, field) : undefined
      if (after === undefined || !isNearer(current.toJson(), after.toJson(), wanted.toJson(), leaf)) continue
      taken.push(field)
      current = after
    }
    return taken
  })
}

type Leaf = Pick<OverlayField, 'path' | 'value'>

/** Returns the fields with one field for all objects in place of a label or annotation that all objects of the overlay have. */
export function withCommonFields(fields: readonly OverlayField[], overlay: readonly KrmObject[]): readonly OverlayField[] {
  const common = new Map<string, OverlayField>()
  for (const { path, value } of fields) {
    const isCommon =
      path.length === 3 && path[0] === 'metadata' && overlay.every((object) => equalJson(valueAt(object.toJson(), path), value))
    if (isCommon) common.set(JSON.stringify(path), { kind: '', name: '', path, value })
  }
  return [...common.values(), ...fields.filter(({ path }) => !common.has(JSON.stringify(path)))]
}

/** Returns the values that an object lacks, or has otherwise, down to scalars and lists without names. */
function leavesOf(own: JsonValue | undefined, wanted: JsonValue, path: readonly string[]): readonly Leaf[] {
  if (equalJson(own, wanted) || wanted === null) return []
  if (isRecord(wanted))
    return own === undefined || isRecord(own)
      ? Object.entries(wanted).flatMap(([key, value]) => leavesOf(own && lookup(own, key), value, [...path, key]))
      : []
  if (Array.isArray(wanted)) return own === undefined || Array.isArray(own) ? leavesOfList(own, wanted, path) : []
  return own === undefined || isScalar(own) ? [{ path, value: wanted }] : []
}

function leavesOfList(own: readonly JsonValue[] | undefined, wanted: readonly JsonValue[], path: readonly string[]): readonly Leaf[] {
  const names = wanted.map((entry) => (isRecord(entry) ? entry.name : undefined))
  if (names.length > 0 && new Set(names).size === names.length && names.every((name) => typeof name === 'string'))
    return wanted.flatMap((entry, index) => {
      const known = own?.find((each) => isRecord(each) && each.name === names[index])
      // An entry beside others of the base is an edit: only a merge keeps its place among them.
      if (known === undefined && own !== undefined) return []
      return leavesOf(known ?? { name: names[index] ?? '' }, entry, [...path, `[name=${names[index]}]`])
    })
  const isReplaced = own === undefined || [...own, ...wanted].every((each) => isScalar(each))
  return isReplaced && wanted.length > 0 ? [{ path, value: wanted }] : []
}

function isScalar(value: JsonValue): boolean {
  return !isRecord(value) && !Array.isArray(value)
}

/** Returns true for a path that a field path of kustomize can say, below what identifies an object. */
function isWritable(path: readonly string[]): boolean {
  const isIdentity = ['apiVersion', 'kind'].includes(path[0] ?? '') || (path[0] === 'metadata' && /^name(?:space)?$/.test(path[1] ?? ''))
  return !isIdentity && path.every((step) => /^\[name=[\w.-]+\]$/.test(step) || /^[A-Za-z_][\w./-]*$/.test(step))
}

function isNearer(before: JsonValue, after: JsonValue, wanted: JsonValue, leaf: Leaf): boolean {
  const key = ({ path }: Leaf) => JSON.stringify(path)
  const left = leavesOf(after, wanted, []).map(key)
  const known = new Set(leavesOf(before, wanted, []).map(key))
  return (
    !left.includes(key(leaf)) &&
    left.every((each) => known.has(each)) &&
    leavesOf(wanted, after, []).every((each) => hasPath(before, each.path))
  )
}

function hasPath(root: JsonValue, path: readonly string[]): boolean {
  return valueAt(root, path) !== undefined
}

/** Returns the value at the steps of a field path. */
function valueAt(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, step) => {
    const [, name] = /^\[name=(.*)\]$/.exec(step) ?? []
    if (name === undefined) return isRecord(value) ? lookup(value, step) : undefined
    return Array.isArray(value) ? value.find((each) => isRecord(each) && each.name === name) : undefined
  }, root)
}

function afterField(object: KrmObject, field: OverlayField): KrmObject | undefined {
  const set = { clusters: ['tried'], fields: [field] }
  const copies = [object.toText(), yamlDocument(fieldsObject(set))].map((text) => KrmObject.fromDocument(text))
  const list = ResourceList.of(copies, KrmObject.fromDocument(JSON.stringify(replacementsObject(set))))
  return hasErrors(resultsOf(APPLY_REPLACEMENTS.at(REPLACEMENTS_VERSION), list)) ? undefined : list.items[0]
}

/** The fields that overlays share, with the clusters of these overlays. The first one gives the names of the files. */
export interface FieldSet {
  readonly clusters: readonly string[]
  readonly fields: readonly OverlayField[]
}

/** Returns a set for each list of fields that one or more clusters have. */
export function fieldSets(byCluster: ReadonlyMap<string, readonly OverlayField[]>): readonly FieldSet[] {
  const sets = new Map<string, { readonly clusters: string[]; readonly fields: readonly OverlayField[] }>()
  for (const [cluster, fields] of byCluster) {
    const key = JSON.stringify(fields, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
    remember(sets, key, () => ({ clusters: [], fields })).clusters.push(cluster)
  }
  return [...sets.values()].filter(({ fields }) => fields.length > 0)
}

/** Returns the set that an object of a package holds; undefined for other objects. */
export function fieldSetOf(object: KrmObject): FieldSet | undefined {
  if (object.kind !== FIELDS_KIND) return undefined
  const { clusters, fields } = asRecord(object.toJson().spec)
  return { clusters: texts(clusters), fields: asList(fields).flatMap(fieldOf) }
}

function fieldOf(entry: JsonValue): readonly OverlayField[] {
  const { kind, name, path, value } = asRecord(entry)
  return value === undefined || typeof kind !== 'string' || typeof name !== 'string' ? [] : [{ kind, name, path: texts(path), value }]
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** Returns the fields that still have their values in the objects of an overlay. */
export function unchangedFields(fields: readonly OverlayField[], objects: readonly KrmObject[]): readonly OverlayField[] {
  return fields.filter(({ kind, name, path, value }) => {
    const own = kind === '' ? objects : objects.filter((each) => each.kind === kind && each.name === name)
    return own.length > 0 && own.every((object) => equalJson(valueAt(object.toJson(), path), value))
  })
}

/** Returns the texts of the two files of a set, by their paths in the upstream package. */
export function fieldSetFiles(set: FieldSet): ReadonlyMap<string, string> {
  return new Map([
    [`overlay/${set.clusters[0]}-fields.yaml`, yamlDocument(fieldsObject(set), FIELDS_HEAD)],
    [replacementsFile(set.clusters[0] ?? ''), yamlDocument(replacementsObject(set), REPLACEMENTS_HEAD)],
  ])
}

/** Returns the path of the replacements that write a set. */
export function replacementsFile(cluster: string): string {
  return `overlay/${cluster}-replacements.yaml`
}

/** Returns the first cluster of the set whose replacements are in a file; undefined for another file. */
export function fieldSetNamed(path: string): string | undefined {
  return /^overlay\/(.+)-replacements\.yaml$/.exec(path)?.[1]
}

const FIELDS_HEAD = '# What overlays set beside their setters. The replacements beside this file write it after each update.\n'
const REPLACEMENTS_HEAD = '# Writes the fields of the file beside this one into the objects.\n'

export function yamlDocument(value: JsonRecord, head = ''): string {
  const text = emitValue(value, { column: 0, sequences: 'wide' }).replace(/^\n/, '')
  return `${head}${text.endsWith('\n') ? text : `${text}\n`}`
}

function fieldsObject({ clusters, fields }: FieldSet): JsonRecord {
  const spec = { clusters, fields: fields.map(({ kind, name, path, value }) => ({ kind, name, path, value })) }
  return { apiVersion: `${groupOf(clusters)}/v1`, kind: FIELDS_KIND, metadata: { name: `${clusters[0]}-fields`, annotations: LOCAL }, spec }
}

/** Functions that change names and namespaces change those of this object too, so that its group alone finds it. */
function groupOf(clusters: readonly string[]): string {
  return `${clusters[0]}.values.example.com`
}

function replacementsObject({ clusters, fields }: FieldSet): JsonRecord {
  const replacements = fields.map(({ kind, name, path }, index) => ({
    source: { group: groupOf(clusters), kind: FIELDS_KIND, fieldPath: `spec.fields.${index}.value` },
    targets: [
      {
        ...(kind === '' ? { select: {}, reject: NO_OBJECTS } : { select: { kind, name } }),
        fieldPaths: [path.map(stepText).join('.')],
        options: { create: true },
      },
    ],
  }))
  const metadata = { name: `${clusters[0]}-replacements`, annotations: LOCAL }
  return { apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'ApplyReplacements', metadata, replacements }
}

/** Selects what no cluster gets. */
const NO_OBJECTS = [{ kind: 'Kptfile' }, { annotationSelector: 'config.kubernetes.io/local-config=true' }]

function stepText(step: string): string {
  return step.startsWith('[') ? step : step.replaceAll('.', '\\.')
}

/** Returns a text for each object with the fields that are written into it. */
export function fieldsByObject(fields: readonly OverlayField[]): readonly string[] {
  const byObject = new Map<string, string[]>()
  for (const { kind, name, path } of fields) {
    const key = kind === '' ? 'all objects' : `${kind} ${name}`
    byObject.set(key, [...(byObject.get(key) ?? []), path.map(stepText).join('.')])
  }
  return [...byObject].map(([object, paths]) => `${object} ${paths.join(', ')}`)
}
