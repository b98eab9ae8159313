import type { UpdateStrategy } from '../../kinds/kptfile-upstream.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { type UpstreamOrigin, writeOrigin } from '../origin.ts'
import type { CloneFlavour } from './flavour.ts'
import { dropMergeComment, markUpstream } from './upstream-mark.ts'

/** The name, origin and update strategy of a clone. */
export interface CloneTarget {
  readonly name: string
  readonly origin: UpstreamOrigin
  readonly updateStrategy: UpdateStrategy
}

/** The apiVersion of a Kptfile that kpt and Porch read. */
export const KPTFILE_VERSION = 'kpt.dev/v1'

/**
 * Turns the Kptfile of an upstream package into that of its clone. Comments and unknown fields stay.
 *
 * @throws FunctionError  when the kind is not Kptfile or the apiVersion is not kpt.dev/v1
 */
export function cloneKptfile(kptfile: KrmObject, { name, origin, updateStrategy }: CloneTarget, flavour: CloneFlavour): void {
  refuseOtherKind(kptfile)
  kptfile.set(['metadata', 'name'], name)
  if (flavour === 'kpt') kptfile.delete(['metadata', 'namespace'])
  setOrigin(kptfile, origin, updateStrategy, flavour)
  dropMergeComment(kptfile)
  if (flavour === 'porch') markUpstream(kptfile)
}

/** Writes the upstream of a package, and the lock if the commit is known; else removes the lock. */
export function setOrigin(kptfile: KrmObject, origin: UpstreamOrigin, updateStrategy: UpdateStrategy, flavour: CloneFlavour): void {
  const { upstream, upstreamLock } = writeOrigin(origin, flavour, updateStrategy)
  kptfile.set(['upstream'], upstream)
  if (upstreamLock === undefined) kptfile.delete(['upstreamLock'])
  else kptfile.set(['upstreamLock'], upstreamLock)
}

function refuseOtherKind(kptfile: KrmObject): void {
  const { apiVersion = '', kind = '' } = kptfile
  if (kind === 'Kptfile' && apiVersion === KPTFILE_VERSION) return
  const [path, allowed, found] =
    kind === 'Kptfile' ? (['apiVersion', KPTFILE_VERSION, apiVersion] as const) : (['kind', 'Kptfile', kind] as const)
  const message = `must be '${allowed}' in the Kptfile of an upstream package, got ${quoteText(found)}`
  throw new FunctionError([faultToResult(kptfile, { severity: 'error', rule: 'kptfile', path: [path], message })])
}
