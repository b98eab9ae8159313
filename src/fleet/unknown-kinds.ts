import { SERVED_KINDS } from '../kubernetes/served-kinds.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteNames, quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { nearestName } from '../schema/nearest-name.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'

const KINDS = Object.entries(SERVED_KINDS)
  .filter(([apiVersion]) => groupOf(apiVersion) === PORCH_CONFIG_GROUP)
  .flatMap(([, { namespaced }]) => namespaced)
const KNOWN: ReadonlySet<string> = new Set(KINDS.flatMap((kind) => [kind, `${kind}List`]))
const NAMES = [...new Set(KINDS)].sort()

/** A warning for each item of Porch's group whose kind is none of it but near one: a slip that would hide a set from fan-out. */
export function unknownKindWarnings(items: readonly KrmObject[]): Result[] {
  return items.filter(isOfUnknownKind).flatMap((object) => {
    const { kind = '' } = object
    const nearest = nearestName(kind, NAMES)
    return nearest === undefined ? [] : [unknownKind(object, kind, nearest)]
  })
}

function isOfUnknownKind({ apiVersion = '', kind = '' }: KrmObject): boolean {
  return groupOf(apiVersion) === PORCH_CONFIG_GROUP && !KNOWN.has(kind)
}

function unknownKind(object: KrmObject, kind: string, nearest: string): Result {
  return faultToResult(object, {
    severity: 'warning',
    rule: 'unknown-kind',
    path: ['kind'],
    message: `must be a kind of ${PORCH_CONFIG_GROUP}, one of ${quoteNames(NAMES)}, got ${quoteText(kind)}, which fan-out passes over; did you mean '${nearest}'?`,
    proposedValue: nearest,
  })
}
