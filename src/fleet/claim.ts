import { formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import type { PackageVariantSet } from '../kinds/package-variant-set.ts'
import { formatResourceRef, type Result, type Severity } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { nameFirst } from '../wording.ts'
import type { RenderedVariant } from './render-variant.ts'

const NAMED_OTHERS = 3
const REFUSED = { reason: 'UnexpectedError' }

/** A variant that a set wants, in the set's namespace. */
export interface Claim {
  readonly set: PackageVariantSet
  readonly namespace: string
  readonly variant: RenderedVariant
}

/** A claim that cannot be beside another. */
export interface Collision {
  readonly severity: Exclude<Severity, 'info'>
  readonly rule: string
  readonly claim: Claim
  /** The other one, where a set of the list wants it; collisions of the same two fields are told together. */
  readonly against?: Claim
  /** What is wrong, for people: asked of the first of those that are told together. */
  readonly message: () => string
}

/** One result for all collisions of the same two fields: it tells the first in full and names some of the others. */
export function tellCollisions(collisions: readonly Collision[]): Result[] {
  const number = numbering()
  const fieldOf = ({ set, variant }: Claim) => `${number(set)} ${number(variant.place.path)}`
  const groups = groupBy(
    collisions,
    ({ severity, rule, claim, against }) => `${severity} ${rule} ${fieldOf(claim)} ${against === undefined ? '' : fieldOf(against)}`,
  )
  return Array.from(groups.values(), ([{ severity, rule, claim, message }, ...others]) => {
    const more = others.length === 0 ? '' : `; the same with ${nameFirst(others, NAMED_OTHERS, (other) => describeClaim(other.claim))}`
    const { path } = claim.variant.place
    return faultToResult(claim.set.object, { severity, rule, path, message: `${message()}${more}`, ...(severity === 'error' && REFUSED) })
  })
}

/** A number for each object: sets and fields are the same objects in all claims, of which there are up to a million. */
function numbering(): (object: object) => number {
  const numbers = new Map<object, number>()
  return (object) => {
    const known = numbers.get(object) ?? numbers.size
    numbers.set(object, known)
    return known
  }
}

/** `edge-01/app`, and for whom when an object was matched: `edge-01/app for Team a`. */
export function describeClaim({ variant: { repo, package: packageName, place } }: Claim): string {
  return `${repo}/${packageName}${place.object === undefined ? '' : ` for ${place.object.kind} ${place.object.name}`}`
}

/** The field of another claim, with the set that it is in when that is another one. */
export function describeField(claim: Claim, { set }: Claim): string {
  const field = `\`${formatFieldPath(claim.variant.place.path)}\``
  return claim.set === set ? field : `${field} of ${formatResourceRef(claim.set.object.ref)}`
}
