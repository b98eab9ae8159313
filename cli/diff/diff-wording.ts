import { imageParts } from '../../src/diff/dangers/judgements.ts'
import { type NamedObjects, namespacesInHeading, objectsInHeading } from '../../src/diff/object-names.ts'
import type { ChangeCause, ChangedField, ChangeGroup, DiffReport, ImageChange } from '../../src/diff/report.ts'
import { groupBy } from '../../src/group-by.ts'
import { equalJson, type JsonValue } from '../../src/json.ts'
import { formatResourceRef } from '../../src/result.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import { printChange, printValue } from '../print/print-value.ts'

/** The most objects, clusters and packages that a line names. */
const NAMED = 5

/** Returns the first line of a report: `12 of 240 packages change on 12 clusters, in 3 ways`. */
export function summarizeDiff({ counts, packages }: Pick<DiffReport, 'counts' | 'packages'>): string {
  const { changed, clusters, groups, local, failed = 0 } = counts
  const unknown = failed === 0 ? '' : `; ${countOf(failed, 'package')} cannot be rendered, and ${failed === 1 ? 'is' : 'are'} not compared`
  if (packages.length === 0) return `no package ${failed === 0 ? '' : 'that can be rendered '}changes${unknown}`
  const others =
    local === 0
      ? unknown
      : `; ${countOf(local, 'other package')} ${local === 1 ? 'differs' : 'differ'} in nothing that a cluster gets${unknown}`
  if (changed === 0) return `no object of a cluster changes${others}`
  const verb = changed === 1 ? 'changes' : 'change'
  return `${changed} of ${countOf(counts.packages, 'package')} ${verb} on ${countOf(clusters, 'cluster')}, in ${countOf(groups, 'way')}${others}`
}

/** Returns the names of the objects of a group: `ConfigMap shop/web`, `ConfigMap web in the namespaces ams, ber`. */
export function nameObjects(group: NamedObjects): string {
  const names = objectsInHeading(group).map(formatResourceRef)
  const named = names.length === 1 ? (names[0] ?? '') : `${names.length} objects: ${nameFirst(names, NAMED)}`
  return `${named}${namespacesInHeading(group)}`
}

/** Returns an image that changes: `registry/tills: 1.0 → 1.1`, or both images if their names differ. */
export function shownImage({ before, after }: ImageChange): string {
  const [was, is] = [before, after].map(imageParts)
  if (was === undefined || is === undefined || was.name !== is.name) return `${before} → ${after}`
  const [old, present] = [was, is].map(({ tag, digest }) => [tag, digest].filter(Boolean).join('@') || 'no tag')
  return `${is.name}: ${old} → ${present}`
}

/** Returns what becomes of the objects of a group; '' where the fields say so. */
export function fateOfObjects({ op, ...group }: Pick<ChangeGroup, 'op'> & NamedObjects): string {
  const objects = objectsInHeading(group)
  const verb = objects.length === 1 ? 'is' : 'are'
  if (op === 'create') return `${verb} created`
  if (op === 'delete') return `${verb} deleted`
  const [first] = objects
  return op === 'rename' && first?.was !== undefined ? `was ${formatResourceRef(first.was)}` : ''
}

/**
 * Returns the clusters of a group, the first by name: one line, or a line for each ring in their order of trust.
 * Example: `canary: ham-01` and `world: ber-01, ber-02 and 8 more`.
 */
export function nameClusters({ places, rings = [] }: Pick<ChangeGroup, 'places' | 'rings'>): readonly string[] {
  const isOfSeveral = new Set(rings.map(({ set }) => set)).size > 1
  const lines = rings.map(({ set, ring }) => {
    const own = places.filter((place) => place.set === set && place.ring === ring)
    return `${isOfSeveral ? `${set} ` : ''}${ring}: ${clustersOf(own)}`
  })
  const others = places.filter(({ ring }) => ring === undefined)
  if (others.length === 0) return lines
  return [...lines, `${lines.length === 0 ? '' : 'in no ring: '}${clustersOf(others)}`]
}

function clustersOf(places: ChangeGroup['places']): string {
  return nameFirst([...new Set(places.map(({ cluster }) => cluster))], NAMED)
}

