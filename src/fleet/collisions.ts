import { groupBy } from '../group-by.ts'
import { equalJson, type JsonValue } from '../json.ts'
import { isDns1123Subdomain } from '../kubernetes/names.ts'
import { formatResourceRef, type Result } from '../result.ts'
import { inLine } from '../wording.ts'
import { type Collision, describeClaim, describeField, tellCollisions, type VariantClaim } from './claim.ts'
import { downstreamKey, downstreamOf } from './downstream.ts'
import type { FleetObject } from './fleet.ts'

/** A variant that a set asks for, with its existing or future name. */
export interface NamedClaim extends VariantClaim {
  readonly name: string
  readonly isNew: boolean
}

/**
 * Returns an error for each two variants with one downstream and different specs: of two targets, of two sets, or of a set and of no set.
 * Porch's controller lets the last one win without a message (docs/porch.md 27). Two variants with equal specs give a warning.
 *
 * @param foreign  variants of the list that belong to no set of the list
 */
export function downstreamCollisions(claims: readonly VariantClaim[], foreign: readonly FleetObject[]): Result[] {
  const theirs = groupBy(foreign, (variant) => downstreamIn(variant.namespace, downstreamKey(downstreamOf(variant))))
  const ours = groupBy(claims, ({ namespace, variant }) => downstreamIn(namespace, downstreamKey(variant)))
  return tellCollisions(ofDownstreams(ours, theirs))
}

/** Returns the collisions of downstreams one by one, so that they are grouped while they are found. */
function* ofDownstreams(ours: Groups<VariantClaim>, theirs: ReadonlyMap<string, readonly FleetObject[]>): Generator<Collision> {
  for (const [key, [first, ...later]] of contested(ours, theirs)) {
    for (const variant of theirs.get(key) ?? []) {
      yield ofDownstream(first, variant.object.get(['spec']), () => describeForeign(variant))
    }
    for (const claim of later) yield ofDownstream(claim, first.variant.spec, () => describeOther(first, claim), first)
  }
}

/** Returns the groups of claims that can collide. Nearly all claims have a key of their own. */
function contested<C>(ours: Groups<C>, theirs: ReadonlyMap<string, unknown>): readonly (readonly [string, readonly [C, ...C[]]])[] {
  return [...ours].filter(([key, claims]) => claims.length > 1 || theirs.has(key))
}

type Groups<C> = ReadonlyMap<string, readonly [C, ...C[]]>

function downstreamIn(namespace: string, key: string): string {
  return `${namespace} ${key}`
}

/**
 * Returns the collision of a claim with a variant of the given spec.
 *
 * @param against  the other claim, if the variant is that of a claim
 */
function ofDownstream(claim: VariantClaim, spec: JsonValue | undefined, describe: () => string, against?: VariantClaim): Collision {
  return equalJson(claim.variant.spec, spec)
    ? {
        severity: 'warning',
        rule: 'duplicate-target',
        claim,
        against,
        message: () => `gives ${describeClaim(claim)} with the same spec as ${describe()}`,
      }
    : {
        severity: 'error',
        rule: 'target-collision',
        claim,
        against,
        message: () => `must not give ${describeClaim(claim)} with another spec than ${describe()}`,
      }
}

function describeOther(other: VariantClaim, claim: VariantClaim): string {
  const { object } = other.variant.place
  return `${describeField(other, claim)}${object === undefined ? '' : ` for ${object.kind} ${inLine(object.name)}`}`
}

function describeForeign({ object }: FleetObject): string {
  return `${formatResourceRef(object.ref)}, which belongs to no set of the list`
}

/**
 * Returns an error for each two variants with different downstreams and one name: identifiers that are joined or truncated to the same
 * text, or a name that a variant of no set already has (docs/porch.md 27, 29).
 * Example: the set `a` with `b-c/d` and with `b/c-d` gives `a-b-c-d` twice.
 */
export function nameCollisions(claims: readonly NamedClaim[], foreign: readonly FleetObject[]): Result[] {
  const theirs = new Map(foreign.map((variant) => [`${variant.namespace}/${variant.name}`, variant]))
  const ours = groupBy(claims, ({ namespace, name }) => `${namespace}/${name}`)
  const collisions = contested(ours, theirs).map(([key, [first, ...later]]) => {
    const taken = first.isNew ? theirs.get(key) : undefined
    return [
      ...(taken === undefined ? [] : [ofName(first, 'name-taken', () => describeTaken(taken))]),
      ...later.map((claim) => ({ ...ofName(claim, 'target-collision', () => describeNamed(first, claim)), against: first })),
    ]
  })
  return tellCollisions(collisions.flat())
}

function describeTaken({ object }: FleetObject): string {
  return `${formatResourceRef(object.ref)} has that name and belongs to no set of the list`
}

function describeNamed(first: NamedClaim, claim: NamedClaim): string {
  return `${describeField(first, claim)} gives that name to the variant of ${describeClaim(first)}`
}

function ofName(claim: NamedClaim, rule: string, describe: () => string): Collision {
  return {
    severity: 'error',
    rule,
    claim,
    message: () => `must not name the variant of ${describeClaim(claim)} '${inLine(claim.name)}': ${describe()}`,
  }
}

/** Returns an error for each new variant whose name an API server refuses (docs/porch.md 33). */
export function illegalNames(claims: readonly NamedClaim[]): Result[] {
  const illegal = claims.filter(({ isNew, name }) => isNew && !isDns1123Subdomain(name))
  return tellCollisions(
    illegal.map((claim) => ({
      severity: 'error',
      rule: 'variant-name',
      claim,
      message: () =>
        `must not name the variant of ${describeClaim(claim)} '${inLine(claim.name)}': a name has only a-z, 0-9, '-' and '.', and begins and ends with a letter or digit`,
    })),
  )
}
