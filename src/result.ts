import { compareFieldPaths, compareText, type FieldPath, formatFieldPath, formatLastField } from './field-path.ts'
import type { JsonValue } from './json.ts'
import { hideKnownIn, hideKnownSecrets } from './known-secrets.ts'
import { printable, printableMessage } from './printable.ts'
import type { RuleId } from './rules/rule-id.ts'
import { withoutSecretsInFinding } from './secret-values.ts'
import { inLine } from './wording.ts'

export type Severity = 'error' | 'warning' | 'info'

/** The object that a result is about. */
export interface ResourceRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}

/** A file of the package, and the index of a document in the file, from 0. */
export interface FileRef {
  readonly path: string
  readonly index: number
}

/** A place in a file. Line and column count from 1, columns in Unicode code points. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A finding of a function. `tags.rule` is the stable id of its rule, with a record in src/rules. */
export interface Result {
  readonly severity: Severity
  readonly message: string
  readonly resourceRef?: ResourceRef
  readonly field?: { readonly path: FieldPath; readonly currentValue?: JsonValue; readonly proposedValue?: JsonValue }
  readonly file?: FileRef
  readonly position?: Position
  /** The key that was most likely meant instead of the last key of the field's path. Orchestrators do not receive the key. */
  readonly proposedKey?: string
  readonly tags: { readonly rule: RuleId; readonly [tag: string]: string }
}

/**
 * The error for faults of the user, with all findings that prevent a function from doing its work.
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

  /** @throws TypeError  for what is no list, which JavaScript may pass */
  constructor(results: readonly Result[]) {
    if (!Array.isArray(results))
      throw new TypeError("a FunctionError must have a list of results: [{ severity: 'error', message, tags: { rule } }]")
    super(results.slice(0, MOST_NAMED).map(formatResult).join('\n'))
    this.name = 'FunctionError'
    this.results = results
  }
}

/** The number of findings in the message of the exception. */
const MOST_NAMED = 100

/**
 * Returns a result as one line for people: `file:line:column: severity: message [rule]`. Texts from files are escaped, so that they
 * cannot change the output.
 */
export function formatResult(finding: Result): string {
  const result = withoutSecretsInFinding(finding)
  const place = formatPlace(result)
  return `${place === '' ? '' : `${place}: `}${result.severity}: ${printableMessage(hideKnownSecrets(result.message), result.field?.currentValue)} [${result.tags.rule}]`
}

function formatPlace({ file, position, resourceRef }: Result): string {
  const line = position === undefined ? '' : `:${position.line}:${position.column}`
  if (file !== undefined) return `${printable(file.path)}${line}`
  return resourceRef === undefined ? '' : printable(inLine(formatResourceRef(resourceRef)))
}

/** Returns the name of an object in messages: `KIND NAMESPACE/NAME`, without the parts that it lacks. */
export function formatResourceRef({ kind, namespace, name }: ResourceRef): string {
  return [kind, `${namespace === undefined ? '' : `${namespace}/`}${name}`].filter((part) => part !== '').join(' ')
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']

/** Compares results by severity, object, field, rule and message. This order is used everywhere. */
export function compareResults(a: Result, b: Result): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareRefs(a.resourceRef, b.resourceRef) ||
    compareFieldPaths(a.field?.path ?? [], b.field?.path ?? []) ||
    compareText(a.tags.rule, b.tags.rule) ||
    compareText(a.message, b.message)
  )
}

/** Compares two references field by field without an array of the fields, since tens of thousands of results are compared. */
function compareRefs(a: ResourceRef = NO_REF, b: ResourceRef = NO_REF): number {
  return (
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.kind, b.kind) ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name)
  )
}

const NO_REF: ResourceRef = { apiVersion: '', kind: '', name: '' }

/** Returns true if one of the results is an error: the run then failed. The exit code depends on this alone. */
export function hasErrors(results: readonly Result[]): boolean {
  return results.some((result) => result.severity === 'error')
}

/** Runs an action and returns its value. If the action throws FunctionError, adds its results to `faults` and returns undefined. */
export function collectFaults<T>(faults: Result[], act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error
    faults.push(...error.results)
    return undefined
  }
}

/** Returns the results of a check. If the check throws FunctionError, its results are returned; other errors are thrown. */
export function findingsOf(check: () => readonly Result[]): readonly Result[] {
  try {
    return check()
  } catch (error) {
    if (error instanceof FunctionError) return error.results
    throw error
  }
}

/**
 * Returns a result for an orchestrator. An orchestrator prints the whole path of the field before the message, so the message begins with
 * the last field only: `labels` instead of `spec.labels`.
 */
export function resultToWire(result: Result): JsonValue {
  const { message, field } = result
  if (field === undefined) return resultToJson(result)
  const whole = `\`${formatFieldPath(field.path)}\``
  return resultToJson({
    ...result,
    message: message.startsWith(whole) ? `\`${formatLastField(field.path)}\`${message.slice(whole.length)}` : message,
  })
}

/** Returns the field of a result without the known values of Secrets. */
function shownField({ path, currentValue, proposedValue }: NonNullable<Result['field']>): JsonValue {
  return {
    path: formatFieldPath(path),
    ...(currentValue !== undefined && { currentValue: hideKnownIn(currentValue) }),
    ...(proposedValue !== undefined && { proposedValue: hideKnownIn(proposedValue) }),
  }
}

/** Returns a result as JSON, with the path as a text and the position in the tags. */
export function resultToJson(result: Result): JsonValue {
  const { severity, message, resourceRef, field, file, position, tags } = withoutSecretsInFinding(result)
  return {
    message: hideKnownSecrets(message),
    severity,
    ...(resourceRef && { resourceRef: { ...resourceRef } }),
    ...(field && { field: shownField(field) }),
    ...(file && { file: { ...file } }),
    tags: { ...tags, ...(position && { line: String(position.line), column: String(position.column) }) },
  }
}
