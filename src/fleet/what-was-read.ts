import { compareText } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { countOf } from '../wording.ts'

/** Named before all others, as what a fleet is made of. */
const FIRST = ['PackageVariantSet', 'PackageVariant', 'PackageRevision', 'Repository']
const NAMED_KINDS = 8

/** What a list holds, in numbers: `3 files, 1 PackageVariantSet, 7 Repositories`; without a set `…, no PackageVariantSet`. */
export function describeRead(items: readonly KrmObject[]): string {
  const hasSet = items.some(({ kind }) => kind === 'PackageVariantSet')
  return items.length === 0 || hasSet ? describeKinds(items) : `${describeKinds(items)}, no PackageVariantSet`
}

/** The same without a word on sets. */
export function describeKinds(items: readonly KrmObject[]): string {
  if (items.length === 0) return 'no resource'
  const files = new Set(items.flatMap(({ file }) => file?.path ?? []))
  const kinds = [...groupBy(items, ({ kind = '' }) => kind)].map(([kind, objects]) => ({ kind, count: objects.length }))
  kinds.sort((a, b) => rankOf(a.kind) - rankOf(b.kind) || b.count - a.count || compareText(a.kind, b.kind))
  const rest = kinds.slice(NAMED_KINDS)
  return [
    ...(files.size === 0 ? [] : [countOf(files.size, 'file')]),
    ...kinds
      .slice(0, NAMED_KINDS)
      .map(({ kind, count }) => (kind === '' ? `${countOf(count, 'object')} without a kind` : countOf(count, kind))),
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

function rankOf(kind: string): number {
  const rank = FIRST.indexOf(kind)
  return rank === -1 ? FIRST.length : rank
}
