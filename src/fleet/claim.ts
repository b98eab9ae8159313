import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { PackageVariantSet } from '../kinds/package-variant-set.ts'
import { formatResourceRef, type Result, type Severity } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { inLine, nameFirst } from '../wording.ts'
import type { RenderedVariant } from './render-variant.ts'

const NAMED_OTHERS = 3
const REFUSED = { reason: 'UnexpectedError' }

/** A variant that a set asks for, in the namespace of the set. */
export interface VariantClaim {
  readonly set: PackageVariantSet
  readonly namespace: string
  readonly variant: RenderedVariant
}

/** A claim that contradicts another claim or a variant of the list. */
export interface Collision {
  readonly severity: Exclude<Severity, 'info'>
  readonly rule: string
  readonly claim: VariantClaim
  /** The other claim, if a set of the list makes it. Collisions of the same two fields become one result. */
  readonly against?: VariantClaim | undefined
  /** Returns the message of the collision. Called only for the first of the collisions that become one result. */
  readonly message: () => string
}

/** Returns one result for all collisions of the same two fields. The message describes the first collision and names some of the others. */
export function tellCollisions(collisions: Iterable<Collision>): Result[] {
  const groups: Together[] = []
  const byRule = new Map<string, Map<number, Together>>()
  const number = numbering()
  for (const collision of collisions) {
    const { rule, claim, against } = collision
    const ofRule = byRule.get(rule) ?? new Map<number, Together>()
    byRule.set(rule, ofRule)
    const fields = number(claim.variant.place.path) * MOST_FIELDS + (against === undefined ? 0 : number(against.variant.place.path))
    const known = ofRule.get(fields)
    known?.others.push(claim)
    if (known !== undefined) continue
    const together = { first: collision, others: [] }
    ofRule.set(fields, together)
    groups.push(together)
  }
  return groups.map(tell)
}

/** The collisions of one result. Of all but the first only the claim is kept, since a run may have a million collisions. */
interface Together {
  readonly first: Collision
  readonly others: VariantClaim[]
}

function tell({ first: { severity, rule, claim, message }, others }: Together): Result {
  const more = others.length === 0 ? '' : `; the same with ${nameFirst(others, NAMED_OTHERS, describeClaim)}`
  const { path } = claim.variant.place
  return faultToResult(claim.set.object, { severity, rule, path, message: `${message()}${more}`, ...(severity === 'error' && REFUSED) })
}

/** A number higher than the number of fields in a list of the largest size. */
const MOST_FIELDS = 2 ** 26

/**
 * Returns a function that numbers fields from 1. The field of all claims of a target is the same object, so that fields are compared by
 * identity.
 */
function numbering(): (field: FieldPath) => number {
  const numbers = new Map<FieldPath, number>()
  return (field) => {
    const known = numbers.get(field)
    if (known !== undefined) return known
    numbers.set(field, numbers.size + 1)
    return numbers.size
  }
}

/** Returns a claim for messages: `edge-01/app`, with the matched object if the target matched one: `edge-01/app for Team a`. */
export function describeClaim({ variant: { repo, package: packageName, place } }: VariantClaim): string {
  const forWhom = place.object === undefined ? '' : ` for ${place.object.kind} ${inLine(place.object.name)}`
  return `${inLine(repo)}/${inLine(packageName)}${forWhom}`
}

/** Returns the field of a claim for messages, with the set of the claim if that is another set than that of the second claim. */
export function describeField(claim: VariantClaim, { set }: VariantClaim): string {
  const field = `\`${formatFieldPath(claim.variant.place.path)}\``
  return claim.set === set ? field : `${field} of ${formatResourceRef(claim.set.object.ref)}`
}
