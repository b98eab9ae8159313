import type { Fleet } from '../../src/fleet/fleet.ts'
import { PackageMakers, type PlannedVariant, upstreamOfPlanned } from '../../src/fleet/planned-variants.ts'
import type { UpstreamFields } from '../../src/kinds/upstream-schema.ts'
import type { RenderOptions } from '../../src/render/options.ts'
import type { PackageSource } from '../../src/upstream/source-package.ts'
import { UpstreamLibrary } from '../../src/upstream/upstream-library.ts'

/** The options of a fleet and the source of its upstream packages. */
export interface Upstreams {
  readonly options: RenderOptions
  readonly packageSource: PackageSource
}

/** A package of a chain, and the state of it that the next package is made from. */
export interface WayStep {
  /** REPOSITORY/PACKAGE */
  readonly package: string
  /** The revision or workspace that the next variant names. */
  readonly revision?: string
  /** Unset for the first and the last package of the way. */
  readonly state?: 'published' | 'unpublished' | 'unknown'
}

/** A variant of a chain, with its upstream. */
interface Link {
  readonly variant: PlannedVariant
  readonly upstream: UpstreamFields
}

/**
 * Returns the packages from the top of a chain to the package of a variant (docs/chains.md); none for a package that is made from no
 * other variant's package.
 *
 * @param planned  every variant of the plan, `variant` among them
 * @param open  opens the upstream packages; called for chains only
 */
export function wayTo(
  variant: PlannedVariant,
  planned: readonly PlannedVariant[],
  fleet: Fleet,
  open: () => Upstreams,
): readonly WayStep[] {
  const links = linksUpFrom(variant, planned)
  if (links.length < 2) return []
  const { packageSource, options } = open()
  const library = new UpstreamLibrary(packageSource, fleet, options)
  const steps = links.map((link, index): WayStep => {
    const { repo, package: name, revision = '', workspaceName = '' } = link.upstream
    const named = revision === '' || revision === 0 ? workspaceName : String(revision)
    const step = { package: `${repo}/${name}`, ...(named !== '' && { revision: named }) }
    return index === links.length - 1 ? step : { ...step, state: stateOf(link, library) }
  })
  return [...steps.reverse(), { package: `${variant.repo}/${variant.packageName}` }]
}

/** Returns the links from a variant up to the top of its chain, or up to the first package that a circle repeats. */
function linksUpFrom(variant: PlannedVariant, planned: readonly PlannedVariant[]): readonly Link[] {
  const makers = new PackageMakers(planned)
  const links = new Map<PlannedVariant, Link>()
  let next: PlannedVariant | undefined = variant
  while (next !== undefined && !links.has(next)) {
    const upstream = upstreamOfPlanned(next)
    links.set(next, { variant: next, upstream })
    next = makers.of(upstream, next.namespace)
  }
  return [...links.values()]
}

function stateOf({ variant, upstream }: Link, library: UpstreamLibrary): NonNullable<WayStep['state']> {
  const found = library.published(upstream, variant.namespace)
  if ('revision' in found) return 'published'
  return found.fault.rule === 'upstream-missing' ? 'unpublished' : 'unknown'
}

/** Returns a way as one line: `catalog/web (1) -> platform/web (main, unpublished) -> edge/web`. */
export function wayText(way: readonly WayStep[]): string {
  return way
    .map(({ package: name, revision, state }) => {
      const notes = [
        ...(revision === undefined ? [] : [revision]),
        ...(state === 'unpublished' ? ['unpublished'] : []),
        ...(state === 'unknown' ? ['not known if published'] : []),
      ]
      return notes.length === 0 ? name : `${name} (${notes.join(', ')})`
    })
    .join(' -> ')
}
