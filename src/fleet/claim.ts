import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { PackageVariantSet } from '../kinds/package-variant-set.ts'
import { formatResourceRef, type Result, type Severity } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { inLine, nameFirst } from '../wording.ts'
import type { RenderedVariant } from './render-variant.ts'

const NAMED_OTHERS = 3
const REFUSED = { reason: 'UnexpectedError' }

/** A variant that a set wants, in the set's namespace. */
export interface VariantClaim {
  readonly set: PackageVariantSet
  readonly namespace: string
  readonly variant: RenderedVariant
}

/** A claim that cannot be beside another. */
export interface Collision {
  readonly severity: Exclude<Severity, 'info'>
  readonly rule: string
  readonly claim: VariantClaim
  /** The other one, where a set of the list wants it; collisions of the same two fields are told together. */
  readonly against?: VariantClaim | undefined
  /** What is wrong, for people: asked of the first of those that are told together. */
  readonly message: () => string
}

/** One result for all collisions of the same two fields: it tells the first in full and names some of the others. */
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

/** Those that are told as one; of all but the first nothing is kept but the claim, since there are up to a million. */
interface Together {
  readonly first: Collision
  readonly others: VariantClaim[]
}

function tell({ first: { severity, rule, claim, message }, others }: Together): Result {
  const more = others.length === 0 ? '' : `; the same with ${nameFirst(others, NAMED_OTHERS, describeClaim)}`
  const { path } = claim.variant.place
  return faultToResult(claim.set.object, { severity, rule, path, message: `${message()}${more}`, ...(severity === 'error' && REFUSED) })
}

/** More fields than a list of the largest size has room for. */
const MOST_FIELDS = 2 ** 26

/** A number for each field, from 1: fields are the same objects in all claims. */
function numbering(): (field: FieldPath) => number {
  const numbers = new Map<FieldPath, number>()
  return (field) => {
    const known = numbers.get(field)
    if (known !== undefined) return known
    numbers.set(field, numbers.size + 1)
    return numbers.size
  }
}

/** `edge-01/app`, and for whom when an object was matched: `edge-01/app for Team a`. */
export function describeClaim({ variant: { repo, package: packageName, place } }: VariantClaim): string {
  const forWhom = place.object === undefined ? '' : ` for ${place.object.kind} ${inLine(place.object.name)}`
  return `${inLine(repo)}/${inLine(packageName)}${forWhom}`
}

/** The field of another claim, with the set that it is in when that is another one. */
export function describeField(claim: VariantClaim, { set }: VariantClaim): string {
  const field = `\`${formatFieldPath(claim.variant.place.path)}\``
  return claim.set === set ? field : `${field} of ${formatResourceRef(claim.set.object.ref)}`
}
