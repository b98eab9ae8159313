import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { equalJson } from '../json.ts'
import type { VariantSet } from '../kinds/variant-set.ts'
import { isDns1123Subdomain } from '../kubernetes/names.ts'
import { remember } from '../remember.ts'
import { formatResourceRef, type Result, type Severity } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { faultToResult } from '../schema/fault.ts'
import { inLine, nameFirst } from '../wording.ts'
import { downstreamKey, downstreamOf } from './downstream.ts'
import type { FleetObject } from './fleet.ts'
import { packageDefaultField } from './targets/unrolled-target.ts'
import { pathOf } from './templates/render-template.ts'
import type { RenderedVariant } from './templates/rendered-variant.ts'

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
  const keyOf = ({ namespace, variant }: VariantClaim): string => downstreamIn(namespace, downstreamKey(variant))
  if (foreign.length === 0 && areDifferent(claims, keyOf)) return []
  const theirs = groupBy(foreign, (variant) => downstreamIn(variant.namespace, downstreamKey(downstreamOf(variant))))
  return tellCollisions(ofDownstreams(groupBy(claims, keyOf), theirs))
}

/** Returns true if no two claims have one key, as nearly always: a group for each of thousands of claims takes several times as long. */
function areDifferent<C>(claims: readonly C[], keyOf: (claim: C) => string): boolean {
  const seen = new Set<string>()
  return claims.every((claim) => seen.size !== seen.add(keyOf(claim)).size)
}

/** Returns the collisions of downstreams one by one, so that they are grouped while they are found. */
function* ofDownstreams(ours: Groups<VariantClaim>, theirs: ReadonlyMap<string, readonly FleetObject[]>): Generator<Collision> {
  for (const [key, [first, ...later]] of contested(ours, theirs)) {
    for (const variant of theirs.get(key) ?? []) {
      const isSame = equalJson(first.variant.spec, variant.object.get(['spec']))
      yield ofDownstream(first, isSame, () => describeForeign(variant))
    }
    for (const claim of later) yield ofDownstream(claim, claim.variant.hasSpecOf(first.variant), () => describeOther(first, claim), first)
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

/** Returns the collision of a claim with a variant of the same downstream. */
function ofDownstream(claim: VariantClaim, isSame: boolean, describe: () => string, against?: VariantClaim): Collision {
  return isSame
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
  const forWhom = object === undefined ? '' : ` for ${object.kind} ${inLine(object.name)}`
  return `${describeField(other, claim)}${forWhom}${describeUpstream(other)}`
}

/** Returns the upstream of a claim for messages; '' for a set of one upstream. */
function describeUpstream({ set, variant }: VariantClaim): string {
  const { repo, package: packageName, revision, workspaceName = '' } = variant.place.upstream.upstream
  return set.upstreams.length === 1 ? '' : ` from upstream ${inLine(`${repo}/${packageName}@${revision ?? workspaceName}`)}`
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
  const keyOf = ({ namespace, name }: NamedClaim): string => `${namespace}/${name}`
  if (foreign.length === 0 && areDifferent(claims, keyOf)) return []
  const theirs = new Map(foreign.map((variant) => [`${variant.namespace}/${variant.name}`, variant]))
  const ours = groupBy(claims, keyOf)
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

function ofName(claim: NamedClaim, rule: RuleId, describe: () => string): Collision {
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
      at: illegalPart(claim),
      message: () =>
        `must not name the variant of ${describeClaim(claim)} '${inLine(claim.name)}': a name has only a-z, 0-9, '-' and '.', and begins and ends with a letter or digit`,
    })),
  )
}

/** Returns the field with the package of the upstream if the package has the characters that make the name illegal. */
function illegalPart({ set, variant: { place, package: packageName } }: NamedClaim): FieldPath | undefined {
  const isOfUpstream = place.template?.merged.downstream.package === undefined && /[^\w./-]/.test(packageName)
  return isOfUpstream ? packageDefaultField(place, set) : undefined
}

