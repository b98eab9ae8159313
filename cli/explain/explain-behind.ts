import { formatFieldPath } from '../../src/field-path.ts'
import { findStragglers, type Straggler, type Stragglers } from '../../src/fleet/releases/behind.ts'
import { Followers } from '../../src/fleet/releases/followers.ts'
import { printable } from '../../src/printable.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { UpstreamLibrary } from '../../src/upstream/upstream-library.ts'
import { countOf } from '../../src/wording.ts'
import { placed } from '../print/print-results.ts'
import type { Styles } from '../print/styles.ts'
import { type ExplainAnswer, type Planned, placeText } from './explain-text.ts'
import type { Upstreams } from './explain-way.ts'

/** The packages that are behind: a part of schemas/output/explain.json. */
type BehindView = ReturnType<typeof viewBehind>
type StragglerView = ReturnType<typeof viewStraggler>

/** Lists the packages of a fleet that are older than what their sets want, or than the newest revision that `render` could read. */
export function explainBehind({ plan, items }: Planned, { options, packageSource }: Upstreams): ExplainAnswer {
  const library = new UpstreamLibrary(packageSource, plan.fleet, options)
  const followers = new Followers(plan, (upstream, namespace) => library.isPublished(upstream, namespace))
  const found = findStragglers(plan, items, (upstream, namespace) => library.newest(upstream, namespace), followers)
  const view = viewBehind(found)
  const results = [...found.results, ...found.unknown.map(({ object, fault }) => faultToResult(object, fault))]
  return { view, text: (styles) => behindText(view, styles), results }
}

function viewBehind({ packages, without, stragglers, unknown }: Stragglers) {
  const listed = (isBehind: boolean) => stragglers.filter((each) => each.isBehind === isBehind).map(viewStraggler)
  return {
    packages,
    without,
    behind: listed(true),
    // Locked to a revision whose name has no order, or to another package.
    unclear: listed(false),
    unknown: unknown
      .filter(({ fault }) => fault.rule === 'upstream-missing')
      .map(({ set, object, fault: { path, message } }) => ({
        namespace: set.owner.namespace,
        set: set.owner.name,
        ...placed(object, path),
        reason: `\`${formatFieldPath(path)}\` ${message}`,
      })),
  }
}

function viewStraggler({ set, variant, object, path, locked, wanted, newest, through }: Straggler) {
  const { name, namespace } = variant
  const others = { ...(newest !== undefined && { newest }), ...(through !== undefined && { through }) }
  return { variant: name, namespace, set: set.owner.name, ...placed(object, path), locked, wanted, ...others }
}

function stateOf({ through, locked, set, wanted }: StragglerView): string {
  if (through === undefined) return `${locked}, set ${set} wants ${wanted}`
  return `made from ${through}, which is at ${locked} and wants ${wanted}`
}

function behindText({ packages, without, behind, unclear, unknown }: BehindView, styles: Styles): string {
  const missing = without === 0 ? '' : `; ${countOf(without, 'variant')} without a package that names its upstream`
  const head = `${styles.strong(`${behind.length} of ${countOf(packages, 'package')} behind`)}${missing}\n`
  const line = (note: string) => (each: StragglerView) =>
    `  ${printable(`${each.namespace}/${each.variant}: ${stateOf(each)}${each.newest === undefined ? '' : `, the newest is ${each.newest}`}${note}`)}${placeText(each.place, styles)}\n`
  const unknownLine = ({ namespace, set, reason, place }: BehindView['unknown'][number]) =>
    `  ${printable(`${namespace}/${set}: the newest revision is not known, ${reason}`)}${placeText(place, styles)}\n`
  return [head, ...behind.map(line('')), ...unclear.map(line('; which is newer is not known')), ...unknown.map(unknownLine)].join('')
}
