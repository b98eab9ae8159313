import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { Injector } from '../../kinds/package-variant.ts'
import type { Result } from '../../result.ts'
import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { INJECTION_ANNOTATION } from '../../well-known.ts'
import { type InjectionPoint, injectedName, onceForKind } from './injection-point.ts'
import type { InjectionSource } from './injection-source.ts'
import { candidatesFor, type InjectionRequest, injectorAppliesTo, mismatch } from './select-source.ts'

/** The highest number of candidates that a message names. */
const NAMED = 5

/** The path of the injectors, in a PackageVariant and in an InjectConfig. */
const INJECTORS_PATH: FieldPath = ['spec', 'injectors']

/** The severity of required points that are not met. */
export interface Strictness {
  /** True if a required point that is not met is an error. */
  readonly strict: boolean
}

/** The candidates for the points of a kind, and the injector that is nearest, as parts of a message. */
interface Choice {
  readonly candidates: string
  readonly nearest: string
}

/**
 * Returns a function that reports an unmet point: the reason, the candidates, and the injector that is nearest. Candidates and injector
 * are computed once for all points of a kind.
 *
 * @returns a function of a point and of the controller's reason, which the condition holds as well
 */
export function unmetResults(request: InjectionRequest & Strictness): (point: InjectionPoint, message: string) => Result {
  const choices = onceForKind(
    (point) => ({ candidates: describeCandidates(point, request), nearest: describeNearest(point, request) }),
    request.injectors,
  )
  return (point, message) => unmetResult(point, message, { ...request, ...choices(point) })
}

function unmetResult(point: InjectionPoint, message: string, choice: Strictness & Choice): Result {
  const path = ['metadata', 'annotations', INJECTION_ANNOTATION]
  const parts = [`is not met: ${message}`, choice.candidates, describeKept(point), choice.nearest]
  return faultToResult(point.object, {
    severity: choice.strict && point.required ? 'error' : 'warning',
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

/**
 * Describes the injector that names a candidate and only differs in group, version, kind or point; else an injector that applies and
 * whose name is similar to a candidate's. Returns '' if there is none, or if an injector fits.
 */
function describeNearest(point: InjectionPoint, request: InjectionRequest): string {
  const candidates = candidatesFor(point, request)
  const { injectors } = request
  const naming = injectors.filter(({ name }) => candidates.named(name).length > 0)
  if (naming.some((injector) => injectorAppliesTo(injector, point))) return ''
  const [other] = naming
  if (other !== undefined) return `${describeInjector(other, injectors)}, but ${describeMismatch(other, point)}`
  const near = injectors.find((injector) => injectorAppliesTo(injector, point) && candidates.nearest(injector.name) !== undefined)
  return near === undefined ? '' : `${describeInjector(near, injectors)}, did you mean '${candidates.nearest(near.name)}'?`
}

function describeInjector(injector: Injector, injectors: readonly Injector[]): string {
  return `\`${formatFieldPath([...INJECTORS_PATH, injectors.indexOf(injector)])}\` names ${quoteText(injector.name)}`
}

function describeMismatch(injector: Injector, point: InjectionPoint): string {
  const field = mismatch(injector, point) ?? 'kind'
  return `its ${field} is ${quoteText(injector[field] ?? '')}`
}

/**
 * Describes the content that an unmet point keeps from an earlier run. Porch's controller keeps the content and changes only the
 * condition (docs/porch.md 3).
 */
function describeKept(point: InjectionPoint): string {
  const name = injectedName(point)
  return name === undefined ? '' : `it keeps what was injected from ${quoteNames([name])} before`
}
