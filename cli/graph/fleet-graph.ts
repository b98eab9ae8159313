import type { RequiredPackage } from '../../src/dependencies/check-objects.ts'
import { listNames, listSome } from '../../src/dependencies/finding.ts'
import { compareText } from '../../src/field-path.ts'
import { downstreamOf, type VariantDownstream } from '../../src/fleet/downstream.ts'
import { criteriaKind, type FleetObject } from '../../src/fleet/fleet.ts'
import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { isRecord, type JsonValue, lookup, memberOf, scalarText } from '../../src/json.ts'
import type { Target } from '../../src/kinds/target.ts'
import { formatSelector } from '../../src/kubernetes/label-selector.ts'
import { PORCH_CONFIG_GROUP } from '../../src/well-known.ts'
import { countOf } from '../../src/wording.ts'

/** The objects of a fleet as nodes, and their derivation as edges. */
export interface FleetGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  /** The rings of matrices, each a column of variants, in their order of trust. */
  readonly rings: readonly GraphRing[]
}

type GraphPart = Pick<FleetGraph, 'nodes' | 'edges'>

export interface GraphRing {
  readonly id: string
  readonly label: string
  /** The column: 0 for the first ring of a matrix. */
  readonly column: number
}

export interface GraphNode {
  readonly id: string
  /** `missing`: a package that is required and not installed. */
  readonly type: 'package' | 'set' | 'target' | 'variant' | 'dependency' | 'missing'
  readonly label: string
  /** The node that a variant derives from, and the labels of the object that the variant is made for. */
  readonly parent?: string
  /** The id of the ring of a variant. */
  readonly ring?: string
  readonly labels?: ReadonlyMap<string, string>
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  /** The revision or range; '' for none. */
  readonly label: string
}

/** A variant that will be there: of a set, or made by hand. */
interface Variant {
  readonly node: GraphNode
  readonly namespace: string
  readonly upstream: JsonValue | undefined
  readonly downstream: VariantDownstream
}

/**
 * Returns the graph of a fleet: upstream packages → sets → targets → variants → the packages that further sets derive from, and the
 * packages that packages require.
 *
 * @param isAsked  returns true for the repositories whose variants are drawn
 */
export function fleetGraph(
  plan: FleetPlan,
  required: readonly RequiredPackage[],
  isAsked: (repository: string) => boolean = () => true,
): FleetGraph {
  const isDrawn = ({ downstream }: Variant) => isAsked(downstream.repo)
  const ofSets = plan.sets.flatMap(setVariants).filter(isDrawn)
  const loose = looseVariants(plan).filter(isDrawn)
  const parts = [...plan.sets.map(setPart), ...loose.map(loosePart), ...requirementParts(required)]
  const variants = [...ofSets, ...loose]
  const nodes = [...parts.flatMap((part) => part.nodes), ...variants.map(({ node }) => node)]
  const known = new Map(nodes.map((node) => [node.id, node]))
  const edges = [...parts.flatMap((part) => part.edges), ...variants.flatMap((variant) => variantEdges(variant, known))]
  const used = new Set(variants.flatMap(({ node }) => node.ring ?? []))
  const rings = plan.sets.flatMap(ringsOf).filter(({ id }) => used.has(id))
  return {
    nodes: [...known.values()],
    edges: [...new Map(edges.map((edge) => [JSON.stringify([edge.from, edge.to]), edge])).values()],
    rings,
  }
}

function ringsOf(plan: SetPlan): readonly GraphRing[] {
  const rings = plan.set?.rings ?? []
  return rings.map(({ name }, column) => ({ id: ringId(plan, name), label: `ring ${name}`, column }))
}

function ringId(plan: SetPlan, ring: string): string {
  return `${setId(plan)} ring ${ring}`
}

function setId({ owner }: SetPlan): string {
  return `set ${owner.namespace}/${owner.name}`
}

/** Returns a set with its upstreams and its targets. A set with faults has no edges. */
function setPart(plan: SetPlan): GraphPart {
  const { owner, set } = plan
  const id = setId(plan)
  const node: GraphNode = { id, type: 'set', label: `${owner.namespace}/${owner.name}` }
  if (set === undefined) return { nodes: [node], edges: [] }
  const upstreams = set.upstreams.map(({ repo, package: name, written }) => ({ node: packageNode(owner.namespace, repo, name), written }))
  const targets = set.targets.map((target, index): GraphNode => ({ id: `${id} ${index}`, type: 'target', label: nameTarget(target) }))
  return {
    nodes: [...upstreams.map((upstream) => upstream.node), node, ...targets],
    edges: [
      ...upstreams.map((upstream) => ({ from: upstream.node.id, to: id, label: revisionOf(upstream.written) })),
      ...targets.map((target) => ({ from: id, to: target.id, label: '' })),
    ],
  }
}

