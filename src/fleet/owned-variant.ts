import { type JsonValue, memberOf } from '../json.ts'
import { downstreamFrom, downstreamKey } from './downstream.ts'
import type { FleetObject } from './fleet.ts'

/** A variant that a set owns, as it stands in the list: read once, since a fleet has many of them. */
export interface OwnedVariant {
  readonly variant: FleetObject
  readonly spec: JsonValue | undefined
  /** As `downstreamKey` prints it: '' for one that says no downstream. */
  readonly downstream: string
}

/** @throws FunctionError  when `spec` holds an alias */
export function readOwned(variant: FleetObject): OwnedVariant {
  const spec = variant.object.get(['spec'])
  const downstream = memberOf(spec, 'downstream')
  return { variant, spec, downstream: downstreamKey(downstreamFrom(memberOf(downstream, 'repo'), memberOf(downstream, 'package'))) }
}
