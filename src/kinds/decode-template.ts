import type { FieldPath } from '../field-path.ts'
import { type Entry, entriesOf } from './entries.ts'
import type {
  Computed,
  FunctionTemplate,
  InjectorTemplate,
  MapExpr,
  PackageContextTemplate,
  StringMap,
  Template,
} from './package-variant-set.ts'
import { injectorEntries } from './template-rules.ts'
import type { FunctionTemplateFields, InjectorTemplateFields, MapExprFields, TemplateFields } from './template-schema.ts'

/** A valid template, at `path`. Empty strings of `downstream` count as unset (docs/porch.md 16). */
export function decodeTemplate(template: TemplateFields, path: FieldPath): Template {
  const { downstream, adoptionPolicy, deletionPolicy, labels, labelExprs, annotations, annotationExprs, packageContext, pipeline } =
    template
  return {
    path,
    downstream: decodeDownstream(downstream ?? {}, [...path, 'downstream']),
    ...(adoptionPolicy !== undefined && { adoptionPolicy }),
    ...(deletionPolicy !== undefined && { deletionPolicy }),
    labels: decodeMap(labels),
    labelExprs: entriesOf(labelExprs, [...path, 'labelExprs']).map(decodeMapExpr),
    annotations: decodeMap(annotations),
    annotationExprs: entriesOf(annotationExprs, [...path, 'annotationExprs']).map(decodeMapExpr),
    ...(packageContext && { packageContext: decodeContext(packageContext, [...path, 'packageContext']) }),
    injectors: injectorEntries(template, path).map(decodeInjector),
    ...(pipeline && { pipeline: decodePipeline(pipeline, [...path, 'pipeline']) }),
  }
}

function decodeDownstream(fields: NonNullable<TemplateFields['downstream']>, path: FieldPath): Template['downstream'] {
  const repo = decodeComputed(fields.repo || undefined, fields.repoExpr || undefined, [...path, 'repoExpr'])
  const packageName = decodeComputed(fields.package || undefined, fields.packageExpr || undefined, [...path, 'packageExpr'])
  return { ...(repo && { repo }), ...(packageName && { package: packageName }) }
}

/** A fixed value, or the expression at `path`; undefined when neither is written. An empty expression is one (it will not compile). */
function decodeComputed(value: string | undefined, text: string | undefined, path: FieldPath): Computed | undefined {
  if (text !== undefined) return { expression: { text, path } }
  return value === undefined ? undefined : { value }
}

function decodeMap(map: Readonly<Record<string, string>> = {}): StringMap {
  return new Map(Object.entries(map))
}

function decodeMapExpr({ path, value: fields }: Entry<MapExprFields>): MapExpr {
  const key = decodeComputed(fields.key, fields.keyExpr, [...path, 'keyExpr'])
  const value = decodeComputed(fields.value, fields.valueExpr, [...path, 'valueExpr'])
  return { path, key: key ?? { value: '' }, value: value ?? { value: '' } }
}

function decodeContext(fields: NonNullable<TemplateFields['packageContext']>, path: FieldPath): PackageContextTemplate {
  const { data, dataExprs, removeKeys = [], removeKeyExprs = [] } = fields
  return {
    data: decodeMap(data),
    dataExprs: entriesOf(dataExprs, [...path, 'dataExprs']).map(decodeMapExpr),
    removeKeys,
    removeKeyExprs: removeKeyExprs.map((text, index) => ({ text, path: [...path, 'removeKeyExprs', index] })),
  }
}

function decodeInjector({ path, value }: Entry<InjectorTemplateFields>): InjectorTemplate {
  const { name, nameExpr, ...gvk } = value
  return { ...gvk, name: decodeComputed(name, nameExpr, [...path, 'nameExpr']) ?? { value: '' } }
}

function decodePipeline(fields: NonNullable<TemplateFields['pipeline']>, path: FieldPath): NonNullable<Template['pipeline']> {
  return {
    validators: entriesOf(fields.validators, [...path, 'validators']).map(decodeFunction),
    mutators: entriesOf(fields.mutators, [...path, 'mutators']).map(decodeFunction),
  }
}

function decodeFunction({ path, value }: Entry<FunctionTemplateFields>): FunctionTemplate {
  const { configMap, configMapExprs, ...written } = value
  return {
    path,
    written,
    configMap: decodeMap(configMap),
    configMapExprs: entriesOf(configMapExprs, [...path, 'configMapExprs']).map(decodeMapExpr),
  }
}
