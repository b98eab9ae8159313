import { compareText, type FieldPath, formatFieldPath } from '../../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, newRecord } from '../../json.ts'
import type {
  Computed,
  FunctionTemplate,
  InjectorTemplate,
  MapExpr,
  PackageContextTemplate,
  StringMap,
  Template,
  TemplateExpression,
} from '../../kinds/template.ts'

/** Returns the text of an expression for one place; undefined if the expression has no value. */
export type Evaluate = (expression: TemplateExpression) => string | undefined

/** The evaluation of a template's expressions: `repoExpr` first, the others when the downstream repository is known. */
export interface Evaluator {
  readonly repoExpr: Evaluate
  readonly others: (repo: string) => Evaluate
}

/** A text that a template put into a field of the variant's spec, with the expressions that gave the text. */
export interface FilledField {
  /** The path of the map or list whose entry `key` is the field. */
  readonly within: FieldPath
  readonly key: string | number
  readonly value: string
  readonly keyFrom: TemplateExpression | undefined
  readonly valueFrom: TemplateExpression | undefined
  /** The field of the template with the value or its expression. */
  readonly writtenAt: FieldPath
}

/** The result of a template for one place. */
export interface Rendering {
  readonly repo: string
  readonly package: string
  /** The fields of the variant's spec except `upstream` and `downstream`. */
  readonly fields: JsonRecord
  /** The filled fields in the order of evaluation. Of two for one field, the later one counts. */
  readonly filled: readonly FilledField[]
}

/** The names of a place that are used if the template has none. */
interface Defaults {
  readonly repoDefault: string
  readonly packageDefault: string
}

const DOWNSTREAM: FieldPath = ['spec', 'downstream']
export const LABELS: FieldPath = ['spec', 'labels']
export const ANNOTATIONS: FieldPath = ['spec', 'annotations']
const INJECTORS: FieldPath = ['spec', 'injectors']
const PIPELINE: FieldPath = ['spec', 'pipeline']
export const CONTEXT_DATA: FieldPath = ['spec', 'packageContext', 'data']
export const REMOVED_KEYS: FieldPath = ['spec', 'packageContext', 'removeKeys']

/**
 * Renders a template for one place. Expressions are evaluated in the order of the seed; computed entries override fixed ones; a field
 * without entries is left out (seed 001, Template Evaluation). Every expression is evaluated even if others fail, so that one run reports
 * all failures; an expression without a value gives ''.
 */
export function renderTemplate(template: Template, { repoDefault, packageDefault }: Defaults, evaluator: Evaluator): Rendering {
  const { downstream } = template
  const filled: FilledField[] = []
  const repo = fillName('repo', downstream.repo, repoDefault, { evaluate: evaluator.repoExpr, filled })
  const walk = { evaluate: evaluator.others(repo), filled }
  const packageName = fillName('package', downstream.package, packageDefault, walk)
  return { repo, package: packageName, fields: renderFields(template, walk), filled }
}

/** The evaluation of expressions, and the fields that were filled so far. */
interface Walk {
  readonly evaluate: Evaluate
  readonly filled: FilledField[]
}

function fillName(key: 'repo' | 'package', computed: Computed | undefined, ifNone: string, walk: Walk): string {
  return computed === undefined ? ifNone : fill(DOWNSTREAM, key, computed, walk)
}

/** Returns the text of a field with a fixed key, and records a computed one. */
function fill(within: FieldPath, key: string, computed: Computed, { evaluate, filled }: Walk): string {
  if ('value' in computed) return computed.value
  const value = evaluate(computed.expression)
  filled.push({ within, key, value: value ?? '', keyFrom: undefined, valueFrom: sourceOf(computed, value), writtenAt: pathOf(computed) })
  return value ?? ''
}

function textOf(computed: Computed, evaluate: Evaluate): string | undefined {
  return 'value' in computed ? computed.value : evaluate(computed.expression)
}

/** Returns the path of a value or of its expression. */
export function pathOf(computed: Computed): FieldPath {
  return 'value' in computed ? computed.path : computed.expression.path
}

function sourceOf(computed: Computed, text: string | undefined): TemplateExpression | undefined {
  return 'expression' in computed && text !== undefined ? computed.expression : undefined
}

