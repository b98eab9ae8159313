import { groupBy } from '../../group-by.ts'
import { remember } from '../../remember.ts'
import type { FleetState } from '../fleet-state.ts'
import type { ChangeGroup, DangerCount, PackageEntry } from '../report.ts'
import { DANGER_RULES, isDanger, WIDE_CHANGE } from './dangers.ts'

/** Counts the dangers of all groups: the dangers first, then the sets of which much changes at once, then the notices. */
export function countDangers(
  groups: readonly ChangeGroup[],
  changed: readonly PackageEntry[],
  states: readonly Pick<FleetState, 'sets'>[],
): readonly DangerCount[] {
  const counted = DANGER_RULES.flatMap(({ id: rule, nouns }) =>
    [undefined, 'notice' as const].flatMap((severity) => {
      const own = groups.filter(({ dangers }) => dangers.some((danger) => danger.rule === rule && danger.severity === severity))
      const count = new Set(own.flatMap(changedObjects)).size
      const text = `${count} ${nouns[count === 1 ? 0 : 1]}`
      return count === 0 ? [] : [{ rule, ...(severity && { severity }), count, text, groups: own.map(({ id }) => id) }]
    }),
  )
  return [...counted.filter(isDanger), ...wideChanges(changed, states), ...counted.filter((each) => !isDanger(each))]
}

/** The share of a set's clusters from which a change is wide. */
const WIDE = 0.25

/** Returns the sets of which more than a quarter of the clusters change, if more than one does. */
function wideChanges(changed: readonly PackageEntry[], states: readonly Pick<FleetState, 'sets'>[]): readonly DangerCount[] {
  const clusters = new Map<string, Set<string>>()
  for (const { sets } of states)
    for (const { owner, changes } of sets) {
      const known = remember(clusters, `${owner.namespace}/${owner.name}`, () => new Set<string>())
      for (const { why } of changes) if (why !== undefined) known.add(why.repo)
    }
  const ofSets = changed.filter(({ set }) => set !== undefined)
  const bySet = groupBy(ofSets, ({ set = '' }) => set)
  return [...bySet].flatMap(([set, entries]) => {
    const [count, of] = [new Set(entries.map(({ cluster }) => cluster)).size, clusters.get(set)?.size ?? 0]
    if (count < 2 || count <= of * WIDE) return []
    return [{ rule: WIDE_CHANGE, count, text: `${count} of ${of} clusters of set ${set} change at once`, groups: [], set }]
  })
}

/** Returns a text for each object of a group in each of its packages. Parts of one object are groups of their own, and one danger. */
function changedObjects({ objects, places }: ChangeGroup): readonly string[] {
  return places.flatMap((place) =>
    (place.objects ?? objects).map(({ apiVersion, kind, namespace, name }) =>
      JSON.stringify([place.package, apiVersion, kind, namespace, name]),
    ),
  )
}
