import { versionOf } from '../kubernetes/kinds.ts'
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

/** What only Porch has, so that another group can only be a slip. */
const OWN_KINDS: readonly string[] = ['PackageVariantSet', 'PackageVariant']

/** A warning for each item that is nearly of a kind of Porch, but not: a slip that would hide a set from fan-out. */
export function unknownKindWarnings(items: readonly KrmObject[]): Result[] {
  return items.flatMap((object) => {
    const meant = nearKind(object)
    if (meant === undefined) return []
    return [isOfGroup(object) ? unknownKind(object, meant) : otherGroup(object, meant)]
  })
}

/** The kind of Porch's group that an object most likely was meant to be of; undefined for one that is of it, and for all others. */
export function nearKind(object: KrmObject): string | undefined {
  const { kind = '' } = object
  if (isOfGroup(object)) return KNOWN.has(kind) ? undefined : nearestName(kind, NAMES)
  return OWN_KINDS.find((own) => own === kind)
}

function isOfGroup({ apiVersion = '' }: KrmObject): boolean {
  return groupOf(apiVersion) === PORCH_CONFIG_GROUP
}

function unknownKind(object: KrmObject, meant: string): Result {
  return faultToResult(object, {
    severity: 'warning',
    rule: 'unknown-kind',
    path: ['kind'],
    message: `must be a kind of ${PORCH_CONFIG_GROUP}, one of ${quoteNames(NAMES)}, got ${quoteText(object.kind ?? '')}, which fan-out passes over; did you mean '${meant}'?`,
    proposedValue: meant,
  })
}

function otherGroup(object: KrmObject, meant: string): Result {
  const { apiVersion = '' } = object
  return faultToResult(object, {
    severity: 'warning',
    rule: 'unknown-kind',
    path: ['apiVersion'],
    message: `must be of the group ${PORCH_CONFIG_GROUP} for a ${meant}, got ${quoteText(apiVersion)}, which fan-out passes over`,
    proposedValue: `${PORCH_CONFIG_GROUP}/${versionOf(apiVersion)}`,
  })
}
