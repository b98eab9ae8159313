import { compareText } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, newRecord } from '../json.ts'
import type {
  Computed,
  Expression,
  FunctionTemplate,
  InjectorTemplate,
  MapExpr,
  PackageContextTemplate,
  StringMap,
  Template,
} from '../kinds/package-variant-set.ts'

/** Gives the string of an expression for one place. */
export type Evaluate = (expression: Expression) => string

/**
 * The fields of a variant's spec that a template gives beside `upstream` and `downstream`. Expressions are evaluated in the
 * seed's order; what they give overrides the fixed entries; an empty result is absent (seed 001, Template Evaluation).
 */
export function renderTemplate(template: Template, evaluate: Evaluate): JsonRecord {
  const { adoptionPolicy, deletionPolicy, packageContext } = template
  const labels = overlay(template.labels, template.labelExprs, evaluate)
  const annotations = overlay(template.annotations, template.annotationExprs, evaluate)
  const context = packageContext && renderContext(packageContext, evaluate)
  const injectors = template.injectors.map((injector) => renderInjector(injector, evaluate))
  const pipeline = renderPipeline(template, evaluate)
  return {
    ...(adoptionPolicy !== undefined && { adoptionPolicy }),
    ...(deletionPolicy !== undefined && { deletionPolicy }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(context && { packageContext: context }),
    ...(pipeline && { pipeline }),
    ...(injectors.length > 0 && { injectors }),
  }
}

/** The value of a field, fixed or computed. */
export function textOf(computed: Computed, evaluate: Evaluate): string {
  return 'value' in computed ? computed.value : evaluate(computed.expression)
}

/** Fixed entries, then the computed ones over them; undefined when there are none. */
function overlay(fixed: StringMap, exprs: readonly MapExpr[], evaluate: Evaluate): JsonRecord | undefined {
  if (fixed.size + exprs.length === 0) return undefined
  const entries = newRecord()
  for (const [key, value] of fixed) entries[key] = value
  for (const { key, value } of exprs) {
    const computedKey = textOf(key, evaluate)
    entries[computedKey] = textOf(value, evaluate)
  }
  return entries
}

/** `packageContext: {}` stays, though it says nothing (docs/porch.md 15); removeKeys are sorted and without duplicates (19). */
function renderContext({ data, dataExprs, removeKeys, removeKeyExprs }: PackageContextTemplate, evaluate: Evaluate): JsonRecord {
  const rendered = overlay(data, dataExprs, evaluate)
  const removed = [...new Set([...removeKeys, ...removeKeyExprs.map(evaluate)])].sort(compareText)
  return { ...(rendered && { data: rendered }), ...(removed.length > 0 && { removeKeys: removed }) }
}

/** An empty nameExpr gives an empty name (docs/porch.md 16). */
function renderInjector({ group, version, kind, name }: InjectorTemplate, evaluate: Evaluate): JsonRecord {
  return {
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
    ...(kind !== undefined && { kind }),
    name: 'expression' in name && name.expression.text === '' ? '' : textOf(name, evaluate),
  }
}

function renderPipeline({ pipeline }: Template, evaluate: Evaluate): JsonRecord | undefined {
  if (pipeline === undefined) return undefined
  const validators = pipeline.validators.map((fn) => renderFunction(fn, evaluate))
  const mutators = pipeline.mutators.map((fn) => renderFunction(fn, evaluate))
  if (validators.length + mutators.length === 0) return undefined
  return { ...(mutators.length > 0 && { mutators }), ...(validators.length > 0 && { validators }) }
}

function renderFunction({ written, configMap, configMapExprs }: FunctionTemplate, evaluate: Evaluate): JsonRecord {
  const rendered = overlay(configMap, configMapExprs, evaluate)
  return { ...omitEmpty(written), ...(rendered && { configMap: rendered }) }
}

/**
 * A record as the controller's types write it: without fields that hold the empty value of their type, in its own fields and
 * those of records in its lists (`selectors`, `exclude`); entries of maps stay (Go's omitempty).
 */
export function omitEmpty(record: JsonRecord): JsonRecord {
  const kept = Object.entries(record).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(kept.map(([key, value]) => [key, Array.isArray(value) ? value.map(omitEmptyEntry) : value]))
}

function omitEmptyEntry(entry: JsonValue): JsonValue {
  return isRecord(entry) ? omitEmpty(entry) : entry
}

function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) ? Object.keys(value).length === 0 : value === '' || value === 0 || value === null
}
