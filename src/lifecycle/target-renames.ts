import { groupBy } from '../group-by.ts'
import { folderOf } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { shellPath } from '../shell-word.ts'
import { countOf, nameFirst } from '../wording.ts'
import { ownerFor } from './owner-annotation.ts'
import type { DownstreamPlaces, LeftoverStep, LifecycleFacts, VariantStep } from './package-steps.ts'
import { directoryOf } from './renames.ts'

/** The rule of the warning about a target under a new name. */
export const TARGET_RENAMED = 'target-renamed'

const NAMED = 3

/** A package whose variant is gone, and the new package of the same set and upstream for another target. */
interface Pair {
  readonly leftover: LeftoverStep
  readonly creation: VariantStep
}

/**
 * Returns a warning for each target that looks like a gone one under a new name: the packages of the gone target and the new ones have the
 * same set, the same upstream and names that differ only in the target's repository. `eu-01/shop` of `shop-eu-01-shop` goes and
 * `eu-north-01/shop` of `shop-eu-north-01-shop` comes. Several targets that go and come at once are not paired: which is which is unknown.
 * The warning names the command that keeps what people changed: a package that is found in the new folder is taken over.
 */
export function targetRenames(
  steps: readonly VariantStep[],
  leftovers: readonly LeftoverStep[],
  places: DownstreamPlaces,
  { upstreamDirectory }: Pick<LifecycleFacts, 'upstreamDirectory'>,
): readonly Result[] {
  const creations = steps.filter(({ op }) => op === 'create')
  if (creations.length === 0 || leftovers.length === 0) return []
  const coming = groupBy(creations, ({ variant }) =>
    signOf(ownerFor(variant).variant, variant.downstream.repo, variant.downstream.package, upstreamDirectory(variant)),
  )
  const going = groupBy(leftovers, ({ place }) =>
    signOf(place.owner?.variant ?? '', place.repo, place.folder.slice(place.repo.length + 1), directoryOf(place)),
  )
  const pairs = [...coming].flatMap(([sign, [creation, ...others]]): readonly Pair[] => {
    const [leftover, ...more] = going.get(sign) ?? []
    return creation && leftover && others.length + more.length === 0 ? [{ creation, leftover }] : []
  })
  const byRepos = groupBy(pairs, ({ creation, leftover }) => JSON.stringify([leftover.place.repo, creation.variant.downstream.repo]))
  return [...byRepos.values()].map((each) => renamedTarget(each, leftovers, places))
}

/** Returns a text that two packages share if they differ only in the repository of their target. */
function signOf(variant: string, repo: string, packageName: string, directory: string | undefined): string {
  const without = (text: string) => text.replaceAll(repo, '/')
  return JSON.stringify([directory, without(variant), without(packageName)])
}

function renamedTarget(pairs: readonly [Pair, ...Pair[]], leftovers: readonly LeftoverStep[], places: DownstreamPlaces): Result {
  const [{ creation, leftover }] = pairs
  const [was, is] = [leftover.place.repo, creation.variant.downstream.repo]
  const folders = nameFirst(pairs, NAMED, ({ leftover }) => leftover.place.folder)
  const fate = leftover.op === 'remove' ? 'removed' : `left to ${pairs.length === 1 ? 'itself' : 'themselves'}`
  const packages = `${countOf(pairs.length, 'package')} (${folders}) ${pairs.length === 1 ? 'is' : 'are'} ${fate}`
  const staying = places.owned.filter(({ repo }) => repo === was).length - leftovers.filter(({ place }) => place.repo === was).length
  const isWhole = staying === 0 && places.at(is) === undefined
  const command = isWhole ? moveRepository(leftover, is) : pairs.map(movePackage).join(' && ')
  const message = `looks like ${quoteText(was)} under a new name: ${packages} and made anew for ${quoteText(is)}, without what people changed; if it is the same target, keep the changes by \`${command}\` before render`
  return faultToResult(creation.variant.object, { severity: 'warning', rule: TARGET_RENAMED, path: ['spec', 'downstream'], message })
}

function moveRepository({ place }: LeftoverStep, repo: string): string {
  const root = rootOf(place)
  return `git mv ${shellPath(root + place.repo)} ${shellPath(root + repo)}`
}

function movePackage({ creation, leftover: { place } }: Pair): string {
  const root = rootOf(place)
  const to = root + creation.folder
  return `mkdir -p ${shellPath(folderOf(to))} && git mv ${shellPath(root + place.folder)} ${shellPath(to)}`
}

/** Returns the folder of all packages as the findings name it, with a slash at its end: `clusters/`, '' for the current folder. */
function rootOf(place: LeftoverStep['place']): string {
  const folder = folderOf(place.kptfile()?.file?.path ?? '')
  return folder.endsWith(place.folder) ? folder.slice(0, folder.length - place.folder.length) : ''
}
