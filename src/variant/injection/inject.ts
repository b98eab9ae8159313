import type { PackageVariant } from '../../kinds/package-variant.ts'
import { DEFAULT_NAMESPACE } from '../../kubernetes/kinds.ts'
import { FunctionError, hasErrors, type Result } from '../../result.ts'
import { describeValue } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { INJECTED_ANNOTATION, INJECTION_ANNOTATION } from '../../well-known.ts'
import { isPackageContext } from '../package-context.ts'
import { stateOf } from '../state.ts'
import type { VariantPackage } from '../variant-package.ts'
import { findInjectionPoints, type InjectionPoint, onceForKind } from './injection-point.ts'
import type { InjectionSources } from './injection-source.ts'
import { type SettledPoint, writeInjectionStatus } from './injection-status.ts'
import { leftovers } from './leftovers.ts'
import { candidatesFor, type InjectionRequest, selectSource } from './select-source.ts'
import { staleResults } from './stale-point.ts'
import { type Strictness, unmetResults } from './unmet-point.ts'

/** What the points of a package are to be met with, and what is told of those that are not. */
export interface InjectionChange extends Omit<InjectionRequest, 'sources'>, Strictness {}

/** What a variant asks for in its own fields. */
export function injectionChangeOf({ injectors, namespace }: Pick<PackageVariant, 'injectors' | 'namespace'>): InjectionChange {
  return { injectors, namespace: namespace || DEFAULT_NAMESPACE, strict: false }
}

/**
 * Copies configuration into the injection points of a package, and says in the Kptfile which are met (seed 000, Configuration
 * Injection Details). A point that is not met keeps what it has, and is told.
 *
 * @throws FunctionError  when points or the Kptfile are faulty, or a selected resource is there twice; nothing was changed then
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

/** What the next run would change in the injection points of a package; throws as `injectConfiguration` does. */
export function checkInjection(pkg: VariantPackage, change: InjectionChange, sources: InjectionSources): readonly Result[] {
  const request = { ...change, sources }
  const settled = settlePoints(pkg, request)
  return withState(pkg, settled, [...resultsOfUnmet(settled, request), ...settled.flatMap(staleResults), ...standingResults(pkg, settled)])
}

/** The results, and after them how many points are met. */
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

/** The controller looks at the Kptfile's kind in this step only. */
function refuseOtherKind({ kptfile }: VariantPackage): void {
  if (kptfile.kind === 'Kptfile') return
  const message = `must be 'Kptfile' in the Kptfile, which is to hold the conditions, got ${describeValue(kptfile.get(['kind']) ?? null)}`
  throw new FunctionError([faultToResult(kptfile, { severity: 'error', rule: 'kptfile', path: ['kind'], message })])
}

/** A cluster has one object of a name; two sources of one name would make the choice an accident. */
function twinFaults({ point, selection }: SettledPoint, request: InjectionRequest): readonly Result[] {
  if (!selection.met) return []
  const twins = candidatesFor(point, request).named(selection.source.name)
  if (twins.length < 2) return []
  const places = twins.map((twin) => twin.place()).join(' and ')
  const message = `is that of an injection point that must be met by one resource, but ${point.kind} '${selection.source.name}' is at ${places}`
  return [faultToResult(point.object, { severity: 'error', rule: 'injection-source-ambiguous', path: ['metadata', 'name'], message })]
}

/** Infos and warnings that hold after an injection, whatever was selected: entries left over, a context that was overwritten. */
function standingResults(pkg: VariantPackage, settled: readonly SettledPoint[]): readonly Result[] {
  const points = settled.map(({ point }) => point)
  const contexts = settled.filter(({ point, selection }) => selection.met && isPackageContext(point.object))
  return [...leftovers(pkg.kptfile, points), ...contexts.map(({ point }) => contextWarning(point))]
}

/** docs/porch.md 38. */
function contextWarning({ object }: InjectionPoint): Result {
  const path = ['metadata', 'annotations', INJECTION_ANNOTATION]
  const message = 'must not be on the package context: what set-context wrote there is replaced as a whole'
  return faultToResult(object, { severity: 'warning', rule: 'injection-context', path, message })
}
