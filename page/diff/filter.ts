import type { ChangeGroup, ChangePlace, DiffReport } from '../../src/diff/report.ts'

/** The fields that a reader can filter by. An empty text matches everything. */
export const FILTER_FIELDS = ['cluster', 'set', 'ring', 'kind', 'danger', 'cause'] as const

export type FilterField = (typeof FILTER_FIELDS)[number]

export type DiffFilter = Readonly<Record<FilterField | 'text', string>>

/** A group with those of its places that a filter leaves. */
export interface ShownGroup {
  readonly group: ChangeGroup
  readonly places: readonly ChangePlace[]
}

/** Returns the filter that a fragment of the page's address has: `#cluster=hub-north&danger=volume-deleted`. */
export function filterOf(fragment: string): DiffFilter {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''))
  const textOf = (name: string) => parameters.get(name) ?? ''
  return {
    text: textOf('text'),
    cluster: textOf('cluster'),
    set: textOf('set'),
    ring: textOf('ring'),
    kind: textOf('kind'),
    danger: textOf('danger'),
    cause: textOf('cause'),
  }
}

/** Returns the fragment of the page's address for a filter and the chosen group. */
export function fragmentOf(filter: DiffFilter, group: string): string {
  const given = Object.entries({ ...filter, group }).filter(([, value]) => value !== '')
  return given.length === 0 ? '' : `#${new URLSearchParams(given)}`
}

/** Returns a function that finds the groups of a report. The text of each group is built once. */
export function groupFinder({ groups }: DiffReport): (filter: DiffFilter) => readonly ShownGroup[] {
  const texts = groups.map(searchText)
  return ({ text, cluster, set, ring, kind, danger, cause }) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    return groups.flatMap((group, index) => {
      const isMeant =
        (kind === '' || group.objects.some((object) => object.kind === kind)) &&
        (danger === '' || group.dangers.some(({ rule }) => rule === danger)) &&
        (cause === '' || group.causes.some((each) => each.kind === cause)) &&
        words.every((word) => texts[index]?.includes(word))
      if (!isMeant) return []
      const places = group.places.filter(
        (place) =>
          (cluster === '' || place.cluster === cluster) && (set === '' || place.set === set) && (ring === '' || ringOf(place) === ring),
      )
      return places.length === 0 ? [] : [{ group, places }]
    })
  }
}

function searchText({ op, objects, fields, causes, dangers, places }: ChangeGroup): string {
  const texts = [
    op,
    ...objects.flatMap(({ kind, namespace = '', name }) => [kind, `${namespace}/${name}`]),
    ...fields.flatMap(({ path, before, after }) => [path, String(before ?? ''), String(after ?? '')]),
    ...causes.flatMap(({ kind, text, file = '' }) => [kind, text, file]),
    ...dangers.flatMap(({ rule, text }) => [rule, text]),
    ...places.flatMap((place) => [place.cluster, place.package, place.set ?? '', place.ring ?? '']),
  ]
  return texts.join('\n').toLowerCase()
}

/** Returns the ring of a place with its matrix, since two matrices may have rings of one name; undefined for a place in no ring. */
function ringOf({ set = '', ring }: Pick<ChangePlace, 'set' | 'ring'>): string | undefined {
  return ring === undefined ? undefined : `${set} ${ring}`
}

/** Returns the values to choose from for each field, with their numbers of groups: sorted by name, rings in their order of trust. */
export function choicesOf({ groups, rings = [] }: DiffReport): Readonly<Record<FilterField, ReadonlyMap<string, number>>> {
  const count = (valuesOf: (group: ChangeGroup) => readonly string[]) => {
    const counts = new Map<string, number>()
    for (const group of groups) for (const value of new Set(valuesOf(group))) counts.set(value, (counts.get(value) ?? 0) + 1)
    return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return {
    cluster: count(({ places }) => places.map(({ cluster }) => cluster)),
    set: count(({ places }) => places.flatMap(({ set }) => set ?? [])),
    ring: new Map(
      rings.flatMap((each) => {
        const own = groups.filter(({ places }) => places.some((place) => place.set === each.set && place.ring === each.ring))
        return own.length === 0 ? [] : [[ringOf(each) ?? '', own.length] as const]
      }),
    ),
    kind: count(({ objects }) => objects.map(({ kind }) => kind)),
    danger: count(({ dangers }) => dangers.map(({ rule }) => rule)),
    cause: count(({ causes }) => causes.map(({ kind }) => kind)),
  }
}
