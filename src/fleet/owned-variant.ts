import { type JsonValue, memberOf } from '../json.ts'
import { downstreamFrom, downstreamKey } from './downstream.ts'
import type { FleetObject } from './fleet.ts'

/** A variant of the list that a set owns. Its fields are read once, since a fleet has many variants. */
export interface OwnedVariant {
  readonly variant: FleetObject
  readonly spec: JsonValue | undefined
  /** The key of `downstreamKey`: '' if the variant names no downstream. */
  readonly downstream: string
}

/**
 * Returns a variant with its spec and downstream.
 *
 * @throws FunctionError  if `spec` contains an alias
 */
export function readOwned(variant: FleetObject): OwnedVariant {
  const spec = variant.object.get(['spec'])
  const downstream = memberOf(spec, 'downstream')
  return { variant, spec, downstream: downstreamKey(downstreamFrom(memberOf(downstream, 'repo'), memberOf(downstream, 'package'))) }
}
