import type { FieldPath } from '../../field-path.ts'
import { formatFieldPath } from '../../field-path.ts'
import type { Injector } from '../../kinds/package-variant.ts'
import type { Result } from '../../result.ts'
import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { INJECTION_ANNOTATION } from '../../well-known.ts'
import { type InjectionPoint, injectedName, onceForKind } from './injection-point.ts'
import type { InjectionSource } from './injection-source.ts'
import { candidatesFor, type InjectionRequest, injectorAppliesTo, mismatch } from './select-source.ts'

/** How many candidates a message names. */
const NAMED = 5

/** Where injectors stand, in a PackageVariant as in an InjectConfig. */
const INJECTORS_PATH: FieldPath = ['spec', 'injectors']

/** How severe it is that a required point is not met. */
export interface Strictness {
  /** An unmet required point is an error. */
  readonly strict: boolean
}

/** What there is for the points of a kind. */
interface Choice {
  readonly candidates: string
  readonly nearest: string
}

/**
 * What to tell about points that nothing was injected into: why, what there is to choose from, and which injector came nearest.
 * All of a kind have the same to choose from, so that is worked out once.
 *
 * @returns what tells it of one point; `message` is the controller's reason, which the condition holds as well
 */
export function unmetResults(request: InjectionRequest & Strictness): (point: InjectionPoint, message: string) => Result {
  const choices = onceForKind(
    (point) => ({ candidates: describeCandidates(point, request), nearest: describeNearest(point, request) }),
    request.injectors,
  )
  return (point, message) => unmetResult(point, message, { ...request, ...choices(point) })
}

function unmetResult(point: InjectionPoint, message: string, told: Strictness & Choice): Result {
  const path = ['metadata', 'annotations', INJECTION_ANNOTATION]
  const parts = [`is not met: ${message}`, told.candidates, describeKept(point), told.nearest]
  return faultToResult(point.object, {
    severity: told.strict && point.required ? 'error' : 'warning',
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
  const candidates = candidatesFor(point, request)
  if (candidates.all.length === 0) return ''
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

/** The controller leaves what an earlier run injected; only the condition turns (docs/porch.md 3). */
function describeKept(point: InjectionPoint): string {
  const name = injectedName(point)
  return name === undefined ? '' : `it keeps what was injected from ${quoteNames([name])} before`
}
