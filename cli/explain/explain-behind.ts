import { findStragglers, type Straggler } from '../../src/fleet/behind.ts'
import { printable } from '../../src/printable.ts'
import { countOf } from '../../src/wording.ts'
import { placed } from '../print/placed.ts'
import type { Styles } from '../print/styles.ts'
import type { ExplainAnswer, Planned } from './explain-answer.ts'
import { placeText } from './explain-text.ts'

interface BehindView {
  /** The number of variants with a package in the folder; `without` is the number of the others. */
  readonly packages: number
  readonly without: number
  readonly behind: readonly StragglerView[]
  /** Packages that are locked to a revision without a number, or to another package. */
  readonly unclear: readonly StragglerView[]
}

interface StragglerView {
  readonly variant: string
  readonly namespace: string
  readonly set: string
  /** `FILE:LINE` of the lock. */
  readonly place?: string
  readonly locked: string
  readonly wanted: string
  /** The newest revision that there is, where it is above what the set wants. */
  readonly newest?: string
}

/** Lists the packages of a fleet that are older than what their sets want. */
export function explainBehind({ plan, items }: Planned): ExplainAnswer {
  const { stragglers, packages, without, results } = findStragglers(plan, items)
  const listed = (isBehind: boolean) => stragglers.filter((each) => each.isBehind === isBehind).map((each) => viewStraggler(each))
  const view: BehindView = { packages, without, behind: listed(true), unclear: listed(false) }
  return { view, text: (styles) => behindText(view, styles), results }
}

function viewStraggler({ set, variant, object, path, locked, wanted, newest }: Straggler): StragglerView {
  const { name, namespace } = variant
  return { variant: name, namespace, set: set.owner.name, ...placed(object, path), locked, wanted, ...(newest !== undefined && { newest }) }
}

function behindText({ packages, without, behind, unclear }: BehindView, styles: Styles): string {
  const missing = without === 0 ? '' : `; ${countOf(without, 'variant')} without a package that names its upstream`
  const head = `${styles.strong(`${behind.length} of ${countOf(packages, 'package')} behind`)}${missing}\n`
  const line = (note: string) => (each: StragglerView) =>
    `  ${printable(`${each.namespace}/${each.variant}: ${each.locked}, set ${each.set} wants ${each.wanted}${each.newest === undefined ? '' : `, the newest is ${each.newest}`}${note}`)}${placeText(each.place, styles)}\n`
  return [head, ...behind.map(line('')), ...unclear.map(line('; which is newer is not known'))].join('')
}
