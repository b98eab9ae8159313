import { attempt } from '../../attempt.ts'
import { CelError } from '../../cel/cel-error.ts'
import { type Read, readsOf } from '../../cel/reads.ts'
import { replaceField } from '../../cel/variables.ts'
import { type FieldPath, isAtOrBelow, pathKey } from '../../field-path.ts'
import type { JsonValue } from '../../json.ts'
import type { TemplateExpression } from '../../kinds/template.ts'
import type { VariantSet } from '../../kinds/variant-set.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { UnrolledTarget } from '../targets/unrolled-target.ts'
import { fieldInLayer, type LayeredTemplate } from './layered-template.ts'
import type { FilledField } from './render-template.ts'
import { type TemplateContext, variablesFor } from './render-variant.ts'
import type { RenderedVariant } from './rendered-variant.ts'

/** The source of a value of a variant's spec: `object` has the value, or the expression that gave the value, at `path`. */
export interface FieldSource {
  /** `default`: neither the upstream of the set nor the template has the value. */
  readonly type: 'static' | 'expression' | 'default'
  readonly object: KrmObject
  readonly path: FieldPath
  /** The expressions of the value and of its key. */
  readonly expressions: readonly ExplainedExpression[]
  /** The layer of the template that has the value, if the template has several. */
  readonly layer?: string
  /** The fields of lower layers that have a value for the same field, the uppermost first. */
  readonly covered?: readonly { readonly layer: string; readonly path: FieldPath }[]
}

export interface ExplainedExpression {
  readonly expression: TemplateExpression
  /** The value of the expression. */
  readonly value: string
  readonly reads: readonly ExplainedRead[]
  /** Returns the fields that the text of another expression reads of the same target. */
  readonly readsOf: (text: string) => readonly ExplainedRead[]
  /**
   * Returns the value that the text of another expression gives for the same target; undefined if the expression gives none.
   *
   * @param replaced  fields that have another value for once; one without a value is missing
   */
  readonly valueOf: (text: string, replaced?: readonly Read[]) => string | undefined
}

/** A variable that an expression read, with the field of the file that has the value, if any. */
export interface ExplainedRead extends Read {
  readonly source: Pick<FieldSource, 'object' | 'path'> | undefined
}

/**
 * Returns a function that returns the source of a value for a field of a variant, by the path of the field (seed 001, Template
 * Evaluation).
 */
export function sourceFinder(
  set: VariantSet,
  variant: RenderedVariant,
  context: TemplateContext,
): (path: FieldPath, value: JsonValue) => FieldSource {
  const filled = new Map(variant.filled.map((field) => [pathKey([...field.within, field.key]), field]))
  return (path, value) => {
    const found = filled.get(pathKey(path))
    const source = found === undefined ? unfilled(path, value, set, variant.place) : filledSource(found, set, variant, context)
    return { ...source, ...layersOfField(path, value, source, variant.place) }
  }
}

/** Returns the layer of a value, and the fields of lower layers that the value covers; nothing for a template of one layer. */
function layersOfField(
  path: FieldPath,
  value: JsonValue,
  source: FieldSource,
  { template }: UnrolledTarget,
): Pick<FieldSource, 'layer' | 'covered'> {
  if (template === undefined || template.layers.length < 2) return {}
  const { merged, layers } = template
  const at = layers.findIndex((layer) => isAtOrBelow(source.path, layer.template.path))
  const layer = layers[at]
  if (layer === undefined) return {}
  const covered = layers.slice(0, at).flatMap((below) => {
    const field = fieldInLayer(below, { path, value, merged })
    return field === undefined ? [] : [{ layer: below.name, path: field }]
  })
  return { layer: layer.name, ...(covered.length > 0 && { covered: covered.reverse() }) }
}

function filledSource(field: FilledField, set: VariantSet, variant: RenderedVariant, context: TemplateContext): FieldSource {
  const { keyFrom, valueFrom, key, value, writtenAt } = field
  const explain = (expression: TemplateExpression, gave: string) => explainExpression(expression, gave, variant, context)
  const expressions = [
    ...(valueFrom === undefined ? [] : [explain(valueFrom, value)]),
    ...(keyFrom === undefined ? [] : [explain(keyFrom, String(key))]),
  ]
  return { type: expressions.length === 0 ? 'static' : 'expression', object: set.object, path: writtenAt, expressions }
}

/** Returns what an expression reads of the target of a variant, and gives for it. */
export function explainForTarget(text: string, variant: RenderedVariant, context: TemplateContext): ExplainedExpression {
  const explained = explainExpression({ text, path: [] }, '', variant, context)
  return { ...explained, value: explained.valueOf(text) ?? '' }
}

