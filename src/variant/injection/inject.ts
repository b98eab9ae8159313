import { compareText, differing, type FieldPath, formatFieldPath } from '../../field-path.ts'
import { isRecord, lookup } from '../../json.ts'
import { CONDITIONS, checkKptfileLists, type KptfileList, kptfileEntries, READINESS_GATES } from '../../kinds/kptfile.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import { DEFAULT_NAMESPACE } from '../../kubernetes/kinds.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../../result.ts'
import { describeValue, quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { INJECTED_ANNOTATION, INJECTION_ANNOTATION } from '../../well-known.ts'
import { isPackageContext } from '../package-context.ts'
import { stateOf } from '../state.ts'
import type { VariantPackage } from '../variant-package.ts'
import { findInjectionPoints, type InjectionPoint, injectedName, onceForKind } from './injection-point.ts'
import type { InjectionSources } from './injection-source.ts'
import { candidatesFor, type InjectionRequest, type SourceSelection, selectSource } from './select-source.ts'
import { type Strictness, unmetResults } from './unmet-point.ts'

/** The highest number of fields that a message names. */
const NAMED = 10

/** The injection that a variant or a config requests, and the severity of unmet points. */
export interface InjectionChange extends Omit<InjectionRequest, 'sources'>, Strictness {}

/** Returns the injection of `spec.injectors` of a variant. */
export function injectionChangeOf({ injectors, namespace }: Pick<PackageVariant, 'injectors' | 'namespace'>): InjectionChange {
  return { injectors, namespace: namespace || DEFAULT_NAMESPACE, strict: false }
}

/**
 * Copies configuration into the injection points of a package, and writes the conditions and readiness gates of the points into the
 * Kptfile (seed 000, Configuration Injection Details). A point that is not met keeps its content and is reported.
 *
 * @throws FunctionError  if points or the Kptfile have faults, or a selected resource is not unique; the package is then unchanged
 */
export function injectConfiguration(pkg: VariantPackage, change: InjectionChange, sources: InjectionSources): readonly Result[] {
  const request = { ...change, sources }
  const settled = settlePoints(pkg, request)
  writeInjectionStatus(pkg.kptfile, settled)
  for (const { point, selection } of settled) {
    if (!selection.met) continue
    const { source } = selection
    point.object.copy([point.field], source.object, [...source.path, point.field])
    point.object.set(['metadata', 'annotations', INJECTED_ANNOTATION], source.name)
  }
  return withState(pkg, settled, [...resultsOfUnmet(settled, request), ...standingResults(pkg, settled)])
}

/**
 * Reports the changes that the next run would make in the injection points of a package, and changes nothing.
 *
 * @throws FunctionError  in the cases of `injectConfiguration`
 */
export function checkInjection(pkg: VariantPackage, change: InjectionChange, sources: InjectionSources): readonly Result[] {
  const request = { ...change, sources }
  const settled = settlePoints(pkg, request)
  return withState(pkg, settled, [...resultsOfUnmet(settled, request), ...settled.flatMap(staleResults), ...standingResults(pkg, settled)])
}

/** Returns the results, followed by the number of points that are met. Adds no number if there are errors. */
function withState({ kptfile }: VariantPackage, settled: readonly SettledPoint[], results: readonly Result[]): readonly Result[] {
  if (hasErrors(results)) return results
  const met = settled.filter(({ selection }) => selection.met).length
  const message = settled.length === 0 ? 'the package has no injection points' : `${met} of ${settled.length} injection points are met`
  return [...results, stateOf(kptfile, 'inject-config', message)]
}

function resultsOfUnmet(settled: readonly SettledPoint[], request: InjectionRequest & Strictness): readonly Result[] {
  const resultOf = unmetResults(request)
  return settled.flatMap(({ point, selection }) => (selection.met ? [] : [resultOf(point, selection.message)]))
}

function settlePoints(pkg: VariantPackage, request: InjectionRequest): readonly SettledPoint[] {
  refuseOtherKind(pkg)
  const points = findInjectionPoints(pkg)
  const twice = [...new Set(points.flatMap((point) => candidatesFor(point, request).faults))]
  if (twice.length > 0) throw new FunctionError(twice)
  const selectionOf = onceForKind((point) => selectSource(point, request), request.injectors)
  const settled = points.map((point) => ({ point, selection: selectionOf(point) }))
  const twins = settled.flatMap((one) => twinFaults(one, request))
  if (twins.length > 0) throw new FunctionError(twins)
  return settled
}

/** Throws if the kind is not `Kptfile`. Porch's controller checks the kind in this step only. */
function refuseOtherKind({ kptfile }: VariantPackage): void {
  if (kptfile.kind === 'Kptfile') return
  const message = `must be 'Kptfile' in the Kptfile, which is to hold the conditions, got ${describeValue(kptfile.get(['kind']) ?? null)}`
  throw new FunctionError([faultToResult(kptfile, { severity: 'error', rule: 'kptfile', path: ['kind'], message })])
}

/**
 * Returns an error if two sources have the name of the selected source. A cluster has only one object of a name, so choosing between two
 * sources would be arbitrary.
 */
function twinFaults({ point, selection }: SettledPoint, request: InjectionRequest): readonly Result[] {
  if (!selection.met) return []
  const twins = candidatesFor(point, request).named(selection.source.name)
  if (twins.length < 2) return []
  const places = twins.map((twin) => twin.place()).join(' and ')
  const message = `is that of an injection point that must be met by one resource, but ${point.kind} '${selection.source.name}' is at ${places}`
  return [faultToResult(point.object, { severity: 'error', rule: 'injection-source-ambiguous', path: ['metadata', 'name'], message })]
}

/**
 * Returns the infos and warnings that do not depend on the selection: leftover entries of the Kptfile, and a package context that an
 * injection replaced.
 */
function standingResults(pkg: VariantPackage, settled: readonly SettledPoint[]): readonly Result[] {
  const points = settled.map(({ point }) => point)
  const contexts = settled.filter(({ point, selection }) => selection.met && isPackageContext(point.object))
  return [...staleInjections(pkg.kptfile, points), ...contexts.map(({ point }) => contextWarning(point))]
}

/** Returns the warning that an injection replaced the package context (docs/porch.md 38). */
function contextWarning({ object }: InjectionPoint): Result {
  const path = ['metadata', 'annotations', INJECTION_ANNOTATION]
  const message = 'must not be on the package context: what set-context wrote there is replaced as a whole'
  return faultToResult(object, { severity: 'warning', rule: 'injection-context', path, message })
}

/**
 * Returns an info for each leftover entry of the Kptfile: conditions and gates of removed points, and gates of points that are no longer
 * required. No run removes such entries (docs/porch.md 4).
 */
function staleInjections(kptfile: KrmObject, points: readonly InjectionPoint[]): readonly Result[] {
  const types = new Set(points.map(({ conditionType }) => conditionType))
  const required = new Set(points.flatMap((point) => (point.required ? [point.conditionType] : [])))
  return [
    ...leftoversIn(kptfile, CONDITIONS, types, 'belongs to no injection point of the package'),
    ...leftoversIn(kptfile, READINESS_GATES, required, 'belongs to no required injection point of the package'),
  ]
}

function leftoversIn(kptfile: KrmObject, { path, key }: KptfileList, known: ReadonlySet<string>, why: string): readonly Result[] {
  const list = kptfile.get(path)
  if (!Array.isArray(list)) return []
  return list.flatMap((entry, index) => {
    const type = isRecord(entry) ? lookup(entry, key) : undefined
    if (typeof type !== 'string' || !type.startsWith('config.injection.') || known.has(type)) return []
    const message = `${why}: ${quoteText(type)} was set by a person or an earlier run, and stays until a person removes it`
    return [
      {
        ...faultToResult(kptfile, { severity: 'warning', rule: 'injection-leftover', path: [...path, index, key], message }),
        severity: 'info' as const,
      },
    ]
  })
}

/**
 * Returns a warning if the next run would change a point: the source has another name than the one that was injected, or its content
 * differs. Returns an empty list for a point that is up to date.
 */
function staleResults({ point, selection }: SettledPoint): readonly Result[] {
  if (!selection.met) return []
  const { source, value } = selection
  const before = injectedName(point)
  const fields = differing(point.object.get([point.field]), value, [point.field])
  if (fields.length === 0 && before === source.name) return []
  const was = before === undefined ? 'was not injected yet' : `was injected from ${quoteText(before)}`
  const now = before === source.name ? 'which has changed since' : `would now be from ${quoteText(source.name)}`
  return [staleResult(point, `is stale: it ${was}, ${now} (${source.place()})${describeFields(fields)}`)]
}

/** Returns the result without the content of the field, because newer kpt keeps results in the Kptfile. */
function staleResult({ object, field }: InjectionPoint, message: string): Result {
  const result = faultToResult(object, { severity: 'warning', rule: 'injection-stale', path: [field], message, atKey: true })
  return { ...result, field: { path: [field] } }
}

function describeFields(fields: readonly FieldPath[]): string {
  const names = fields.slice(0, NAMED).map((path) => `\`${formatFieldPath(path)}\``)
  const more = fields.length - names.length
  return fields.length === 0 ? '' : `; differs in ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** An injection point with the source that was selected for the point. */
interface SettledPoint {
  readonly point: InjectionPoint
  readonly selection: SourceSelection
}

/** The fields of a Kptfile's condition that Porch's controller writes; the controller writes no time (kpt.dev/v1 Condition). */
interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly message: string
  readonly reason: 'ConfigInjected' | 'NoResourceSelected'
}

/**
 * Writes a condition for each point and a readiness gate for each required point into the Kptfile. Existing entries keep their places;
 * new entries follow, sorted by type (docs/porch.md 4, 5).
 *
 * @throws FunctionError  if gates or conditions are not lists of maps
 */
function writeInjectionStatus(kptfile: KrmObject, settled: readonly SettledPoint[]): void {
  checkKptfileLists(kptfile, [READINESS_GATES, CONDITIONS])
  const sorted = [...settled].sort((a, b) => compareText(a.point.conditionType, b.point.conditionType))
  writeGates(
    kptfile,
    sorted.flatMap(({ point }) => (point.required ? [point.conditionType] : [])),
  )
  writeConditions(
    kptfile,
    sorted.map(({ point, selection }) => conditionOf(point, selection)),
  )
}

function writeGates(kptfile: KrmObject, types: readonly string[]): void {
  const { path, key } = READINESS_GATES
  const there = kptfileEntries(kptfile, READINESS_GATES)
  const known = new Set(there.map((gate) => lookup(gate, key)))
  const missing = types.filter((type) => !known.has(type))
  for (const [index, type] of missing.entries()) kptfile.set([...path, there.length + index], { [key]: type })
}

function writeConditions(kptfile: KrmObject, conditions: readonly Condition[]): void {
  const { path, key } = CONDITIONS
  const there = kptfileEntries(kptfile, CONDITIONS)
  // Of two conditions with one type, the first is updated.
  const places = new Map(there.map((other, place) => [lookup(other, key), place] as const).reverse())
  for (const condition of conditions) {
    const place = places.get(condition.type)
    if (place !== undefined) updateCondition(kptfile, [...path, place], condition)
  }
  const added = conditions.filter(({ type }) => !places.has(type))
  for (const [index, condition] of added.entries()) kptfile.set([...path, there.length + index], { ...condition })
}

function updateCondition(kptfile: KrmObject, path: FieldPath, { status, message, reason }: Condition): void {
  for (const [field, text] of Object.entries({ status, message, reason })) kptfile.set([...path, field], text)
}

function conditionOf({ conditionType: type }: InjectionPoint, selection: SourceSelection): Condition {
  return selection.met
    ? { type, status: 'True', message: `injected resource "${selection.source.name}" from cluster`, reason: 'ConfigInjected' }
    : { type, status: 'False', message: selection.message, reason: 'NoResourceSelected' }
}
