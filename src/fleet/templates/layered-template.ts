import type { FieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { JsonValue } from '../../json.ts'
import type { Target } from '../../kinds/target.ts'
import type { FunctionTemplate, InjectorTemplate, MapExpr, PackageContextTemplate, StringMap, Template } from '../../kinds/template.ts'
import type { Upstream, VariantSet } from '../../kinds/variant-set.ts'
import { pathOf } from './render-template.ts'

/** A template that is one of several for a place. */
export interface TemplateLayer {
  /** The layer for messages: `template`, `upstream`, `target`. */
  readonly name: string
  readonly template: Template
  /** True for an override of a matrix. */
  readonly isOverride?: boolean
}

/** The template of a place: its layers, the lowest first, and the template that they give together. */
export interface LayeredTemplate {
  readonly merged: Template
  readonly layers: readonly TemplateLayer[]
}

/** Returns the layers of the places that a target has with an upstream, the lowest first: the set's, the upstream's, the target's. */
export function layersOf({ template }: VariantSet, upstream: Upstream, target: Target): readonly TemplateLayer[] {
  const layers = [
    { name: 'template', template },
    { name: 'upstream', template: upstream.template },
    { name: 'target', template: target.template },
  ]
  return layers.flatMap(({ name, template: written }) => (written === undefined ? [] : [{ name, template: written }]))
}

/** Returns the template of layers, the lowest first; undefined without a layer. The template of one layer is the layer's own. */
export function layerTemplates(layers: readonly TemplateLayer[]): LayeredTemplate | undefined {
  const [lowest, ...others] = layers
  if (lowest === undefined) return undefined
  return { merged: others.reduce((merged, { template }) => overlayTemplate(merged, template), lowest.template), layers }
}

/**
 * Returns a template that lies over another: a scalar of the upper one replaces that of the lower one, maps are merged key by key, and an
 * injector or function of the upper one replaces that of the same name, else is appended.
 * Example: labels `{env: prod, tier: a}` under labels `{tier: b}` give `{env: prod, tier: b}`.
 */
export function overlayTemplate(lower: Template, upper: Template): Template {
  const adoptionPolicy = upper.adoptionPolicy ?? lower.adoptionPolicy
  const deletionPolicy = upper.deletionPolicy ?? lower.deletionPolicy
  const labels = overlayMap({ fixed: lower.labels, exprs: lower.labelExprs }, { fixed: upper.labels, exprs: upper.labelExprs }, [
    ...upper.path,
    'labels',
  ])
  const annotations = overlayMap(
    { fixed: lower.annotations, exprs: lower.annotationExprs },
    { fixed: upper.annotations, exprs: upper.annotationExprs },
    [...upper.path, 'annotations'],
  )
  const packageContext = overlayContext(lower.packageContext, upper.packageContext, [...upper.path, 'packageContext', 'data'])
  const pipeline = overlayPipeline(lower.pipeline, upper.pipeline)
  return {
    path: upper.path,
    downstream: { ...lower.downstream, ...upper.downstream },
    ...(adoptionPolicy !== undefined && { adoptionPolicy }),
    ...(deletionPolicy !== undefined && { deletionPolicy }),
    labels: labels.fixed,
    labelExprs: labels.exprs,
    annotations: annotations.fixed,
    annotationExprs: annotations.exprs,
    ...(packageContext && { packageContext }),
    injectors: overlayList(lower.injectors, upper.injectors, injectorKey),
    ...(pipeline && { pipeline }),
  }
}

/** The fixed and computed entries of a map. A computed entry overrides a fixed one, and a later one an earlier one. */
interface MapEntries {
  readonly fixed: StringMap
  readonly exprs: readonly MapExpr[]
}

/**
 * Returns the entries of a map under those of another. Computed entries of the lower map whose key the upper map has are left out. If the
 * lower map has entries with a computed key, which may be any key, the fixed entries of the upper map come after them as entries with a
 * fixed value.
 *
 * @param path  the path of the fixed entries of the upper map
 */
function overlayMap(lower: MapEntries, upper: MapEntries, path: FieldPath): MapEntries {
  const keys = new Set([...upper.fixed.keys(), ...upper.exprs.flatMap(({ key }) => ('value' in key ? [key.value] : []))])
  const kept = lower.exprs.filter(({ key }) => !('value' in key && keys.has(key.value)))
  const isOpen = kept.some(({ key }) => 'expression' in key)
  if (!isOpen) return { fixed: new Map([...lower.fixed, ...upper.fixed]), exprs: [...kept, ...upper.exprs] }
  const fixed = Array.from(upper.fixed, ([key, value]): MapExpr => {
    const at = [...path, key]
    return { key: { value: key, path: at }, value: { value, path: at } }
  })
  return { fixed: lower.fixed, exprs: [...kept, ...fixed, ...upper.exprs] }
}

/** Returns the package context under another: a key that the upper one sets is no longer removed, one that it removes no longer set. */
function overlayContext(
  lower: PackageContextTemplate | undefined,
  upper: PackageContextTemplate | undefined,
  path: FieldPath,
): PackageContextTemplate | undefined {
  if (lower === undefined || upper === undefined) return upper ?? lower
  const sets = new Set([...upper.data.keys(), ...upper.dataExprs.flatMap(({ key }) => ('value' in key ? [key.value] : []))])
  const removes = new Set(upper.removeKeys)
  const below = {
    fixed: new Map([...lower.data].filter(([key]) => !removes.has(key))),
    exprs: lower.dataExprs.filter(({ key }) => !('value' in key && removes.has(key.value))),
  }
  const { fixed, exprs } = overlayMap(below, { fixed: upper.data, exprs: upper.dataExprs }, path)
  return {
    data: fixed,
    dataExprs: exprs,
    removeKeys: [...new Set([...lower.removeKeys.filter((key) => !sets.has(key)), ...upper.removeKeys])],
    removeKeyExprs: [...lower.removeKeyExprs, ...upper.removeKeyExprs],
  }
}

function overlayPipeline(lower: Template['pipeline'], upper: Template['pipeline']): Template['pipeline'] {
  if (lower === undefined || upper === undefined) return upper ?? lower
  return {
    validators: overlayList(lower.validators, upper.validators, functionKey),
    mutators: overlayList(lower.mutators, upper.mutators, functionKey),
  }
}

/**
 * Returns a list under another: the entries of the upper list take the place of the lower entry of their key, entries of other keys and
 * without a key are appended.
 */
function overlayList<Entry>(lower: readonly Entry[], upper: readonly Entry[], keyOf: (entry: Entry) => string): readonly Entry[] {
  if (lower.length === 0) return upper
  const replacing = groupBy(upper, keyOf)
  const known = new Set(lower.map(keyOf))
  const placed = new Set<string>()
  const kept = lower.flatMap((entry) => {
    const key = keyOf(entry)
    const entries = key === '' ? undefined : replacing.get(key)
    if (entries === undefined) return [entry]
    if (placed.has(key)) return []
    placed.add(key)
    return entries
  })
  return [...kept, ...upper.filter((entry) => keyOf(entry) === '' || !known.has(keyOf(entry)))]
}

/** Returns the name of a function; '' for a function without a name, which no other replaces. */
function functionKey({ written: { name } }: FunctionTemplate): string {
  return typeof name === 'string' ? name : ''
}

/**
 * Returns the key by which an injector replaces another: its injection point, else its fixed name, of one kind; '' for an injector with
 * neither, which no other replaces.
 */
function injectorKey({ group = '', kind = '', name, point }: InjectorTemplate): string {
  if (point !== undefined) return JSON.stringify([group, kind, 'point', point])
  return 'value' in name && name.value !== '' ? JSON.stringify([group, kind, 'name', name.value]) : ''
}

/** A value of the spec of a variant, and the template that gave the spec. */
interface SpecValue {
  /** The path of the value: `spec.labels.env`. */
  readonly path: FieldPath
  readonly value: JsonValue
  readonly merged: Template
}

/** Returns the name of the override that gives a field of a spec its value, `override big`; undefined for a value of another layer. */
export function overrideOf(template: LayeredTemplate | undefined, path: FieldPath, value: JsonValue): string | undefined {
  const layer = template?.layers.findLast((each) => fieldInLayer(each, { path, value, merged: template.merged }) !== undefined)
  return layer?.isOverride === true ? layer.name : undefined
}

/**
 * Returns the field of a layer that has a value for a field of the variant's spec; undefined if the layer has none. An entry with a
 * computed key belongs to no known field.
 */
export function fieldInLayer({ template }: TemplateLayer, wanted: SpecValue): FieldPath | undefined {
  const [, field, key] = wanted.path
  const { labels, labelExprs, annotations, annotationExprs, downstream } = template
  switch (field) {
    case 'downstream': {
      const computed = key === 'repo' ? downstream.repo : downstream.package
      return computed && pathOf(computed)
    }
    case 'labels':
      return entryField([...template.path, field], { fixed: labels, exprs: labelExprs }, key)
    case 'annotations':
      return entryField([...template.path, field], { fixed: annotations, exprs: annotationExprs }, key)
    case 'packageContext':
      return contextField(template, wanted)
    case 'adoptionPolicy':
    case 'deletionPolicy':
      return template[field] === undefined ? undefined : [...template.path, field]
    default:
      return listField(template, wanted)
  }
}

function contextField({ path: top, packageContext }: Template, { path, value }: SpecValue): FieldPath | undefined {
  const [, , field, key] = path
  if (packageContext === undefined) return undefined
  const { data, dataExprs, removeKeys } = packageContext
  if (field === 'data') return entryField([...top, 'packageContext', 'data'], { fixed: data, exprs: dataExprs }, key)
  const written = removeKeys.indexOf(String(value))
  return written === -1 ? undefined : [...top, 'packageContext', 'removeKeys', written]
}

/** Returns the field of an injector or function of a layer: that of the entry in the spec, or of one that the entry replaced. */
function listField({ injectors, pipeline }: Template, { path, merged }: SpecValue): FieldPath | undefined {
  if (path[1] === 'injectors') return fieldOfEntry(injectors, merged.injectors[Number(path[2])], injectorKey, path.slice(3))
  const stage = path[2] === 'validators' ? 'validators' : 'mutators'
  return fieldOfEntry(pipeline?.[stage] ?? [], merged.pipeline?.[stage][Number(path[3])], functionKey, path.slice(4))
}

function fieldOfEntry<Entry extends { readonly path: FieldPath }>(
  entries: readonly Entry[],
  wanted: Entry | undefined,
  keyOf: (entry: Entry) => string,
  rest: FieldPath,
): FieldPath | undefined {
  if (wanted === undefined) return undefined
  const found = entries.find((entry) => entry === wanted || (keyOf(wanted) !== '' && keyOf(entry) === keyOf(wanted)))
  return found && [...found.path, ...rest]
}

/** Returns the field of an entry of a map: the last computed entry of the key, else the fixed one. */
function entryField(path: FieldPath, { fixed, exprs }: MapEntries, key: string | number | undefined): FieldPath | undefined {
  const computed = exprs.findLast((entry) => 'value' in entry.key && entry.key.value === key)
  if (computed !== undefined) return pathOf(computed.value)
  return typeof key === 'string' && fixed.has(key) ? [...path, key] : undefined
}
