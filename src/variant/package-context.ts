import { compareText, type FieldPath } from '../field-path.ts'
import { isRecord } from '../json.ts'
import type { PackageVariant } from '../kinds/package-variant.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, formatResourceRef, type Result } from '../result.ts'
import { isNestedValue, scalarTexts } from '../schema/config-map-pairs.ts'
import { describeValue, quoteNames, quoteText } from '../schema/describe-value.ts'
import { duplicateKeyFaults } from '../schema/document-faults.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'
import { stateOf } from './state.ts'
import type { VariantPackage } from './variant-package.ts'

/** The ConfigMap that kpt and Porch put into every deployment package (seed 000, Package Context). */
export const CONTEXT_NAME = 'kptfile.kpt.dev'
export const CONTEXT_FILE = 'package-context.yaml'

/** Returns true if an object is a package context. apiVersion and namespace are ignored, as in Porch's controller (docs/porch.md 24). */
export function isPackageContext(object: KrmObject): boolean {
  return object.kind === 'ConfigMap' && object.name === CONTEXT_NAME
}

/**
 * Changes the package context of a package and keeps all lines that need no change. Returns warnings, and an info with the reached state.
 *
 * @throws FunctionError  if the package has no package context or two, or the data of the package context cannot be changed
 */
export function changePackageContext(pkg: VariantPackage, change: ContextChange): readonly Result[] {
  const { data, removeKeys, source } = change
  const origin = formatResourceRef(source.object.ref)
  // A change without keys does not look for the package context (docs/porch.md 25).
  if (data.size === 0 && removeKeys.length === 0)
    return [stateOf(pkg.kptfile, 'set-context', `no key of the package context comes from ${origin}`)]
  const [found, ...others] = pkg.pick(CONTEXT_NAME, isPackageContext)
  if (found !== undefined && others.length > 0) throw severalContexts([found, ...others])
  const context = found ?? (change.create === true ? createContext(pkg) : undefined)
  if (context === undefined) throw missingContext(pkg, change)
  const before = readContextData(context)
  const after = contextAfter(before, change)
  // The lines of keys that keep their value are unchanged.
  for (const key of before.keys()) if (!after.has(key)) context.delete(['data', key])
  for (const [key, value] of after) context.set(['data', key], value)
  let own = 0
  for (const key of data.keys()) if (after.has(key)) own++
  const reached = stateOf(context, 'set-context', `${own} of ${after.size} keys of the package context come from ${origin}`)
  return [...removedWarnings(change), reached]
}

/** Adds a package context like the one that Porch makes when Porch clones a package (porch pkg/repository/package.go). */
function createContext(pkg: VariantPackage): KrmObject {
  const name = pkg.kptfile.name ?? ''
  const context = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: CONTEXT_NAME, annotations: { 'config.kubernetes.io/local-config': 'true' } },
    data: { name, 'package-path': name },
  }
  return pkg.add(context, CONTEXT_FILE)
}

/** Returns the path of the file that holds the package context of a new package. */
function contextFile({ file }: KrmObject): string {
  return `${file?.path.slice(0, file.path.lastIndexOf('/') + 1) ?? ''}${CONTEXT_FILE}`
}

function missingContext({ kptfile }: VariantPackage, { data, removeKeys, source }: ContextChange): FunctionError {
  const keys = quoteNames([...new Set([...data.keys(), ...removeKeys])])
  const message = `must find the ConfigMap ${quoteText(CONTEXT_NAME)} in the package, to change ${keys} in; a clone puts it into ${quoteText(contextFile(kptfile))}: bring that file back, or make it with \`create: true\` in a SetContext`
  const path = [...source.path, data.size > 0 ? 'data' : 'removeKeys']
  return new FunctionError([faultToResult(source.object, { severity: 'error', rule: 'context-missing', path, message })])
}

function severalContexts(contexts: readonly KrmObject[]): FunctionError {
  const places = contexts.map((context) => `${context.file?.path}:${context.positionOf([]).line}`).join(' and ')
  const message = `must be ${quoteText(CONTEXT_NAME)} in one ConfigMap of a package, is so at ${places}`
  const results = contexts.slice(1)
  return new FunctionError(
    results.map((context) => faultToResult(context, { severity: 'error', rule: 'context-ambiguous', path: ['metadata', 'name'], message })),
  )
}

function removedWarnings({ data, removeKeys, source }: ContextChange): readonly Result[] {
  const both = removeKeys.filter((key) => data.has(key))
  return [...new Set(both)].map((key) =>
    faultToResult(source.object, {
      severity: 'warning',
      rule: 'context-key-removed',
      path: [...source.path, 'data', key],
      message: "must not be in 'removeKeys' as well: keys are set first and removed after, so it is not there",
    }),
  )
}

/**
 * Returns the data of a package context as strings. A scalar of another type is returned as its text in the file, null as ''
 * (docs/porch.md 27).
 *
 * @throws FunctionError  if data is missing, is not a map of scalars, or has a duplicate key (docs/porch.md 25, 27)
 */
function readContextData(context: KrmObject): ReadonlyMap<string, string> {
  const data = context.get(['data'])
  const faults: Fault[] = []
  if (!isRecord(data))
    faults.push(dataFault(['data'], `must be a map, if only {}, got ${data === undefined ? 'none' : describeValue(data)}`))
  else {
    for (const [key, value] of Object.entries(data))
      if (isNestedValue(value)) faults.push(dataFault(['data', key], `must be a string, got ${describeValue(value)}`))
    faults.push(...duplicateKeyFaults(context).filter(({ path }) => path[0] === 'data'))
  }
  if (faults.length > 0 || !isRecord(data)) throw new FunctionError(faults.map((fault) => faultToResult(context, fault)))
  return scalarTexts(context, ['data'], data)
}

function dataFault(path: FieldPath, message: string): Fault {
  return { severity: 'error', rule: 'context-data', path, message }
}

/** The changes to a package context, with the place in which the user wrote the changes. */
export interface ContextChange {
  readonly data: ReadonlyMap<string, string>
  readonly removeKeys: readonly string[]
  /** True if a missing package context is to be made. Otherwise a missing package context is an error. */
  readonly create?: boolean
  /** The object with the change, and the path of the map with `data` and `removeKeys` in the object. */
  readonly source: { readonly object: KrmObject; readonly path: FieldPath }
}

/** Returns the change of `spec.packageContext` of a variant. */
export function contextChangeOf({ packageContext, object }: PackageVariant): ContextChange {
  return { ...packageContext, source: { object, path: ['spec', 'packageContext'] } }
}

/**
 * Returns the data of the package context after a change. Existing keys keep their order, new keys follow in sorted order. Keys are set
 * first and removed afterwards, so that a key of both `data` and `removeKeys` is removed (seed 000, Package Context Injection;
 * docs/porch.md 26, 28).
 * Example: `{b: 1, a: 1}` with data `{d: 2, c: 2, b: 2}` and removeKeys `[a]` becomes `{b: 2, c: 2, d: 2}`.
 */
export function contextAfter(
  existing: ReadonlyMap<string, string>,
  { data, removeKeys }: Pick<ContextChange, 'data' | 'removeKeys'>,
): ReadonlyMap<string, string> {
  const added = [...data].filter(([key]) => !existing.has(key)).sort(([a], [b]) => compareText(a, b))
  const kept = [...existing].map(([key, value]) => [key, data.get(key) ?? value] as const)
  const removed = new Set(removeKeys)
  return new Map([...kept, ...added].filter(([key]) => !removed.has(key)))
}
