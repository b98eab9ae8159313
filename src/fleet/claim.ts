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
  /** The field of the other one; collisions of the same two fields are told together. */
  readonly against: string
  /** What is wrong, for people. */
  readonly message: string
  /** What collides, when it is not the first of its kind. */
  readonly subject: string
}

/** One result for all collisions of the same two fields: it tells the first in full and names some of the others. */
export function tellCollisions(collisions: readonly Collision[]): Result[] {
  const groups = groupBy(collisions, ({ severity, rule, claim, against }) =>
    JSON.stringify([severity, rule, formatResourceRef(claim.set.object.ref), formatFieldPath(claim.variant.place.path), against]),
  )
  return Array.from(groups.values(), ([{ severity, rule, claim, message }, ...others]) => {
    const subjects = others.map(({ subject }) => subject)
    const more = subjects.length === 0 ? '' : `; the same with ${nameFirst(subjects, NAMED_OTHERS)}`
    const { path } = claim.variant.place
    return faultToResult(claim.set.object, { severity, rule, path, message: `${message}${more}`, ...(severity === 'error' && REFUSED) })
  })
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
