import { groupBy } from '../../group-by.ts'
import { readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import type { FleetVariant } from '../fleet-variants.ts'
import { markFor } from '../marks.ts'
import { bareFolder } from '../origin.ts'
import type { LifecycleFacts } from './plan-lifecycle.ts'
import type { DownstreamPlace, DownstreamPlaces } from './steps.ts'

/**
 * The variants of which nothing stands where their packages belong, and the packages that most likely are theirs: one that carries their
 * mark, else the only one of a gone variant and of their upstream in the repository, if they are the only ones that lack a package there.
 */
export function findRenames(
  variants: readonly FleetVariant[],
  places: DownstreamPlaces,
  alive: ReadonlyMap<string, FleetVariant>,
  facts: LifecycleFacts,
): ReadonlyMap<FleetVariant, DownstreamPlace> {
  if (places.marked.length === 0) return new Map()
  const wanted = new Set(variants.map((variant) => places.folderOf(variant)))
  const free = places.marked.filter(({ folder }) => !wanted.has(folder))
  const lacking = variants.filter((variant) => places.at(places.folderOf(variant)) === undefined)
  const byMark = groupBy(free, ({ mark }) => mark?.variant)
  const gone = groupBy(
    free.filter(({ mark }) => mark !== undefined && !alive.has(mark.variant)),
    (place) => JSON.stringify([place.repo, directoryOf(place)]),
  )
  const unmarked = groupBy(
    lacking.filter((variant) => !byMark.has(markFor(variant).variant)),
    (variant) => JSON.stringify([variant.downstream.repo, facts.upstreamDirectory(variant)]),
  )
  const marked = lacking.flatMap((variant) => only(variant, byMark.get(markFor(variant).variant)))
  const paired = Array.from(unmarked, ([key, [variant, ...others]]) => (others.length === 0 ? only(variant, gone.get(key)) : [])).flat()
  return new Map([...marked, ...paired])
}

/** The variant with the place, if it is the only one. */
function only(variant: FleetVariant, places: readonly DownstreamPlace[] = []): readonly (readonly [FleetVariant, DownstreamPlace])[] {
  const [from, ...others] = places
  return from === undefined || others.length > 0 ? [] : [[variant, from]]
}

function directoryOf(place: DownstreamPlace): string | undefined {
  const kptfile = place.kptfile()
  const directory = kptfile && readKptfileUpstream(kptfile).value.upstream?.directory
  return directory === undefined ? undefined : bareFolder(directory)
}
