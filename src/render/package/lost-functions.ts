import { asRecord, type JsonRecord, lookup } from '../../json.ts'
import { kptfileEntries, PIPELINE_LISTS } from '../../kinds/kptfile.ts'
import { readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import { UPSTREAM_PATH } from '../../kinds/upstream-rules.ts'
import { objectsIn, type PackageFiles } from '../../merge/package-files.ts'
import { pairFunctions } from '../../merge/pair-functions.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { quoteNames, quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { UpstreamLibrary } from '../../upstream/upstream-library.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { revisionChange } from './update-package.ts'

/** Two upstream revisions, the package between them, and the variant of the package. */
interface Revisions {
  readonly base: PackageFiles
  readonly theirs: PackageFiles
  readonly ours: PackageFiles
  readonly variant: KrmObject
  /** The names of the revisions, for messages. */
  readonly refs: { readonly base: string; readonly theirs: string }
}

/**
 * Returns the findings about functions that an update takes from a package because the new revision has no functions at all. A revision
 * that lost its Kptfile is an error, since no person removes a Kptfile to remove functions; a Kptfile without functions is a warning. One
 * function less is a change like any other.
 */
export function lostFunctions(revisions: Revisions): readonly Result[] {
  const { base, theirs, ours } = revisions
  const kptfiles = [...base.keys()].filter((path) => isKptfile(path) && ours.has(path))
  return kptfiles.flatMap((path) => {
    const [before, after, own] = [base, theirs, ours].map((files) => objectsIn(files.get(path))[0])
    if (before === undefined || own === undefined || (after !== undefined && functionsOf(after).length > 0)) return []
    const lost = Object.values(PIPELINE_LISTS).flatMap((list) => {
      const [made, there] = [kptfileEntries(before, list), kptfileEntries(own, list)]
      const pairs = pairFunctions({ base: made, theirs: undefined, ours: there })
      return pairs.flatMap((pair) => (pair.base === undefined || pair.ours === undefined ? [] : (made[pair.base] ?? [])))
    })
    if (lost.length === 0) return []
    const names = quoteNames([...new Set(lost.map((fn) => shortName(asRecord(fn))))])
    if (after !== undefined) return [functionsGone(after, names, revisions)]
    return path === KPTFILE ? [kptfileGone(names, revisions)] : []
  })
}

/**
 * Returns the findings about functions that updating a package to the revision of its variant would take from it; none for a package that
 * stays at its revision, or whose revision is not at hand.
 *
 * @param variant  decodes the variant
 * @param read     reads the files of the package
 */
export function functionsToLose(
  kptfile: KrmObject | undefined,
  {
    variant,
    upstream,
    read,
  }: { readonly variant: () => PackageVariant; readonly upstream: UpstreamRevision; readonly read: () => PackageFiles },
  upstreams: UpstreamLibrary,
): readonly Result[] {
  if (kptfile === undefined) return []
  const { value: written, faults } = readKptfileUpstream(kptfile)
  if (faults.length > 0 || revisionChange(written, upstream.origin) !== 'merged') return []
  const whole = variant()
  const original = upstreams.original(written, whole)
  if (original === undefined || 'fault' in original || original.revision.source.faults.length > 0) return []
  const { origin, source } = original.revision
  const refs = { base: origin.ref, theirs: upstream.origin.ref }
  return lostFunctions({ base: source.files, theirs: upstream.source.files, ours: read(), variant: whole.object, refs })
}

function functionsOf(kptfile: KrmObject): readonly JsonRecord[] {
  return Object.values(PIPELINE_LISTS).flatMap((list) => kptfileEntries(kptfile, list))
}

/** Returns the name of a function in messages: its own, else the last part of its image or its program. */
function shortName(fn: JsonRecord): string {
  const text = ['name', 'image', 'exec'].map((key) => lookup(fn, key)).find((value) => typeof value === 'string')
  return typeof text === 'string' ? text.replace(/^.*\//, '') : ''
}

function functionsGone(kptfile: KrmObject, names: string, { refs }: Revisions): Result {
  const place = kptfile.get(['pipeline']) === undefined ? ['kind'] : ['pipeline']
  const message = `has no functions in revision ${quoteText(refs.theirs)}, and has ${names} in ${quoteText(refs.base)}: packages that are updated lose these, and what people changed in them`
  return faultToResult(kptfile, { severity: 'warning', rule: 'functions-gone', path: ['pipeline'], place, message })
}

function kptfileGone(names: string, { variant, refs }: Revisions): Result {
  const message = `must name a revision with a Kptfile, as ${quoteText(refs.base)} is: in ${quoteText(refs.theirs)} the Kptfile is missing, and the package would lose its functions ${names}; bring the Kptfile back, or remove the functions from the Kptfile of the package first`
  return faultToResult(variant, { severity: 'error', rule: 'upstream-no-package', path: UPSTREAM_PATH, message })
}