/** Returns a line for each matrix with rings: `Rings of fleet/base: canary 2 clusters, world none`. */
export function summarizeRings({ rings = [] }: Pick<DiffReport, 'rings'>): readonly string[] {
  return [...groupBy(rings, ({ set }) => set)].map(([set, own]) => {
    const counts = own.map(({ ring, clusters }) => `${ring} ${clusters === 0 ? 'none' : countOf(clusters, 'cluster')}`)
    return `Rings of ${set}: ${counts.join(', ')}`
  })
}

/** Returns the field with its values: `data.metrics: a → b`, `+ spec.replicas: 3`. */
export function shownField(field: ChangedField): string {
  const { path, before, after } = field
  if (field.isOrder === true) return `${path}: the entries have another order`
  if (field.isComment === true) return 'comments'
  if (before === undefined) return `+ ${path}: ${printValue(after ?? null)}`
  if (after === undefined) return `- ${path}: ${printValue(before)}`
  const entries = Array.isArray(before) && Array.isArray(after) ? changedEntries(before, after) : undefined
  return `${path}: ${entries ?? printChange(before, after)}`
}

/** Returns the entries that a list without keys loses and gets: `- "--old", + "--new"`; undefined if the list only gets another order. */
function changedEntries(before: readonly JsonValue[], after: readonly JsonValue[]): string | undefined {
  const without = (list: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] => {
    const left = [...other]
    return list.filter((entry) => {
      const at = left.findIndex((each) => equalJson(each, entry))
      if (at !== -1) left.splice(at, 1)
      return at === -1
    })
  }
  const [removed, added] = [without(before, after), without(after, before)]
  const shown = [...removed.map((entry) => `- ${printValue(entry)}`), ...added.map((entry) => `+ ${printValue(entry)}`)]
  return shown.length === 0 || shown.length > MOST_ENTRIES ? undefined : shown.join(', ')
}

/** Beyond this number of entries the lists are shown as a whole. */
const MOST_ENTRIES = 10

/** Returns the fields of a group that its lines have: without `metadata.name` of a renamed object. */
export function shownFields({ op, fields }: Pick<ChangeGroup, 'op' | 'fields'>): readonly ChangedField[] {
  const isNamed = ({ path }: ChangedField): boolean => op === 'rename' && (path === 'metadata.name' || path === 'metadata.namespace')
  return fields.filter((field) => !isNamed(field))
}

/** Returns `FILE:LINE` of a cause, or of one of its inputs. */
export function placeOfCause({ file, line }: Pick<ChangeCause, 'file' | 'line'>): string | undefined {
  return file === undefined ? undefined : line === undefined ? file : `${file}:${line}`
}

/** Returns the lines below a cause: the upstream's line, the inputs of an expression. */
export function belowCause({
  details = [],
  inputs = [],
}: ChangeCause): readonly { readonly text: string; readonly place: string | undefined }[] {
  return [...details, ...inputs].slice(0, NAMED).map((input) => ({ text: input.text, place: placeOfCause(input) }))
}

/** Returns the sentences about packages whose objects do not change. */
export function describeOthers({
  packages,
  notFollowed = [],
  ignored = [],
}: Pick<DiffReport, 'packages' | 'notFollowed' | 'ignored'>): readonly string[] {
  const named = (fate: string): readonly string[] =>
    packages.filter((entry) => entry.fate === fate && entry.groups.length === 0).map(({ folder }) => folder)
  const [local, left] = [named('local'), named('left')]
  return [
    ...ignored.map(
      ({ reason, changes, clusters }) => `${countOf(changes, 'change')} on ${countOf(clusters, 'cluster')} ignored by the fleet: ${reason}`,
    ),
    ...notFollowed.map(
      ({ upstream, packages: count }) =>
        `${upstream} has other content, and ${countOf(count, 'package')} ${count === 1 ? 'does' : 'do'} not follow: render takes another revision only`,
    ),
    ...(local.length === 0
      ? []
      : [
          `${countOf(local.length, 'package')} ${local.length === 1 ? 'differs' : 'differ'} only in what no cluster gets (Kptfile, local configuration, other files): ${nameFirst(local, NAMED)}`,
        ]),
    ...(left.length === 0
      ? []
      : [
          `${countOf(left.length, 'package')} ${left.length === 1 ? 'stays' : 'stay'} without a variant (deletionPolicy orphan): ${nameFirst(left, NAMED)}`,
        ]),
  ]
}
