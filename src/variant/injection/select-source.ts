import type { JsonValue } from '../../json.ts'
import type { Injector } from '../../kinds/package-variant.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { InjectionPoint } from './injection-point.ts'
import type { Candidates, InjectionSource, InjectionSources } from './injection-source.ts'

/** The source that is copied into a point, or the reason why no source is. */
export type SourceSelection =
  | { readonly met: true; readonly source: InjectionSource; readonly value: JsonValue }
  | { readonly met: false; readonly message: string }

/** The injectors and sources for the points of a package. */
export interface InjectionRequest {
  readonly injectors: readonly Injector[]
  /** The namespace of the variant. */
  readonly namespace: string
  readonly sources: InjectionSources
}

/**
 * Returns the resources that an injector can name for a point: those of the point's group, version and kind that are visible from the
 * variant's namespace.
 */
export function candidatesFor({ apiVersion, kind }: InjectionPoint, { sources, namespace }: InjectionRequest): Candidates {
  return sources.candidates(apiVersion, kind, namespace)
}

/**
 * Returns true if the group, version and kind of an injector equal those of the point, and so does `point`, the name of the point, which
 * Porch's injectors do not have (docs/porch.md 9). A field that the injector does not have matches every point; the group '' matches only
 * the core group (docs/porch.md 7).
 */
export function injectorAppliesTo(injector: Injector, point: InjectionPoint): boolean {
  return mismatch(injector, point) === undefined
}

/**
 * Returns the first field of group, version, kind and point in which an injector differs from a point; undefined if all fields of the
 * injector match.
 */
export function mismatch(
  injector: Injector,
  { apiVersion, kind, object }: InjectionPoint,
): 'group' | 'version' | 'kind' | 'point' | undefined {
  const own = { group: groupOf(apiVersion), version: apiVersion.slice(apiVersion.indexOf('/') + 1), kind, point: object.name ?? '' }
  return (['group', 'version', 'kind', 'point'] as const).find((field) => injector[field] !== undefined && injector[field] !== own[field])
}

/**
 * Selects the source for an injection point: the candidate that the first injector names which applies to the point. If that candidate
 * lacks the field, no later injector is tried (docs/porch.md 8). The messages are those of Porch's controller (docs/porch.md 2).
 */
export function selectSource(point: InjectionPoint, request: InjectionRequest): SourceSelection {
  const { injectors, sources } = request
  const { apiVersion, kind, field } = point
  if (injectors.length === 0) return unmet('no injectors defined')
  if (!sources.knows(apiVersion, kind)) return unmet(`no matches for kind "${kind}" in version "${apiVersion}"`)
  const candidates = candidatesFor(point, request)
  if (candidates.all.length === 0) return unmet(`no in-cluster resources of type ${apiVersion}.${kind}`)
  const source = firstNamed(point, injectors, candidates)
  if (source === undefined) return unmet('no resource matched any injection selector for this injection point')
  const value = source.object.get([...source.path, field])
  if (value === undefined) return unmet(`field "${field}" not found in resource "${source.name}"`)
  if (value === null) return unmet(`unable to set <nil> at fields [${field}] with error: the passed-in object must not be nil`)
  return { met: true, source, value }
}

function firstNamed(point: InjectionPoint, injectors: readonly Injector[], candidates: Candidates): InjectionSource | undefined {
  for (const injector of injectors) {
    const [source] = candidates.named(injector.name)
    if (source !== undefined && injectorAppliesTo(injector, point)) return source
  }
  return undefined
}

function unmet(message: string): SourceSelection {
  return { met: false, message }
}
