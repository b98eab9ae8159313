import type { FieldPath } from '../../../field-path.ts'
import { groupBy } from '../../../group-by.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../../result.ts'
import { type Finding, formatPlace, quote } from '../../finding.ts'
import { findCycles, formatCycle } from '../../graph.ts'
import { placeIn } from '../../reading/field.ts'
import { type PackageAddress, type PorchRevision, type PorchVariant, porchRevisionNumber } from '../objects.ts'

/**
 * Reports PackageVariants that write one package, and packages inside packages: Porch reports both too late. Variants of two kpt packages,
 * none in the other, that write one package are a warning.
 */
export function checkDownstreams(variants: readonly PorchVariant[], revisions: readonly PorchRevision[]): Finding[] {
  const repositories = groupBy(variants.filter(hasDownstream), ({ downstream }) => `${downstream.namespace} ${downstream.repository}`)
  const existing = groupBy(revisions, ({ namespace, repository }) => `${namespace} ${repository}`)
  return [...repositories].flatMap(([key, group]) => [...duplicates(group), ...nested(group, existing.get(key) ?? [])])
}

/** Returns true for a variant with a name whose downstream is whole. What another one lacks is a fault of its own, `required`. */
function hasDownstream({ object, downstream }: PorchVariant): boolean {
  return (object.name ?? '') !== '' && isWhole(downstream)
}

function isWhole({ repository, package: path }: PackageAddress): boolean {
  return repository !== '' && path !== ''
}

/** Returns a finding for each variant that writes the package of an earlier one; first an earlier one that is applied with the variant. */
function duplicates(variants: readonly PorchVariant[]): Finding[] {
  const writers = new Map<string, PorchVariant[]>()
  return variants.flatMap((each) => {
    const earlier = writers.get(each.downstream.package) ?? []
    writers.set(each.downstream.package, earlier)
    const first = earlier.find((other) => !areApart(other, each)) ?? earlier[0]
    if (!earlier.some(({ root }) => root === each.root)) earlier.push(each)
    return first === undefined ? [] : [duplicate(each, first)]
  })
}

function duplicate(each: PorchVariant, first: PorchVariant): Finding {
  const place = placeIn(each.object, ['spec', 'downstream'], each.object.get(['spec', 'downstream']))
  const where = formatPlace(placeIn(first.object, ['spec', 'downstream']))
  const isApart = areApart(each, first)
  const [by, other] = [each, first].map(({ object, root }) => `${formatResourceRef(object.ref)}${isApart ? ` of the package ${root}` : ''}`)
  const message = `${by} writes ${describeAddress(each.downstream)}, as ${other} does (${where})${isApart ? '; apply one of the two packages' : ''}`
  const severity = isApart ? ({ severity: 'warning' } as const) : {}
  return { rule: 'downstream-duplicate', ...severity, message, place, tags: { ecosystem: 'kpt', package: each.downstream.package } }
}

/** Returns true for variants of two kpt packages, none in the other: such packages may be alternatives of which a cluster has one. */
function areApart(a: PorchVariant, b: PorchVariant): boolean {
  return a.root !== b.root && a.root !== '' && b.root !== ''
}

function nested(variants: readonly PorchVariant[], revisions: readonly PorchRevision[]): Finding[] {
  const paths = new Map<string, () => string>()
  for (const { package: path, object } of revisions) paths.set(path, () => describe(object, ['spec', 'packageName']))
  for (const { downstream, object } of variants) paths.set(downstream.package, () => describe(object, ['spec', 'downstream', 'package']))
  return variants.flatMap(({ object, downstream }) => {
    const outer = parentPaths(downstream.package).find((path) => paths.has(path))
    if (outer === undefined) return []
    const place = placeIn(object, ['spec', 'downstream', 'package'], downstream.package)
    const message = `${formatResourceRef(object.ref)} writes ${describeAddress(downstream)}, inside the package ${outer} of ${paths.get(outer)?.()}`
    return [{ rule: 'path-nested', message, place, tags: { ecosystem: 'kpt', package: downstream.package } }]
  })
}

function describe(object: KrmObject, path: FieldPath): string {
  return `${formatResourceRef(object.ref)} (${formatPlace(placeIn(object, path))})`
}

function parentPaths(path: string): string[] {
  const steps = path.split('/')
  return steps.slice(0, -1).map((_, i) => steps.slice(0, i + 1).join('/'))
}