const NAMED_OTHERS = 3
const REFUSED = { reason: 'UnexpectedError' }

/** A variant that a set asks for, in the namespace of the set. */
interface VariantClaim {
  readonly set: VariantSet
  readonly namespace: string
  readonly variant: RenderedVariant
}

/** A claim that contradicts another claim or a variant of the list. */
interface Collision {
  readonly severity: Exclude<Severity, 'info'>
  readonly rule: RuleId
  readonly claim: VariantClaim
  /** The other claim, if a set of the list makes it. Collisions of the same two fields become one result. */
  readonly against?: VariantClaim | undefined
  /** The field to name, if that is not the field of the claim. */
  readonly at?: FieldPath | undefined
  /** Returns the message of the collision. Called only for the first of the collisions that become one result. */
  readonly message: () => string
}

/** Returns one result for all collisions of the same two fields. The message describes the first collision and names some of the others. */
function tellCollisions(collisions: Iterable<Collision>): Result[] {
  const groups: Together[] = []
  const byRule = new Map<RuleId, Map<FieldPath, Map<FieldPath | undefined, Together>>>()
  for (const collision of collisions) {
    const { rule, claim, against } = collision
    // The field of all claims of a target is the same object, so that fields are compared by identity.
    const ofRule = remember(byRule, rule, () => new Map<FieldPath, Map<FieldPath | undefined, Together>>())
    const ofField = remember(ofRule, fieldOf(claim, against), () => new Map<FieldPath | undefined, Together>())
    const other = against && fieldOf(against, claim)
    const known = ofField.get(other)
    known?.others.push(claim)
    if (known !== undefined) continue
    const together = { first: collision, others: [] }
    ofField.set(other, together)
    groups.push(together)
  }
  return groups.map(resultOf)
}

/** The collisions of one result. Of all but the first only the claim is kept, since a run may have a million collisions. */
interface Together {
  readonly first: Collision
  readonly others: VariantClaim[]
}

function resultOf({ first: { severity, rule, claim, against, at, message }, others }: Together): Result {
  const more = others.length === 0 ? '' : `; the same with ${nameFirst(others, NAMED_OTHERS, describeClaim)}`
  const path = at ?? fieldOf(claim, against)
  return faultToResult(claim.set.object, { severity, rule, path, message: `${message()}${more}`, ...(severity === 'error' && REFUSED) })
}

/** Returns a claim for messages: `edge-01/app`, with the matched object if the target matched one: `edge-01/app for Team a`. */
function describeClaim(claim: VariantClaim): string {
  const { repo, package: packageName, place } = claim.variant
  const forWhom = place.object === undefined ? '' : ` for ${place.object.kind} ${inLine(place.object.name)}`
  return `${inLine(repo)}/${inLine(packageName)}${forWhom}${describeUpstream(claim)}`
}

/** Returns the field of a claim for messages, with the set of the claim if that is another set than that of the second claim. */
function describeField(claim: VariantClaim, other: VariantClaim): string {
  const field = `\`${formatFieldPath(fieldOf(claim, other))}\``
  return claim.set === other.set ? field : `${field} of ${formatResourceRef(claim.set.object.ref)}`
}

const NOWHERE: FieldPath = []

/**
 * Returns the field that gives a claim its downstream: the name in an override; the upstream, if the other claim is that of another
 * upstream for the same object; else the target.
 */
function fieldOf(claim: VariantClaim, other: VariantClaim | undefined): FieldPath {
  const { set, variant } = claim
  const { place } = variant
  const { package: packageName, repo } = place.template?.merged.downstream ?? {}
  for (const computed of [packageName, repo]) {
    const path = computed === undefined ? NOWHERE : pathOf(computed)
    if (path[1] === 'overrides') return path
  }
  const isSamePlace = other?.set === set && other.variant.place.path === place.path && other.variant.place.object === place.object
  const { upstream } = place.upstream
  return isSamePlace && set.upstreams.length > 1 && upstream.object === set.object ? upstream.path : place.path
}
