import { type Read, readsOf } from '../cel/reads.ts'
import { type FieldPath, pathKey } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { PackageVariantSet } from '../kinds/package-variant-set.ts'
import type { Template, TemplateExpression } from '../kinds/template.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { type FilledField, INJECTORS, pathOf, REMOVED_KEYS } from './render-template.ts'
import { type RenderedVariant, type TemplateContext, variablesFor } from './render-variant.ts'
import type { UnrolledTarget } from './unroll-targets.ts'

/** The source of a value of a variant's spec: `object` has the value, or the expression that gave the value, at `path`. */
export interface FieldSource {
  /** `default`: neither the upstream of the set nor the template has the value. */
  readonly type: 'static' | 'expression' | 'default'
  readonly object: KrmObject
  readonly path: FieldPath
  /** The expressions of the value and of its key. */
  readonly expressions: readonly ExplainedExpression[]
}

export interface ExplainedExpression {
  readonly expression: TemplateExpression
  /** The value of the expression. */
  readonly value: string
  readonly reads: readonly ExplainedRead[]
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
  set: PackageVariantSet,
  variant: RenderedVariant,
  context: TemplateContext,
): (path: FieldPath, value: JsonValue) => FieldSource {
  const filled = new Map(variant.filled.map((field) => [pathKey([...field.within, field.key]), field]))
  return (path, value) => {
    const found = filled.get(pathKey(path))
    return found === undefined ? unfilled(path, value, set, variant.place) : filledSource(found, set, variant, context)
  }
}

function filledSource(field: FilledField, set: PackageVariantSet, variant: RenderedVariant, context: TemplateContext): FieldSource {
  const { keyFrom, valueFrom, key, value, writtenAt } = field
  const explain = (expression: TemplateExpression, gave: string) => explainExpression(expression, gave, variant, context)
  const expressions = [
    ...(valueFrom === undefined ? [] : [explain(valueFrom, value)]),
    ...(keyFrom === undefined ? [] : [explain(keyFrom, String(key))]),
  ]
  return { type: expressions.length === 0 ? 'static' : 'expression', object: set.object, path: writtenAt, expressions }
}

function explainExpression(
  expression: TemplateExpression,
  value: string,
  variant: RenderedVariant,
  context: TemplateContext,
): ExplainedExpression {
  const reads = readsOf(expression.text, variablesFor(variant, context))
  return { expression, value, reads: reads.map((read) => ({ ...read, source: placeOfRead(read, variant, context) })) }
}

/**
 * Returns the field that a variable refers to: a field of the matched object, of the upstream PackageRevision, or of the downstream
 * Repository.
 */
function placeOfRead({ path: [name, ...rest] }: Read, { place, repo }: RenderedVariant, context: TemplateContext): ExplainedRead['source'] {
  const objects: Readonly<Record<string, KrmObject | undefined>> = {
    target: place.object?.object,
    upstream: context.upstream?.object,
    repository: context.repositories.get(repo)?.object,
    repoDefault: place.object?.object,
  }
  const object = Object.hasOwn(objects, name) ? objects[name] : undefined
  return object && { object, path: name === 'repoDefault' ? ['metadata', 'name'] : ['metadata', ...rest] }
}

/** Returns the source of a field without an expression: a field of `upstream`, of the template, or the default of a place. */
function unfilled(path: FieldPath, value: JsonValue, { object, upstream }: PackageVariantSet, place: UnrolledTarget): FieldSource {
  const { template } = place.target
  const [, field, key] = path
  const fixed = (at: FieldPath): FieldSource => ({ type: 'static', object, path: at, expressions: [] })
  if (field === 'upstream') return fixed(path)
  if (field !== 'downstream') return fixed(templatePath(path, value, place, template))
  const computed = key === 'repo' ? template?.downstream.repo : template?.downstream.package
  if (computed !== undefined && 'value' in computed) return fixed(computed.path)
  const from = key === 'repo' ? repoSource(object, place) : packageSource(object, place, upstream.package)
  return { type: 'default', expressions: [], ...from }
}

/** Returns the source of a default repository: the entry of the list, or the name of the matched object. */
function repoSource(set: KrmObject, { object, path, target: { criteria } }: UnrolledTarget): Pick<FieldSource, 'object' | 'path'> {
  if (object !== undefined) return { object: object.object, path: ['metadata', 'name'] }
  const at = path.indexOf('packageNames')
  const entry = at === -1 ? path : path.slice(0, at)
  return { object: set, path: criteria.type === 'repositories' ? [...entry, 'name'] : entry }
}

/** Returns the source of a default package: one of the package names of the target, else the package of the upstream. */
function packageSource(set: KrmObject, place: UnrolledTarget, upstreamPackage: string): Pick<FieldSource, 'object' | 'path'> {
  const { path, packageDefault, target } = place
  if (path.includes('packageNames')) return { object: set, path }
  const lists = [
    [...path, 'packageNames'],
    [...target.path, 'packageNames'],
  ]
  const named = lists.flatMap((list) => {
    const names = set.get(list)
    return Array.isArray(names) && names.includes(packageDefault) ? [[...list, names.indexOf(packageDefault)]] : []
  })
  const [at = packageDefault === upstreamPackage ? ['spec', 'upstream', 'package'] : path] = named
  return { object: set, path: at }
}

/**
 * Returns the path of the field in the template. A field of a list that is sorted, or may be written as one entry, is looked up in the
 * decoded template.
 */
function templatePath(path: FieldPath, value: JsonValue, { target }: UnrolledTarget, template: Template | undefined): FieldPath {
  const top = [...target.path, 'template']
  const [list, index] = [pathKey(path.slice(0, -1)), path.at(-1) ?? 0]
  if (list === pathKey(REMOVED_KEYS)) {
    const written = template?.packageContext?.removeKeys.indexOf(String(value)) ?? index
    return [...top, ...REMOVED_KEYS.slice(1), written]
  }
  const injector = path[1] === INJECTORS[1] ? template?.injectors[Number(path[2])]?.name : undefined
  if (injector !== undefined) return [...pathOf(injector).slice(0, -1), index]
  return [...top, ...path.slice(1)]
}