/** Returns true if one path lies inside the other. Equal paths are one package and do not nest (Porch pkg/repository, paths overlap). */
export function pathsNest(a: string, b: string): boolean {
  return parentPaths(a).includes(b) || parentPaths(b).includes(a)
}

function describeAddress({ repository, package: path }: PackageAddress): string {
  return `${repository}/${path}`
}

/** The facts that decide which missing upstreams are faults. */
interface UpstreamSearch {
  /** True when items, catalogs and the cluster hold every package that exists. */
  readonly closed: boolean
  /** True when `render` makes the packages instead of Porch. */
  readonly isRendered: boolean
}

/** Returns the upstreams that are missing or not published, and the packages that derive from themselves. */
export function checkUpstreams(variants: readonly PorchVariant[], revisions: readonly PorchRevision[], search: UpstreamSearch): Finding[] {
  const byPackage = groupBy(revisions, addressKey)
  const repositories = new Set(revisions.map(({ namespace, repository }) => `${namespace} ${repository}`))
  const named = variants.filter(({ object, upstream }) => (object.name ?? '') !== '' && isWhole(upstream))
  const known = ({ upstream }: PorchVariant): boolean => search.closed || repositories.has(`${upstream.namespace} ${upstream.repository}`)
  return [
    ...named.filter(known).flatMap((each) => checkUpstream(each, byPackage.get(addressKey(each.upstream)) ?? [], search)),
    ...checkCycles(named.filter(hasDownstream)),
  ]
}

function checkUpstream(each: PorchVariant, revisions: readonly PorchRevision[], { isRendered }: UpstreamSearch): Finding[] {
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

function checkPublished(each: PorchVariant, wanted: readonly PorchRevision[]): Finding[] {
  const [first] = wanted
  const published = wanted.some(({ lifecycle }) => lifecycle === 'Published' || lifecycle === 'DeletionProposed')
  if (published || first === undefined) return []
  return [
    finding(each, 'upstream-not-published', [], `requires ${describeUpstream(each)}, which is ${first.lifecycle || 'of no lifecycle'}`),
  ]
}

// Porch v1.5 isValidUpstream: the number is set to -1, so the placeholder of the main branch is taken. `render` looks for the number.
function checkIgnored(each: PorchVariant): Finding[] {
  if (each.revision === undefined || each.workspaceName !== '' || porchRevisionNumber(each.revision) < 0) return []
  const message = `asks for revision ${each.revision} of ${describeAddress(each.upstream)}, which Porch ignores: set \`spec.upstream.workspaceName\``
  return [finding(each, 'upstream-revision-ignored', ['revision'], message)]
}

function checkCycles(variants: readonly PorchVariant[]): Finding[] {
  const byTarget = groupBy(variants, ({ downstream }) => addressKey(downstream))
  const graph = new Map([...byTarget].map(([key, group]) => [key, group.map(({ upstream }) => addressKey(upstream))]))
  const byDownstream = new Map(variants.map((each) => [addressKey(each.downstream), each]))
  return findCycles(graph).flatMap((cycle) => {
    const first = byDownstream.get(cycle[0] ?? '')
    const nameOf = (key: string) => key.split(' ').slice(1).join('/')
    if (first === undefined) return []
    // The variant that writes a package names its upstream.
    const placeOf = (key: string) => formatPlace(placeIn((byDownstream.get(key) ?? first).object, ['spec', 'upstream']))
    return [finding(first, 'upstream-cycle', [], `derives from itself: ${formatCycle(cycle, nameOf, placeOf)}`)]
  })
}

function addressKey({ namespace, repository, package: path }: PackageAddress): string {
  return `${namespace} ${repository} ${path}`
}

function describeUpstream({ upstream, workspaceName, revision }: PorchVariant): string {
  const which = workspaceName !== '' ? ` in workspace ${quote(workspaceName)}` : revision === undefined ? '' : ` at revision ${revision}`
  return `${describeAddress(upstream)}${which}`
}

function finding(each: PorchVariant, rule: Finding['rule'], field: readonly string[], message: string): Finding {
  const path = ['spec', 'upstream', ...field]
  const place = placeIn(each.object, path, each.object.get(path))
  const tags = { ecosystem: 'kpt', package: each.downstream.package, dependency: each.upstream.package }
  return { rule, message: `${formatResourceRef(each.object.ref)} ${message}`, place, tags }
}
