import type { Injector } from '../../kinds/package-variant.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { didYouMean } from '../../schema/nearest-name.ts'
import { INJECTED_ANNOTATION, INJECTION_ANNOTATION, SEED_INJECTED_ANNOTATION } from '../../well-known.ts'
import type { VariantPackage } from '../variant-package.ts'

const MODES = ['required', 'optional']

/** A resource of the package that takes configuration from outside. */
export interface InjectionPoint {
  readonly object: KrmObject
  readonly apiVersion: string
  readonly kind: string
  readonly required: boolean
  /** Of its condition in the Kptfile, and of its readiness gate. */
  readonly conditionType: string
  /** What is replaced: `data` of a ConfigMap, `spec` of all else. */
  readonly field: 'data' | 'spec'
}

/**
 * The injection points of a package, in the order of its items.
 *
 * @throws FunctionError  with every point whose annotation has another value, and every two that share a condition
 */
export function findInjectionPoints(pkg: VariantPackage): readonly InjectionPoint[] {
  const annotated = pkg.pick(INJECTION_ANNOTATION, () => true).filter(isAnnotated)
  const points = annotated.map(toPoint)
  const results = [...annotated.flatMap(modeFaults), ...ambiguityFaults(points)]
  if (results.length > 0) throw new FunctionError(results)
  return points
}

/**
 * Answers once for the points of a group, version and kind what is the same for all of them, and for each point that an injector names
 * once more.
 */
export function onceForKind<Answer>(
  answer: (point: InjectionPoint) => Answer,
  injectors: readonly Injector[],
): (point: InjectionPoint) => Answer {
  const named = new Set(injectors.map((injector) => injector.point))
  const answers = new Map<string, { readonly answer: Answer }>()
  return (point) => {
    const { name } = point.object
    const key = JSON.stringify([point.apiVersion, point.kind, named.has(name) ? name : undefined])
    const known = answers.get(key) ?? { answer: answer(point) }
    answers.set(key, known)
    return known.answer
  }
}

/** The name of what was injected into a point last, undefined for nothing. */
export function injectedName({ object }: InjectionPoint): string | undefined {
  return object.annotations.get(INJECTED_ANNOTATION) ?? object.annotations.get(SEED_INJECTED_ANNOTATION)
}

/** Asks for the value itself, so that annotations that stand behind an alias are refused and not overlooked. */
function isAnnotated(object: KrmObject): boolean {
  return object.isMap() && object.get(['metadata', 'annotations', INJECTION_ANNOTATION]) !== undefined
}

/** What is replaced in a point. */
export function injectedField({ apiVersion = '', kind = '' }: Pick<KrmObject, 'apiVersion' | 'kind'>): InjectionPoint['field'] {
  return groupOf(apiVersion) === '' && kind === 'ConfigMap' ? 'data' : 'spec'
}

function toPoint(object: KrmObject): InjectionPoint {
  const { apiVersion = '', kind = '', name = '' } = object
  return {
    object,
    apiVersion,
    kind,
    required: object.annotations.get(INJECTION_ANNOTATION) === 'required',
    conditionType: `config.injection.${kind}.${name}`,
    field: injectedField(object),
  }
}

function modeFaults(object: KrmObject): readonly Result[] {
  const mode = object.annotations.get(INJECTION_ANNOTATION) ?? ''
  if (MODES.includes(mode)) return []
  return [
    faultToResult(object, {
      severity: 'error',
      rule: 'injection-annotation',
      path: ['metadata', 'annotations', INJECTION_ANNOTATION],
      message: `must be one of 'required', 'optional', got ${quoteText(mode)}${didYouMean(mode, MODES)}`,
    }),
  ]
}

/** Kind and name must tell the points of a package apart, whatever their group and namespace (docs/porch.md 13). */
function ambiguityFaults(points: readonly InjectionPoint[]): readonly Result[] {
  const firsts = new Map<string, InjectionPoint>()
  return points.flatMap((point) => {
    const first = firsts.get(point.conditionType)
    firsts.set(point.conditionType, first ?? point)
    return first === undefined ? [] : [ambiguityFault(point, first)]
  })
}

function ambiguityFault({ object, conditionType }: InjectionPoint, first: InjectionPoint): Result {
  const place = `${first.object.file?.path}:${first.object.positionOf(['metadata', 'name']).line}`
  return faultToResult(object, {
    severity: 'error',
    rule: 'injection-ambiguous',
    path: ['metadata', 'name'],
    message: `must differ from that of the ${first.kind} at ${place}: both injection points have the condition ${quoteText(conditionType)}`,
  })
}
