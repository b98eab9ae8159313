import type { FieldPath } from '../field-path.ts'
import type { JsonRecord } from '../json.ts'
import { type ListEntry, listEntries } from './entries.ts'
import { injectorEntries } from './template-rules.ts'
import type { FunctionTemplateFields, InjectorTemplateFields, MapExprFields, TemplateFields } from './template-schema.ts'

/** A CEL expression with the path of its field, for messages. */
export interface TemplateExpression {
  readonly text: string
  readonly path: FieldPath
}

export type StringMap = ReadonlyMap<string, string>

/** A value that is either fixed or computed for each target, with the path of its field. */
export type Computed = { readonly value: string; readonly path: FieldPath } | { readonly expression: TemplateExpression }

/** An entry of labelExprs, annotationExprs, dataExprs or configMapExprs. */
export interface MapExpr {
  readonly key: Computed
  readonly value: Computed
}

export interface Template {
  /** The path of the template; of several that lie over each other, that of the uppermost. */
  readonly path: FieldPath
  readonly downstream: { readonly repo?: Computed; readonly package?: Computed }
  readonly adoptionPolicy?: string
  readonly deletionPolicy?: string
  readonly labels: StringMap
  readonly labelExprs: readonly MapExpr[]
  readonly annotations: StringMap
  readonly annotationExprs: readonly MapExpr[]
  readonly packageContext?: PackageContextTemplate
  readonly injectors: readonly InjectorTemplate[]
  readonly pipeline?: { readonly validators: readonly FunctionTemplate[]; readonly mutators: readonly FunctionTemplate[] }
}

export interface PackageContextTemplate {
  readonly data: StringMap
  readonly dataExprs: readonly MapExpr[]
  readonly removeKeys: readonly string[]
  readonly removeKeyExprs: readonly TemplateExpression[]
}

export interface InjectorTemplate {
  readonly path: FieldPath
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly name: Computed
  readonly point?: string
}

/** A function of a template's pipeline. `written` has all fields of the entry except configMap and configMapExprs. */
export interface FunctionTemplate {
  readonly path: FieldPath
  readonly written: JsonRecord
  readonly configMap: StringMap
  readonly configMapExprs: readonly MapExpr[]
}

/** Decodes a valid template at `path`. Empty strings of `downstream` count as missing (docs/porch.md 16). */
export function decodeTemplate(template: TemplateFields, path: FieldPath): Template {
  const { downstream, adoptionPolicy, deletionPolicy, labels, labelExprs, annotations, annotationExprs, packageContext, pipeline } =
    template
  return {
    path,
    downstream: decodeDownstream(downstream ?? {}, [...path, 'downstream']),
    ...(adoptionPolicy !== undefined && { adoptionPolicy }),
    ...(deletionPolicy !== undefined && { deletionPolicy }),
    labels: decodeMap(labels),
    labelExprs: listEntries(labelExprs, [...path, 'labelExprs']).map(decodeMapExpr),
    annotations: decodeMap(annotations),
    annotationExprs: listEntries(annotationExprs, [...path, 'annotationExprs']).map(decodeMapExpr),
    ...(packageContext && { packageContext: decodeContext(packageContext, [...path, 'packageContext']) }),
    injectors: injectorEntries(template, path).map(decodeInjector),
    ...(pipeline && { pipeline: decodePipeline(pipeline, [...path, 'pipeline']) }),
  }
}

function decodeDownstream(fields: NonNullable<TemplateFields['downstream']>, path: FieldPath): Template['downstream'] {
  const repo = decodeComputed('repo', fields.repo || undefined, fields.repoExpr || undefined, path)
  const packageName = decodeComputed('package', fields.package || undefined, fields.packageExpr || undefined, path)
  return { ...(repo && { repo }), ...(packageName && { package: packageName }) }
}

/**
 * Returns the value of the field `name` or the expression of the field `nameExpr`, with its path; undefined if both are missing. An empty
 * expression counts as an expression, which will not compile.
 */
function decodeComputed(name: string, value: string | undefined, text: string | undefined, path: FieldPath): Computed | undefined {
  if (text !== undefined) return { expression: { text, path: [...path, `${name}Expr`] } }
  return value === undefined ? undefined : { value, path: [...path, name] }
}

/** Decodes a pair of fields; an empty value if both are missing. A rule has already required a key, and a name. */
function decodeRequired(name: string, value: string | undefined, text: string | undefined, path: FieldPath): Computed {
  return decodeComputed(name, value, text, path) ?? { value: '', path: [...path, name] }
}

function decodeMap(map: Readonly<Record<string, string>> = {}): StringMap {
  return new Map(Object.entries(map))
}

function decodeMapExpr({ path, value: fields }: ListEntry<MapExprFields>): MapExpr {
  const { key, keyExpr, value, valueExpr } = fields
  return { key: decodeRequired('key', key, keyExpr, path), value: decodeRequired('value', value, valueExpr, path) }
}

function decodeContext(fields: NonNullable<TemplateFields['packageContext']>, path: FieldPath): PackageContextTemplate {
  const { data, dataExprs, removeKeys = [], removeKeyExprs = [] } = fields
  return {
    data: decodeMap(data),
    dataExprs: listEntries(dataExprs, [...path, 'dataExprs']).map(decodeMapExpr),
    removeKeys,
    removeKeyExprs: removeKeyExprs.map((text, index) => ({ text, path: [...path, 'removeKeyExprs', index] })),
  }
}

function decodeInjector({ path, value }: ListEntry<InjectorTemplateFields>): InjectorTemplate {
  const { name, nameExpr, ...gvk } = value
  return { ...gvk, path, name: decodeRequired('name', name, nameExpr, path) }
}

function decodePipeline(fields: NonNullable<TemplateFields['pipeline']>, path: FieldPath): NonNullable<Template['pipeline']> {
  return {
    validators: listEntries(fields.validators, [...path, 'validators']).map(decodeFunction),
    mutators: listEntries(fields.mutators, [...path, 'mutators']).map(decodeFunction),
  }
}

function decodeFunction({ path, value }: ListEntry<FunctionTemplateFields>): FunctionTemplate {
  const { configMap, configMapExprs, ...written } = value
  return {
    path,
    written,
    configMap: decodeMap(configMap),
    configMapExprs: listEntries(configMapExprs, [...path, 'configMapExprs']).map(decodeMapExpr),
  }
}
