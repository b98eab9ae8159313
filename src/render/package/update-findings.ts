import type { KptfileUpstream, UpdateStrategy } from '../../kinds/kptfile-upstream.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import { duplicateKeyResults } from '../../schema/document-faults.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { UpstreamOrigin } from '../../upstream/origin.ts'
import { kptfileKindFaults, shortCommit } from '../../upstream/upstream-faults.ts'
import { secondDocument } from '../../variant/list-packages.ts'

/** Returns the info that the sides of a merge were compared without their functions. */
export function comparedBefore(kptfile: KrmObject, ref: string): Result {
  const message = `must run here for an update to distinguish edits from values that functions wrote; that of revision ${quoteText(ref)} cannot, so the packages are compared before their functions ran`
  return faultToResult(kptfile, { severity: 'info', rule: 'compared-before-functions', path: ['pipeline'], message })
}

/** Returns an error if a published tag resolves to another commit than at the last update: a mistake or an attack. */
export function movedTag(
  kptfile: KrmObject,
  { upstreamLock }: KptfileUpstream,
  { ref, resolvedRef, commit, isPublished }: UpstreamOrigin,
): Result | undefined {
  const before = upstreamLock?.commit ?? ''
  const isNamed = upstreamLock?.ref === ref || upstreamLock?.ref === resolvedRef
  if (isPublished !== true || !isNamed || before === '' || commit === undefined || before === commit) return undefined
  const message = `must be the commit of tag ${quoteText(resolvedRef)}, which is ${shortCommit(commit)} now and was ${shortCommit(before)} when the package was made: a published tag must not move; \`allowMoved: true\` (--allow-moved) accepts the new commit`
  return faultToResult(kptfile, { severity: 'error', rule: 'upstream-moved', path: ['upstreamLock', 'git', 'commit'], message })
}

/**
 * Returns the error of an edited package: `fast-forward` requires a package without edits (kpt fastforward.go), and
 * `force-delete-replace` would remove every edit.
 */
export function editsInTheWay(kptfile: KrmObject, paths: readonly string[], strategy: UpdateStrategy): Result {
  const unless = strategy === 'fast-forward' ? '' : ' unless `discardEdits` (--discard-edits) is true'
  const message = `must not be '${strategy}' for a package that was changed since it was made${unless}, found changes in ${quoteNames(paths)}; 'resource-merge' keeps edits`
  return faultToResult(kptfile, { severity: 'error', rule: 'local-changes', path: ['upstream', 'updateStrategy'], message })
}

/** Returns the error of a package whose original revision is missing: edits cannot be distinguished from changes of the upstream. */
export function originalMissing(kptfile: KrmObject, { upstream, upstreamLock }: KptfileUpstream, reason = ''): Result {
  const path =
    upstreamLock !== undefined ? ['upstreamLock', 'git', 'ref'] : upstream !== undefined ? ['upstream', 'git', 'ref'] : ['upstream']
  const wanted =
    upstream === undefined && upstreamLock === undefined ? 'must be set' : reason.replace('an existing package', 'an existing revision')
  const message = `${wanted}; without the revision that the package was last brought to, edits cannot be distinguished from changes of the upstream`
  return faultToResult(kptfile, { severity: 'error', rule: 'original-missing', path, message })
}

/** Returns a finding with its file below `folder`, if the file is below the folder `from` of an upstream revision. */
export function placedBelow(result: Result, from: string, folder: string): Result {
  const place = `${from}/`
  if (result.file === undefined || !result.file.path.startsWith(place)) return result
  return { ...result, file: { ...result.file, path: `${folder}/${result.file.path.slice(place.length)}` } }
}

/** Returns the errors of a Kptfile that can be read. */
export function kptfileFaults([kptfile, second]: readonly KrmObject[], path: string, shown: string): readonly Result[] {
  const rule = 'kptfile'
  if (kptfile === undefined)
    return [{ severity: 'error', message: 'must hold a Kptfile, holds no map', file: { path: shown, index: 0 }, tags: { rule } }]
  if (second !== undefined) return [secondDocument(second)]
  return [...kptfileKindFaults(kptfile, 'a Kptfile'), ...(path === KPTFILE ? duplicateKeyResults([kptfile]) : [])]
}
