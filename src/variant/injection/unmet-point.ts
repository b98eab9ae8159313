import type { FieldPath } from '../../field-path.ts'
import { formatFieldPath } from '../../field-path.ts'
import type { Injector } from '../../kinds/package-variant.ts'
import type { Result } from '../../result.ts'
import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { didYouMean, nearestName } from '../../schema/nearest-name.ts'
import { INJECTION_ANNOTATION } from '../../well-known.ts'
import { type InjectionPoint, injectedName } from './injection-point.ts'
import type { InjectionSource } from './injection-source.ts'
import { appliesTo, candidatesFor, type InjectionRequest, mismatch } from './select-source.ts'

/** How many candidates a message names. */
const NAMED = 5
/** Among more than these, what is near is not looked for: a fleet may have thousands of points and as many candidates. */
const COMPARED = 1000

/** Where injectors stand, in a PackageVariant as in an InjectConfig. */
const INJECTORS_PATH: FieldPath = ['spec', 'injectors']

/** How severe it is that a required point is not met. */
export interface Strictness {
  /** An unmet required point is an error. */
  readonly strict: boolean
}

/**
 * What to tell about a point that nothing was injected into: why, what there is to choose from, and which injector came nearest.
 *
 * @param message the controller's reason, which the condition holds as well
 */
export function unmetResult(point: InjectionPoint, message: string, request: InjectionRequest & Strictness): Result {
  const path = ['metadata', 'annotations', INJECTION_ANNOTATION]
  const parts = [`is not met: ${message}`, describeCandidates(point, request), describeKept(point), describeNearest(point, request)]
  return faultToResult(point.object, {
    severity: request.strict && point.required ? 'error' : 'warning',
    rule: 'injection-unmet',
    path,
    message: parts.filter((part) => part !== '').join('; '),
  })
}

function describeCandidates(point: InjectionPoint, request: InjectionRequest): string {
  if (point.kind === '') return 'it has no kind'
  const candidates = candidatesFor(point, request).all
  if (candidates.length > 0) return `there is ${point.kind} ${firstOf(candidates, ({ name }) => quoteText(name))}`
  const elsewhere = request.sources.ofKind(point.kind)
  if (elsewhere.length === 0) return `there is no ${point.kind} among the sources`
  const wanted = `${describeType(point)} in the namespace ${quoteText(request.namespace)}`
  return `there is no ${wanted}, but ${firstOf(elsewhere, describeSource)}`
}

function describeType({ apiVersion, kind }: Pick<InjectionSource, 'apiVersion' | 'kind'>): string {
  return apiVersion === '' ? kind : `${apiVersion} ${kind}`
}

function describeSource({ name, namespace = '', ...type }: InjectionSource): string {
  return `${describeType(type)} ${quoteText(name)}${namespace === '' ? '' : ` in ${quoteText(namespace)}`}`
}

function firstOf(sources: readonly InjectionSource[], describe: (source: InjectionSource) => string): string {
  const more = sources.length - NAMED
  const names = sources.slice(0, NAMED).map(describe).join(', ')
  return more > 0 ? `${names} and ${more} more` : names
}

/** The injector that names a candidate and only differs in group, version or kind; else one that applies and whose name is near. */
function describeNearest(point: InjectionPoint, request: InjectionRequest): string {
  const names = candidatesFor(point, request)
    .all.slice(0, COMPARED)
    .map(({ name }) => name)
  const placed = request.injectors.map((injector, index) => ({ injector, at: formatFieldPath([...INJECTORS_PATH, index]) }))
  const [applying, others] = [true, false].map((applies) => placed.filter(({ injector }) => appliesTo(injector, point) === applies))
  if (applying?.some(({ injector }) => names.includes(injector.name))) return ''
  const other = others?.find(({ injector }) => names.includes(injector.name))
  if (other !== undefined) return `\`${other.at}\` names ${quoteText(other.injector.name)}, but ${describeMismatch(other.injector, point)}`
  const near = applying?.find(({ injector }) => nearestName(injector.name, names) !== undefined)
  return near === undefined
    ? ''
    : `\`${near.at}\` names ${quoteText(near.injector.name)}${didYouMean(near.injector.name, names).replace(';', ',')}`
}

function describeMismatch(injector: Injector, point: InjectionPoint): string {
  const field = mismatch(injector, point) ?? 'kind'
  return `its ${field} is ${quoteText(injector[field] ?? '')}`
}

/** The controller leaves what an earlier run injected; only the condition turns (docs/porch.md 3). */
function describeKept(point: InjectionPoint): string {
  const name = injectedName(point)
  return name === undefined ? '' : `it keeps what was injected from ${quoteNames([name])} before`
}