function explainExpression(
  expression: TemplateExpression,
  value: string,
  variant: RenderedVariant,
  context: TemplateContext,
): ExplainedExpression {
  const variables = variablesFor(variant, context)
  const explainReads = (text: string) => readsOf(text, variables).map((read) => ({ ...read, source: placeOfRead(read, variant, context) }))
  return {
    expression,
    value,
    reads: explainReads(expression.text),
    readsOf: explainReads,
    valueOf: (text, replaced = []) => {
      const program = context.compiler.expressionOf({ ...expression, text }, context.scope.others)
      return program instanceof CelError ? undefined : attempt(() => program.evaluate(replaced.reduce(replaceField, variables)), CelError)
    },
  }
}

/**
 * Returns the field that a variable refers to: a field of the matched object, of the upstream PackageRevision, or of the downstream
 * Repository.
 */
function placeOfRead(
  { path: [name, ...rest] }: Read,
  { place, repo }: RenderedVariant,
  { repositories }: TemplateContext,
): ExplainedRead['source'] {
  const [input, ...inInput] = rest
  const given = name === 'inputs' && input !== undefined ? place.inputs?.objects.get(input)?.object : undefined
  if (given !== undefined) return { object: given, path: inInput }
  const objects: Readonly<Record<string, KrmObject | undefined>> = {
    target: place.object?.object,
    upstream: place.upstream.revision?.object,
    repository: repositories.get(repo)?.object,
    repoDefault: place.object?.object,
  }
  const object = Object.hasOwn(objects, name) ? objects[name] : undefined
  return object && { object, path: name === 'repoDefault' ? ['metadata', 'name'] : ['metadata', ...rest] }
}

/** Returns the source of a field without an expression: a field of the upstream, of the template, or the default of a place. */
function unfilled(path: FieldPath, value: JsonValue, { object }: VariantSet, place: UnrolledTarget): FieldSource {
  const { upstream } = place.upstream
  const [, field, key] = path
  const fixed = (holder: KrmObject, at: FieldPath): FieldSource => ({ type: 'static', object: holder, path: at, expressions: [] })
  if (field === 'upstream' && (key === 'revision' || key === 'workspaceName') && upstream.revisionAt !== undefined)
    return fixed(upstream.revisionAt.object, upstream.revisionAt.path)
  if (field === 'upstream') return fixed(upstream.object, [...upstream.path, ...path.slice(2)])
  const inTemplate = place.template && fieldInTemplate(place.template, path, value)
  if (field !== 'downstream') return fixed(object, inTemplate ?? [...place.target.path, 'template', ...path.slice(1)])
  if (inTemplate !== undefined) return fixed(object, inTemplate)
  const from = key === 'repo' ? repoSource(object, place) : packageSource(object, place)
  return { type: 'default', expressions: [], ...from }
}

/** Returns the field of the uppermost layer that has a value for a field of the spec. */
function fieldInTemplate({ merged, layers }: LayeredTemplate, path: FieldPath, value: JsonValue): FieldPath | undefined {
  return layers.flatMap((layer) => [fieldInLayer(layer, { path, value, merged })]).findLast((field) => field !== undefined)
}

/** Returns the source of a default repository: the entry of the list, or the name of the matched object. */
function repoSource(set: KrmObject, { object, path, target: { criteria } }: UnrolledTarget): Pick<FieldSource, 'object' | 'path'> {
  if (object !== undefined) return { object: object.object, path: ['metadata', 'name'] }
  const at = path.indexOf('packageNames')
  const entry = at === -1 ? path : path.slice(0, at)
  return { object: set, path: criteria.type === 'repositories' ? [...entry, 'name'] : entry }
}

/** Returns the source of a default package: one of the package names of the target, else the package of the upstream. */
function packageSource(set: KrmObject, place: UnrolledTarget): Pick<FieldSource, 'object' | 'path'> {
  const { path, packageDefault, target } = place
  const { upstream } = place.upstream
  if (path.includes('packageNames')) return { object: set, path }
  const lists = [
    [...path, 'packageNames'],
    [...target.path, 'packageNames'],
  ]
  const named = lists.flatMap((list) => {
    const names = set.get(list)
    return Array.isArray(names) && names.includes(packageDefault) ? [[...list, names.indexOf(packageDefault)]] : []
  })
  const [at] = named
  if (at !== undefined) return { object: set, path: at }
  return packageDefault === upstream.package ? { object: upstream.object, path: [...upstream.path, 'package'] } : { object: set, path }
}
