import type { FieldPath } from '../../field-path.ts'
import { EVERYTHING, type LabelSelector, parseLabelSelector } from '../../kubernetes/label-selector.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { quoteText } from '../../schema/describe-value.ts'
import type { Fault } from '../../schema/fault.ts'
import type { Infer } from '../../schema/schema.ts'
import { decode } from '../../schema/validate.ts'
import { MAX_DEPTH } from '../../yaml/read/limits.ts'
import { APPLY_REPLACEMENTS_SCHEMA } from './replacements-schema.ts'

/** Selects objects by exact texts; '' selects any. */
export interface ObjectSelector {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
}

/** Selects objects by exact texts, labels and annotations. */
export interface TargetSelector extends ObjectSelector {
  readonly labels: LabelSelector
  readonly annotations: LabelSelector
}

/** Selects a part of a text, and says whether missing fields are made. */
export interface FieldOptions {
  /** The text between the parts; '' means the whole value. */
  readonly delimiter: string
  readonly index: number
  readonly create: boolean
}

/** A field path as written, and its steps: `spec.a\.b.[name=x]` has the steps `spec`, `a.b`, `[name=x]`. */
export interface SteppedPath {
  readonly text: string
  readonly steps: readonly string[]
}

/** One value, and the fields that get it. `at` is the place in the functionConfig. */
export interface Replacement {
  readonly at: FieldPath
  readonly source: ObjectSelector & { readonly fieldPath: SteppedPath; readonly options: FieldOptions }
  readonly targets: readonly ReplacementTarget[]
}

/** Fields of the selected objects. */
export interface ReplacementTarget {
  readonly at: FieldPath
  readonly select: TargetSelector
  readonly reject: readonly TargetSelector[]
  readonly fieldPaths: readonly SteppedPath[]
  readonly options: FieldOptions
}

/** The field of a source or target that names none. */
const DEFAULT_FIELD_PATH = 'metadata.name'

type Config = Infer<typeof APPLY_REPLACEMENTS_SCHEMA>
type ReplacementConfig = NonNullable<Config['replacements']>[number]
type TargetConfig = ReplacementConfig['targets'][number]
type SelectorConfig = TargetConfig['select']

/**
 * Returns the replacements of an ApplyReplacements, in order.
 *
 * @throws FunctionError  with every fault
 */
export function replacementsOf(config: KrmObject): readonly Replacement[] {
  const { value } = decode(config, { schema: APPLY_REPLACEMENTS_SCHEMA, rules: textFaults })
  return (value.replacements ?? []).map(({ source, targets }, index) => {
    const at = ['replacements', index]
    const { fieldPath = '', options } = source
    return {
      at,
      source: { ...objectSelector(source), fieldPath: steppedPath(fieldPath || DEFAULT_FIELD_PATH), options: fieldOptions(options) },
      targets: targets.map((target, number) => targetOf(target, [...at, 'targets', number])),
    }
  })
}

function targetOf({ select, reject = [], fieldPaths = [], options }: TargetConfig, at: FieldPath): ReplacementTarget {
  return {
    at,
    select: targetSelector(select),
    reject: reject.map(targetSelector),
    fieldPaths: (fieldPaths.length === 0 ? [DEFAULT_FIELD_PATH] : fieldPaths).map(steppedPath),
    options: fieldOptions(options),
  }
}

function objectSelector({ group = '', version = '', kind = '', name = '', namespace = '' }: Partial<ObjectSelector>): ObjectSelector {
  return { group, version, kind, name, namespace }
}

function targetSelector(selector: SelectorConfig): TargetSelector {
  const { labelSelector = '', annotationSelector = '' } = selector
  return {
    ...objectSelector(selector),
    labels: parseLabelSelector(labelSelector) ?? EVERYTHING,
    annotations: parseLabelSelector(annotationSelector) ?? EVERYTHING,
  }
}

function fieldOptions({ delimiter = '', index = 0, create = false }: Partial<FieldOptions> = {}): FieldOptions {
  return { delimiter, index, create }
}

function steppedPath(text: string): SteppedPath {
  return { text, steps: stepsOf(text) }
}

/**
 * Returns the steps of a field path: keys with dots between them; `\.` or brackets around a key keep a dot in the key.
 *
 * @example `spec.containers.[name=a.b].[x.io/c]` → `spec`, `containers`, `[name=a.b]`, `x.io/c`
 * @see kustomize kyaml/utils SmarterPathSplitter
 */
function stepsOf(fieldPath: string): readonly string[] {
  const keys = keysOf(fieldPath)
  const steps: string[] = []
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? ''
    if (!key.startsWith('[') || key.endsWith(']')) {
      steps.push(key)
      continue
    }
    const close = keys.findIndex((each, index) => index > at && each.endsWith(']'))
    const bracketed = keys.slice(at, close === -1 ? undefined : close + 1).join('.')
    steps.push(bracketed.includes('=') ? bracketed : withoutBrackets(bracketed))
    at = close === -1 ? keys.length : close
  }
  return steps
}

/** Removes the brackets at both ends, all of them, as Go's strings.Trim. */
function withoutBrackets(text: string): string {
  const isBracket = (character: string | undefined) => character === '[' || character === ']'
  let start = 0
  let end = text.length
  while (start < end && isBracket(text[start])) start++
  while (end > start && isBracket(text[end - 1])) end--
  return text.slice(start, end)
}

/** Splits at dots without a backslash before them; a dot at the start counts for nothing. */
function keysOf(fieldPath: string): readonly string[] {
  const parts = fieldPath.split('.')
  const keys: string[] = []
  let isOpen = false
  for (const part of parts.length > 1 && parts[0] === '' ? parts.slice(1) : parts) {
    const text: string = isOpen ? `${keys.pop()?.slice(0, -1)}.${part}` : part
    keys.push(text)
    isOpen = text.endsWith('\\')
  }
  return keys
}

/** Returns the faults of the texts that a schema cannot check: field paths, and selectors of labels and annotations. */
function textFaults({ replacements = [] }: Config): readonly Fault[] {
  return replacements.flatMap(({ source, targets }, index) => {
    const at: FieldPath = ['replacements', index]
    const ofTargets = targets.flatMap((target, number) => targetFaults(target, [...at, 'targets', number]))
    return [...fieldPathFaults(source.fieldPath, [...at, 'source', 'fieldPath']), ...ofTargets]
  })
}

function targetFaults({ select, reject = [], fieldPaths = [] }: TargetConfig, at: FieldPath): readonly Fault[] {
  return [
    ...selectorFaults(select, [...at, 'select']),
    ...reject.flatMap((each, index) => selectorFaults(each, [...at, 'reject', index])),
    ...fieldPaths.flatMap((each, index) => fieldPathFaults(each, [...at, 'fieldPaths', index])),
  ]
}

function fieldPathFaults(text = '', path: FieldPath): readonly Fault[] {
  const { length } = stepsOf(text)
  const message = `must have at most ${MAX_DEPTH} steps, got ${length}`
  return length > MAX_DEPTH ? [{ severity: 'error', rule: 'replacement-path', path, message }] : []
}

function selectorFaults({ labelSelector = '', annotationSelector = '' }: SelectorConfig, at: FieldPath): readonly Fault[] {
  const texts = Object.entries({ labelSelector, annotationSelector })
  return texts.flatMap(([key, text]) => {
    if (parseLabelSelector(text) !== undefined) return []
    const message = `must be a selector such as 'app=web,tier in (a,b)', got ${quoteText(text)}`
    return [{ severity: 'error', rule: 'replacement-selector', path: [...at, key], message }]
  })
}
