import { groupBy } from '../../../group-by.ts'
import { formatResourceRef } from '../../../result.ts'
import { quote } from '../../finding.ts'
import { findCycles, formatCycle } from '../../graph.ts'
import { formatPlace } from '../../place.ts'
import { placeIn } from '../../reading/field.ts'
import { type PackageAddress, type PorchRevision, type PorchVariant, porchRevisionNumber } from '../objects.ts'
import { describeAddress } from './downstreams.ts'
import type { PorchFinding } from './porch-rules.ts'

/** The facts that decide which missing upstreams are faults. */
interface UpstreamSearch {
  /** True when items, catalogs and the cluster hold every package that exists. */
  readonly closed: boolean
  /** True when `render` makes the packages instead of Porch. */
  readonly isRendered: boolean
}

/** Returns the upstreams that are missing or not published, and the packages that derive from themselves. */
export function checkUpstreams(
  variants: readonly PorchVariant[],
  revisions: readonly PorchRevision[],
  search: UpstreamSearch,
): PorchFinding[] {
  const byPackage = groupBy(revisions, addressKey)
  const repositories = new Set(revisions.map(({ namespace, repository }) => `${namespace} ${repository}`))
  const known = ({ upstream }: PorchVariant): boolean => search.closed || repositories.has(`${upstream.namespace} ${upstream.repository}`)
  return [
    ...variants.filter(known).flatMap((each) => checkUpstream(each, byPackage.get(addressKey(each.upstream)) ?? [], search)),
    ...checkCycles(variants),
  ]
}

function checkUpstream(each: PorchVariant, revisions: readonly PorchRevision[], { isRendered }: UpstreamSearch): PorchFinding[] {
  const wanted = revisions.filter((revision) => isWanted(revision, each))
  if (wanted.length === 0)
    return [finding(each, 'upstream-missing', [], `requires ${describeUpstream(each)}, and there is no such PackageRevision`)]
  return [...checkPublished(each, wanted), ...(isRendered ? [] : checkIgnored(each))]
}

function isWanted(revision: PorchRevision, { workspaceName, revision: wanted }: PorchVariant): boolean {
  if (workspaceName !== '') return revision.workspaceName === workspaceName
  const number = porchRevisionNumber(wanted)
  return wanted === undefined || number === -1 || revision.revision === number
}

function checkPublished(each: PorchVariant, wanted: readonly PorchRevision[]): PorchFinding[] {
  const [first] = wanted
  const published = wanted.some(({ lifecycle }) => lifecycle === 'Published' || lifecycle === 'DeletionProposed')
  return published || first === undefined
    ? []
    : [finding(each, 'upstream-not-published', [], `requires ${describeUpstream(each)}, which is ${first.lifecycle || 'of no lifecycle'}`)]
}

// Porch v1.5 isValidUpstream: the number is set to -1, so the placeholder of the main branch is taken. `render` looks for the number.
function checkIgnored(each: PorchVariant): PorchFinding[] {
  if (each.revision === undefined || each.workspaceName !== '' || porchRevisionNumber(each.revision) < 0) return []
  const message = `asks for revision ${each.revision} of ${describeAddress(each.upstream)}, which Porch ignores: set \`spec.upstream.workspaceName\``
  return [finding(each, 'upstream-revision-ignored', ['revision'], message)]
}

function checkCycles(variants: readonly PorchVariant[]): PorchFinding[] {
  const graph = new Map(
    [...groupBy(variants, ({ downstream }) => addressKey(downstream))].map(([key, group]) => [
      key,
      group.map(({ upstream }) => addressKey(upstream)),
    ]),
  )
  const byDownstream = new Map(variants.map((each) => [addressKey(each.downstream), each]))
  return findCycles(graph).flatMap((cycle) => {
    const first = byDownstream.get(cycle[0] ?? '')
    const nameOf = (key: string) => key.split(' ').slice(1).join('/')
    const way = formatCycle(cycle, nameOf, (key) => placeOfStep(byDownstream.get(key)))
    return first === undefined ? [] : [finding(first, 'upstream-cycle', [], `derives from itself: ${way}`)]
  })
}

// Returns the place where the variant that writes a package names its upstream.
function placeOfStep(each: PorchVariant | undefined): string {
  return each === undefined ? '' : formatPlace(placeIn(each.object, ['spec', 'upstream']))
}

function addressKey({ namespace, repository, package: path }: PackageAddress): string {
  return `${namespace} ${repository} ${path}`
}

function describeUpstream({ upstream, workspaceName, revision }: PorchVariant): string {
  const which = workspaceName !== '' ? ` in workspace ${quote(workspaceName)}` : revision === undefined ? '' : ` at revision ${revision}`
  return `${describeAddress(upstream)}${which}`
}

function finding(each: PorchVariant, rule: PorchFinding['rule'], field: readonly string[], message: string): PorchFinding {
  const path = ['spec', 'upstream', ...field]
  return {
    rule,
    message: `${formatResourceRef(each.object.ref)} ${message}`,
    place: placeIn(each.object, path, each.object.get(path)),
    tags: { ecosystem: 'kpt', package: each.downstream.package, dependency: each.upstream.package },
  }
}
