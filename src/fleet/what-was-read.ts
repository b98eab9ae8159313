import { compareText } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { GROUP_OF_KIND } from '../kinds/unknown-kinds.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { quoteText } from '../schema/describe-value.ts'
import { countOf } from '../wording.ts'
import { ofLastKind } from './fleet.ts'
import { isSet } from './sets.ts'

/** The kinds that a description names first, since a fleet is made of them. */
const FIRST = ['PackageVariantSet', 'PackageVariantMatrix', 'PackageVariant', 'PackageRevision', 'Repository']
const NAMED_KINDS = 8

/** Describes the contents of a list in numbers: `3 files, 1 PackageVariantSet, 7 Repositories`; without a set `…, no PackageVariantSet`. */
export function describeRead(items: readonly KrmObject[]): string {
  const hasSet = items.some(isSet)
  return items.length === 0 || hasSet ? describeKinds(items) : `${describeKinds(items)}, no PackageVariantSet`
}

/**
 * Describes the contents of a list in numbers, without a note about a missing set. Counts the files of documents only: the file of an
 * item on stdin is in its annotations, and no item is parsed for a count.
 */
export function describeKinds(items: readonly KrmObject[]): string {
  if (items.length === 0) return 'no resource'
  const files = new Set(items.filter(({ isDocument }) => isDocument).flatMap(({ file }) => file?.path ?? []))
  const byKind = groupBy(
    items,
    ofLastKind((object) => `${object.kind ?? ''}${otherGroup(object)}`),
  )
  const kinds = Array.from(byKind.values(), ([first, ...others]) => ({
    kind: first.kind ?? '',
    group: otherGroup(first),
    count: others.length + 1,
  }))
  kinds.sort((a, b) => rankOf(a.kind) - rankOf(b.kind) || b.count - a.count || compareText(a.kind, b.kind))
  const rest = kinds.slice(NAMED_KINDS)
  return [
    ...(files.size === 0 ? [] : [countOf(files.size, 'file')]),
    ...kinds
      .slice(0, NAMED_KINDS)
      .map(({ kind, group, count }) => (kind === '' ? `${countOf(count, 'object')} without a kind` : `${countOf(count, kind)}${group}`)),
    ...(rest.length === 0
      ? []
      : [
          `${countOf(
            rest.reduce((sum, { count }) => sum + count, 0),
            'object',
          )} of ${countOf(rest.length, 'other kind')}`,
        ]),
  ].join(', ')
}

/** Returns ` of GROUP` for an object with a kind that only Porch has, or only we, but in another group: fan-out ignores such an object. */
function otherGroup({ apiVersion = '', kind = '' }: KrmObject): string {
  const group = groupOf(apiVersion)
  return group === (GROUP_OF_KIND.get(kind) ?? group) ? '' : ` of ${quoteText(group)}`
}

function rankOf(kind: string): number {
  const rank = FIRST.indexOf(kind)
  return rank === -1 ? FIRST.length : rank
}
