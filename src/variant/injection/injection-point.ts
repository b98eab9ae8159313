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

/** A resource of a package that takes its configuration from outside the package. */
export interface InjectionPoint {
  readonly object: KrmObject
  readonly apiVersion: string
  readonly kind: string
  readonly required: boolean
  /** The type of the point's condition in the Kptfile, and of the readiness gate. */
  readonly conditionType: string
  /** The field that an injection replaces: `data` of a ConfigMap, `spec` of all other kinds. */
  readonly field: 'data' | 'spec'
}

/**
 * Returns the injection points of a package, in the order of its items.
 *
 * @throws FunctionError  with every point whose annotation is not `required` or `optional`, and every two points with one condition type
 */
export function findInjectionPoints(pkg: VariantPackage): readonly InjectionPoint[] {
  const annotated = pkg.pick(INJECTION_ANNOTATION, () => true).filter(isAnnotated)
  const points = annotated.map(toPoint)
  const results = [...annotated.flatMap(modeFaults), ...ambiguityFaults(points)]
  if (results.length > 0) throw new FunctionError(results)
  return points
}

/**
 * Returns a function that calls `answer` once for all points of a group, version and kind, and once for each point that an injector
 * names.
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

/** Returns the name of the resource that was last injected into a point; undefined if none was. */
export function injectedName({ object }: InjectionPoint): string | undefined {
  return object.annotations.get(INJECTED_ANNOTATION) ?? object.annotations.get(SEED_INJECTED_ANNOTATION)
}

/**
 * Returns true if an object has the injection annotation. Reads the value itself, so that annotations behind an alias are refused and not
 * missed.
 */
function isAnnotated(object: KrmObject): boolean {
  return object.isMap() && object.get(['metadata', 'annotations', INJECTION_ANNOTATION]) !== undefined
}

/** Returns the field that an injection replaces in an object. */
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

/**
 * Returns an error for each point with the kind and name of an earlier point. The condition type holds only kind and name, so that points
 * which differ in group or namespace share a condition (docs/porch.md 13).
 */
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