function renderFields(template: Template, walk: Walk): JsonRecord {
  const { adoptionPolicy, deletionPolicy, packageContext } = template
  const labels = overlay(LABELS, template.labels, template.labelExprs, walk)
  const annotations = overlay(ANNOTATIONS, template.annotations, template.annotationExprs, walk)
  const context = packageContext && renderContext(packageContext, walk)
  const injectors = template.injectors.map((injector, i) => renderInjector(injector, i, walk))
  const pipeline = renderPipeline(template, walk)
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

/**
 * Returns fixed entries, overridden by computed ones; undefined if there are neither.
 * Example: labels `{env: a, x: b}` and a labelExprs entry that gives `env: c` become `{env: c, x: b}`.
 */
function overlay(within: FieldPath, fixed: StringMap, exprs: readonly MapExpr[], { evaluate, filled }: Walk): JsonRecord | undefined {
  if (fixed.size + exprs.length === 0) return undefined
  const entries = newRecord()
  for (const [key, value] of fixed) entries[key] = value
  for (const { key, value } of exprs) {
    const [name, text] = [textOf(key, evaluate), textOf(value, evaluate)]
    entries[name ?? ''] = text ?? ''
    const [keyFrom, valueFrom] = [sourceOf(key, name), sourceOf(value, text)]
    filled.push({ within, key: name ?? '', value: text ?? '', keyFrom, valueFrom, writtenAt: pathOf(value) })
  }
  return entries
}

/** Returns the package context of the spec. `packageContext: {}` is kept, although it changes nothing (docs/porch.md 15). */
function renderContext({ data, dataExprs, removeKeys, removeKeyExprs }: PackageContextTemplate, walk: Walk): JsonRecord {
  const rendered = overlay(CONTEXT_DATA, data, dataExprs, walk)
  const removed = renderRemovedKeys(removeKeys, removeKeyExprs, walk)
  return { ...(rendered && { data: rendered }), ...(removed.length > 0 && { removeKeys: removed }) }
}

/** Returns the keys to remove, sorted and without duplicates (docs/porch.md 19). */
function renderRemovedKeys(fixed: readonly string[], exprs: readonly TemplateExpression[], { evaluate, filled }: Walk): readonly string[] {
  const computed = exprs.map((expression) => ({ expression, text: evaluate(expression) }))
  const keys = [...new Set([...fixed, ...computed.map(({ text }) => text ?? '')])].sort(compareText)
  for (const { expression, text } of computed) {
    const valueFrom = text === undefined ? undefined : expression
    const key = keys.indexOf(text ?? '')
    filled.push({ within: REMOVED_KEYS, key, value: text ?? '', keyFrom: undefined, valueFrom, writtenAt: expression.path })
  }
  return keys
}

/** Returns an injector of the spec. An empty nameExpr gives an empty name (docs/porch.md 16). */
function renderInjector({ group, version, kind, name, point }: InjectorTemplate, index: number, walk: Walk): JsonRecord {
  const isUnset = 'expression' in name && name.expression.text === ''
  return {
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
    ...(kind !== undefined && { kind }),
    name: isUnset ? '' : fill([...INJECTORS, index], 'name', name, walk),
    ...(point !== undefined && { point }),
  }
}

function renderPipeline({ pipeline }: Template, walk: Walk): JsonRecord | undefined {
  if (pipeline === undefined) return undefined
  const validators = pipeline.validators.map((fn, i) => renderFunction(fn, [...PIPELINE, 'validators', i, 'configMap'], walk))
  const mutators = pipeline.mutators.map((fn, i) => renderFunction(fn, [...PIPELINE, 'mutators', i, 'configMap'], walk))
  if (validators.length + mutators.length === 0) return undefined
  return { ...(mutators.length > 0 && { mutators }), ...(validators.length > 0 && { validators }) }
}

function renderFunction({ written, configMap, configMapExprs }: FunctionTemplate, within: FieldPath, walk: Walk): JsonRecord {
  const rendered = overlay(within, configMap, configMapExprs, walk)
  return { ...omitEmpty(written), ...(rendered && { configMap: rendered }) }
}

/** Returns the fields that an expression gave, by formatted path, each with the expression of its value, else that of its key. */
export function sourcesOf({ filled }: Pick<Rendering, 'filled'>): ReadonlyMap<string, TemplateExpression> {
  const sources = new Map<string, TemplateExpression>()
  for (const { within, key, keyFrom, valueFrom } of filled) {
    const path = formatFieldPath([...within, key])
    const source = valueFrom ?? keyFrom
    if (source === undefined) sources.delete(path)
    else sources.set(path, source)
  }
  return sources
}

/**
 * Returns a record as the types of Porch's controller write it: without fields that have the empty value of their type. Fields of records
 * in lists (`selectors`, `exclude`) are left out too; entries of maps are kept (Go's omitempty).
 * Example: `{image: a, tag: '', exclude: []}` becomes `{image: a}`.
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
