import type { UpdateStrategy } from '../../kinds/kptfile-upstream.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { type UpstreamOrigin, writeOrigin } from '../origin.ts'
import type { CloneFlavour } from './flavour.ts'
import { dropMergeComment, markUpstream } from './upstream-mark.ts'

/** What a clone is called, and where it comes from. */
export interface CloneTarget {
  readonly name: string
  readonly origin: UpstreamOrigin
  readonly updateStrategy: UpdateStrategy
}

/** The apiVersion of a Kptfile that kpt and Porch read. */
export const KPTFILE_VERSION = 'kpt.dev/v1'

/**
 * Makes the Kptfile of an upstream package that of its clone. Comments, and fields that nobody here knows, stay.
 *
 * @throws FunctionError  when it is no Kptfile that kpt reads
 */
export function cloneKptfile(kptfile: KrmObject, { name, origin, updateStrategy }: CloneTarget, flavour: CloneFlavour): void {
  refuseOtherKind(kptfile)
  kptfile.set(['metadata', 'name'], name)
  if (flavour === 'kpt') kptfile.delete(['metadata', 'namespace'])
  setOrigin(kptfile, origin, updateStrategy, flavour)
  dropMergeComment(kptfile)
  if (flavour === 'porch') markUpstream(kptfile)
}

/** Writes where a package comes from; a lock that no longer holds goes. */
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
