import { compareFieldPaths, compareText, type FieldPath, formatFieldPath, formatLastField } from './field-path.ts'
import type { JsonValue } from './json.ts'
import { printable, printableMessage } from './printable.ts'
import { inLine } from './wording.ts'

export type Severity = 'error' | 'warning' | 'info'

/** The object a result is about. */
export interface ResourceRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

/** A file of the package and the number of the document in it, from 0. */
export interface FileRef {
  readonly path: string
  readonly index: number
}

/** A place in a file; both count from 1, columns in Unicode code points. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** One finding. `tags.rule` is its stable id, with a row in docs/rules.md. */
export interface Result {
  readonly severity: Severity
  readonly message: string
  readonly resourceRef?: ResourceRef
  readonly field?: { readonly path: FieldPath; readonly currentValue?: JsonValue; readonly proposedValue?: JsonValue }
  readonly file?: FileRef
  readonly position?: Position
  /** The key that was most likely meant in the place of the one that ends the field's path. Hosts do not get it. */
  readonly proposedKey?: string
  readonly tags: { readonly rule: string; readonly [tag: string]: string }
}

/**
 * The user's fault, in full: every finding that keeps a function from doing its work.
 *
 * @example
 * ```ts
 * import { FunctionError, formatResult } from 'krm-variants/sdk'
 *
 * const error = new FunctionError([{ severity: 'error', message: '`spec.team` must be set', tags: { rule: 'required' } }])
 * console.log(error.results.map(formatResult).join()) // error: `spec.team` must be set [required]
 * ```
 */
export class FunctionError extends Error {
  readonly results: readonly Result[]

  constructor(results: readonly Result[]) {
    super(results.slice(0, MOST_NAMED).map(formatResult).join('\n'))
    this.name = 'FunctionError'
    this.results = results
  }
}

/** Of more findings than somebody reads the message of the exception names the first. */
const MOST_NAMED = 100

/** One line for people: `file:line:column: severity: message [rule]`; what is in it from a file is text and nothing else. */
export function formatResult(result: Result): string {
  const place = formatPlace(result)
  return `${place === '' ? '' : `${place}: `}${result.severity}: ${printableMessage(result.message, result.field?.currentValue)} [${result.tags.rule}]`
}

function formatPlace({ file, position, resourceRef }: Result): string {
  const line = position === undefined ? '' : `:${position.line}:${position.column}`
  if (file !== undefined) return `${printable(file.path)}${line}`
  return resourceRef === undefined ? '' : printable(inLine(formatResourceRef(resourceRef)))
}

/** `KIND NAMESPACE/NAME`, as messages name an object. */
export function formatResourceRef({ kind, namespace, name }: ResourceRef): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']

/** The one order of results: severity, object, field, rule, message. */
export function compareResults(a: Result, b: Result): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareRefs(a.resourceRef, b.resourceRef) ||
    compareFieldPaths(a.field?.path ?? [], b.field?.path ?? []) ||
    compareText(a.tags.rule, b.tags.rule) ||
    compareText(a.message, b.message)
  )
}

/** Without a list of the parts: results by the ten thousand are compared. */
function compareRefs(a: ResourceRef = NO_REF, b: ResourceRef = NO_REF): number {
  return (
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.kind, b.kind) ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name)
  )
}

const NO_REF: ResourceRef = { apiVersion: '', kind: '', name: '' }

/** Whether the run failed: any error does. The exit code follows from this alone. */
export function hasErrors(results: readonly Result[]): boolean {
  return results.some((result) => result.severity === 'error')
}

/** What a check finds, also when it refuses to go on. */
export function findingsOf(check: () => readonly Result[]): readonly Result[] {
  try {
    return check()
  } catch (error) {
    if (error instanceof FunctionError) return error.results
    throw error
  }
}

/** A result for a host: it prints the whole path of the field before the message, which then begins with the field alone. */
export function resultToWire(result: Result): JsonValue {
  const { message, field } = result
  if (field === undefined) return resultToJson(result)
  const whole = `\`${formatFieldPath(field.path)}\``
  return resultToJson({
    ...result,
    message: message.startsWith(whole) ? `\`${formatLastField(field.path)}\`${message.slice(whole.length)}` : message,
  })
}

/** A result as JSON: paths printed, the position among the tags. */
export function resultToJson(result: Result): JsonValue {
  const { severity, message, resourceRef, field, file, position, tags } = result
  return {
    message,
    severity,
    ...(resourceRef && { resourceRef: { ...resourceRef } }),
    ...(field && { field: { ...field, path: formatFieldPath(field.path) } }),
    ...(file && { file: { ...file } }),
    tags: { ...tags, ...(position && { line: String(position.line), column: String(position.column) }) },
  }
}
