import type { Promotion } from '../../src/fleet/releases/promotion.ts'
import type { RingRevision } from '../../src/fleet/releases/ring-revisions.ts'
import { printable } from '../../src/printable.ts'
import { type Result, resultToJson } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { placed, printResult } from '../print/print-results.ts'
import { printDocument } from '../print/print-value.ts'
import type { Styles } from '../print/styles.ts'
import type { AskedUpstream } from '../rings/ring-filters.ts'

interface PromoteOutcome {
  readonly isWritten: boolean
  /** The findings that `--force` passed over. */
  readonly passedOver: readonly Result[]
  readonly results: readonly Result[]
}

/** A promotion, for all formats: the document of schemas/output/promote.json, but for findings. */
type PromoteView = ReturnType<typeof viewPromotion>

/** Returns the view of a promotion. */
export function viewPromotion(
  {
    upstream: { plan, upstream },
    ring,
    promotion: { edit, changes },
  }: {
    readonly upstream: Pick<AskedUpstream, 'plan' | 'upstream'>
    readonly ring: RingRevision
    readonly promotion: Promotion
  },
  outcome: PromoteOutcome,
) {
  return {
    matrix: plan.owner.name,
    namespace: plan.owner.namespace,
    upstream: `${upstream.repo}/${upstream.package}`,
    ring: ring.ring.name,
    from: ring.revision,
    to: `v${edit.revision}`,
    ...placed(edit.field.object, edit.field.path),
    changes: changes.map(({ set, upstream: each, ring: other, from, to, variants }) => ({
      set: set.owner.name,
      namespace: set.owner.namespace,
      upstream: `${each.repo}/${each.package}`,
      ...(other && { ring: other.name }),
      from,
      to,
      packages: variants.length,
    })),
    ...outcome,
  }
}

/** Returns a promotion for a terminal; the changed line follows. */
export function promoteText({ matrix, namespace, upstream, ring, to, place, changes, passedOver }: PromoteView, styles: Styles): string {
  if (changes.length === 0) return `${printable(`${namespace}/${matrix}: ${upstream} has ${to} in ring ${ring}`)}\n`
  const lines = changes.map((each) => {
    const where = each.ring === undefined ? 'without rings' : `ring ${each.ring}`
    return printable(
      `${each.namespace}/${each.set}: ${each.upstream} ${each.from} → ${each.to}, ${where}, ${countOf(each.packages, 'package')}`,
    )
  })
  const at = place === undefined ? '' : `  ${styles.faint(printable(place))}`
  const [first = '', ...others] = lines
  const forced = passedOver.map((result) => `  forced past ${printResult(result, styles)}\n`)
  return [`${first}${at}\n`, ...others.map((line) => `${line}\n`), ...forced].join('')
}

/** Returns a promotion for programs. */
export function promoteJson({ isWritten, passedOver, results, ...view }: PromoteView): string {
  return printDocument({ ...view, written: isWritten, forced: passedOver.map(resultToJson) }, results)
}