function nameTarget({ criteria }: Target): string {
  if (criteria.type === 'repositories') return countOf(criteria.repositories.length, 'listed repository')
  const selector = formatSelector(criteria.selector)
  return `${criteriaKind(criteria).kind}: ${selector === '' ? 'all' : selector}`
}

function setVariants(plan: SetPlan): readonly Variant[] {
  return plan.changes.flatMap(({ name, namespace, why, after }) => {
    if (why === undefined || after === undefined) return []
    const { target, object, ring } = why.place
    const parent = `${setId(plan)} ${plan.set?.targets.indexOf(target)}`
    const labels = object?.labels ?? labelsOf(after)
    const own = ring && { ring: ringId(plan, ring.name) }
    const node: GraphNode = { id: `variant ${namespace}/${name}`, type: 'variant', label: name, parent, labels, ...own }
    return [{ node, namespace, upstream: undefined, downstream: why }]
  })
}

function labelsOf(spec: JsonValue): ReadonlyMap<string, string> {
  const labels = isRecord(spec) ? lookup(spec, 'labels') : undefined
  return new Map(isRecord(labels) ? Object.entries(labels).map(([key, value]) => [key, String(value)]) : [])
}

/** Variants that no set asks for and none will remove. */
function looseVariants({ sets, fleet }: FleetPlan): readonly Variant[] {
  const known = new Set(sets.flatMap(({ changes }) => changes.flatMap(({ existing }) => existing?.object ?? [])))
  return fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').flatMap((variant) => {
    const downstream = downstreamOf(variant)
    return known.has(variant.object) || downstream === undefined ? [] : [looseVariant(variant, downstream)]
  })
}

function looseVariant({ namespace, name, object, labels }: FleetObject, downstream: VariantDownstream): Variant {
  const upstream = object.get(['spec', 'upstream'])
  const { id } = upstreamNode(namespace, upstream)
  const node: GraphNode = { id: `variant ${namespace}/${name}`, type: 'variant', label: name, parent: id, labels }
  return { node, namespace, upstream, downstream }
}

function loosePart({ namespace, upstream }: Variant): GraphPart {
  return { nodes: [upstreamNode(namespace, upstream)], edges: [] }
}

function upstreamNode(namespace: string, upstream: JsonValue | undefined): GraphNode {
  return packageNode(namespace, scalarText(memberOf(upstream, 'repo')), scalarText(memberOf(upstream, 'package')))
}

function packageNode(namespace: string, repo: string, packageName: string): GraphNode {
  return { id: `package ${namespace}/${repo}/${packageName}`, type: 'package', label: `${repo}/${packageName}` }
}

/**
 * Returns the edge from a variant's parent, and the edge to the package that the variant makes, if another node derives from that package.
 */
function variantEdges({ node, namespace, upstream, downstream }: Variant, known: ReadonlyMap<string, GraphNode>): readonly GraphEdge[] {
  const made = packageNode(namespace, downstream.repo, downstream.package).id
  return [
    { from: node.parent ?? '', to: node.id, label: upstream === undefined ? '' : revisionOf(upstream) },
    ...(known.has(made) ? [{ from: node.id, to: made, label: '' }] : []),
  ]
}

function revisionOf(upstream: JsonValue): string {
  return scalarText(memberOf(upstream, 'revision') ?? memberOf(upstream, 'workspaceName'))
}

/**
 * Returns the packages that packages require, each once. Where clusters differ, a node names the clusters that it stands for: a package may
 * be installed on one and missing on another.
 */
function requirementParts(required: readonly RequiredPackage[]): readonly GraphPart[] {
  const names = [...new Set(required.flatMap(({ cluster }) => cluster ?? []))].sort(compareText)
  const nodes = new Map<string, { readonly node: GraphNode; readonly clusters: Set<string> }>()
  const noted = (ecosystem: string, name: string, { cluster }: RequiredPackage, type: 'dependency' | 'missing'): GraphNode => {
    const id = `${ecosystem} ${name}${type === 'missing' ? ' missing' : ''}`
    const found = nodes.get(id) ?? { node: { id, type, label: name }, clusters: new Set() }
    if (cluster !== undefined) found.clusters.add(cluster)
    nodes.set(id, found)
    return found.node
  }
  const edges = required.map((each) => {
    const from = noted(each.ecosystem, each.from, each, 'dependency')
    const to = noted(each.ecosystem, each.to, each, each.isInstalled ? 'dependency' : 'missing')
    return { from: from.id, to: to.id, label: each.range }
  })
  const labelled = [...nodes.values()].map(({ node, clusters }) => {
    const on = clusters.size === names.length ? '' : `\non ${listNames(listSome([...clusters].sort(compareText)))}`
    return { ...node, label: `${node.label}${on}` }
  })
  return [{ nodes: labelled, edges }]
}
