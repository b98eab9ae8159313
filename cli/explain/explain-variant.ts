import { downstreamOf } from '../../src/fleet/downstream.ts'
import type { FleetObject } from '../../src/fleet/fleet.ts'
import { plannedVariants } from '../../src/fleet/planned-variants.ts'
import { describeRead } from '../../src/fleet/what-was-read.ts'
import { asRecord, type JsonValue } from '../../src/json.ts'
import { printable } from '../../src/printable.ts'
import { repositoryOf } from '../../src/render/disk/disk-places.ts'
import { FunctionError } from '../../src/result.ts'
import { leastDistanceFrom, nearestName } from '../../src/schema/nearest-name.ts'
import { PORCH_CONFIG_GROUP } from '../../src/well-known.ts'
import { nameFirst } from '../../src/wording.ts'
import { UsageError } from '../usage-error.ts'
import { explainPackage, packageText } from './explain-package.ts'
import { type ExplainAnswer, explainText, type Planned } from './explain-text.ts'
import { type Upstreams, wayTo } from './explain-way.ts'
import { explainByHand, explainChange, type VariantExplanation } from './explanation.ts'

interface Candidate {
  readonly names: readonly string[]
  /** REPO/PACKAGE of each downstream, as `render`, `rings` and `diff` name the variant. */
  readonly downstreams: readonly string[]
  readonly explain: () => VariantExplanation
}

/**
 * Explains the variant of a name, NAME or NAMESPACE/NAME; a renamed one by either name. If no variant has the name, explains the variant
 * whose package it names, REPO/PACKAGE.
 *
 * @param open  opens the upstream packages of the fleet, for a variant in a chain
 * @throws UsageError when there is none, or more than one
 */
export function explainVariant(name: string, planned: Planned, open: () => Upstreams): ExplainAnswer {
  const known = candidates(planned)
  const named = known.filter(({ names }) => names.includes(name))
  const [found, ...others] = named.length > 0 ? named : known.filter(({ downstreams }) => downstreams.includes(name))
  if (found === undefined) throw noVariant(name, known, planned)
  if (others.length > 0)
    throw new UsageError(
      `several variants are named '${name}':\n${[found, ...others].map(({ names: [full = ''] }) => `  ${printable(full)}`).join('\n')}`,
    )
  const explained = withWay(found.explain(), planned, open)
  const given = new Map(explained.fields.map(({ path, value }) => [path, value]))
  const made = explainPackage(`${explained.namespace}/${explained.name}`, planned.items, given)
  const view = made === undefined ? explained : { ...explained, package: made }
  return { view, text: (styles) => `${explainText(explained, styles)}${made === undefined ? '' : packageText(made, styles)}` }
}

/** Returns the explanation with the way of its chain; without the way if options are faulty, which `check` and `render` report. */
function withWay(explanation: VariantExplanation, { plan }: Planned, open: () => Upstreams): VariantExplanation {
  const { name, namespace, op } = explanation
  const planned = plannedVariants(plan)
  const variant = op === 'remove' ? undefined : planned.find((each) => each.name === name && each.namespace === namespace)
  try {
    const way = variant === undefined ? [] : wayTo(variant, planned, plan.fleet, open)
    return way.length === 0 ? explanation : { ...explanation, way }
  } catch (error) {
    if (error instanceof FunctionError) return explanation
    throw error
  }
}

/** Returns every variant of the asked clusters that exists or is planned, each with its names, the full name first. */
function candidates({ plan: { sets, fleet }, isAsked = () => true }: Planned): readonly Candidate[] {
  const changes = sets.flatMap((set) =>
    set.changes.map((change) => ({
      names: [change, ...(change.existing === undefined ? [] : [change.existing])].flatMap(namesOf),
      downstreams: [asRecord(change.after?.downstream), (change.existing && downstreamOf(change.existing)) ?? {}].flatMap(packageOf),
      explain: () => explainChange(change, set),
      object: change.existing?.object,
    })),
  )
  const owned = new Set(changes.map(({ object }) => object))
  const others = fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').filter(({ object }) => !owned.has(object))
  const written = others.map((variant) => ({
    names: namesOf(variant),
    downstreams: packageOf(downstreamOf(variant) ?? {}),
    explain: () => explainByHand(variant),
  }))
  return [...changes, ...written].filter(
    ({ downstreams }) => downstreams.length === 0 || downstreams.some((each) => isAsked(repositoryOf(each))),
  )
}

function packageOf({ repo, package: name }: { readonly repo?: JsonValue; readonly package?: JsonValue }): readonly string[] {
  return typeof repo === 'string' && typeof name === 'string' ? [`${repo}/${name}`] : []
}

function namesOf({ namespace, name }: Pick<FleetObject, 'namespace' | 'name'>): readonly string[] {
  return [`${namespace}/${name}`, name]
}

const LISTED = 20
const NAMED_VARIANTS = 5

function listFirst(names: readonly string[]): string {
  const more = names.length - LISTED
  return [...names.slice(0, LISTED), ...(more > 0 ? [`… and ${more} more`] : [])].map((name) => `  ${printable(name)}`).join('\n')
}

/** Names of variants are long: where none is near as a whole, one that begins so. */
function nearestVariant(name: string, known: readonly string[]): string | undefined {
  const whole = nearestName(name, known)
  if (whole !== undefined) return whole
  const beginnings = known.map((each) => each.slice(0, name.length))
  const nearest = nearestName(name, beginnings)
  return nearest === undefined ? undefined : known[beginnings.indexOf(nearest)]
}

function noVariant(name: string, known: readonly Candidate[], { plan, items }: Planned): UsageError {
  const parts = known.flatMap(({ names: [full = ''] }) => (full.includes(name) ? [full] : []))
  if (parts.length > 0) return new UsageError(`no variant '${name}', but with it in the name:\n${listFirst(parts)}`)
  const near = nearestVariant(name, [...new Set(known.flatMap(({ names, downstreams }) => [...names, ...downstreams]))])
  if (near !== undefined) return new UsageError(`no variant '${name}'; did you mean '${near}'?`)
  const distance = leastDistanceFrom(name)
  const names = known
    .map(({ names: all, downstreams }) => ({ full: all[0] ?? '', distance: Math.min(...[...all, ...downstreams].map(distance)) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ full }) => full)
  const there = names.length === 0 ? '' : `; the variants are ${nameFirst(names, NAMED_VARIANTS)}`
  const broken = plan.sets.filter(({ changes }) => changes.length === 0 && plan.results.some(({ severity }) => severity === 'error'))
  const faulty = broken.length === 0 ? '' : `; sets with errors have no variants to explain`
  return new UsageError(`no variant '${name}'${there}; read ${describeRead(items)}${faulty}`)
}
