import { posix } from 'node:path'
import { plannedVariants, upstreamOfPlanned } from '../../src/fleet/planned-variants.ts'
import { compareRevisionNames } from '../../src/fleet/releases/ring-revisions.ts'
import { definedEntries } from '../../src/group-by.ts'
import { type GitRevision, readKptfileUpstream } from '../../src/kinds/kptfile-upstream.ts'
import { printable } from '../../src/printable.ts'
import { isCarried } from '../../src/render/package/subpackage-revisions.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { folderOf, KPTFILE } from '../../src/resource-list/package-of.ts'
import type { Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { bareFolder } from '../../src/upstream/origin.ts'
import type { UpstreamLibrary } from '../../src/upstream/upstream-library.ts'
import { VARIANT_ANNOTATION } from '../../src/well-known.ts'
import type { RingFleet } from '../rings/read-rings.ts'

/** A subpackage in the package of a variant. */
export interface Subpackage {
  readonly kptfile: KrmObject
  /** NAMESPACE/NAME of the variant. */
  readonly owner: string
  /** The path of the subpackage in the package: `sub/net`. */
  readonly path: string
}

/** A subpackage whose own upstream has a newer revision than the one that its Kptfile asks for. */
export interface OutdatedSubpackage {
  readonly kptfile: KrmObject
  /** The upstream that the Kptfile names: `upstream`, else `upstreamLock`. */
  readonly at: GitRevision
  /** The ref of the newer revision, in the form of the present one: `net/v2` for `net/v1`. */
  readonly to: string
  readonly result: Result
}

/**
 * Returns each subpackage with an upstream of its own in the package of a variant of which that upstream has a newer revision. No set
 * names such an upstream. A subpackage that upstream's package has at the same revision comes with its updates.
 */
export function subpackagesBehind({ plan, reading, outside }: RingFleet, library: UpstreamLibrary): readonly OutdatedSubpackage[] {
  const kptfiles = [...reading.read.list.items.filter(({ kind, file }) => kind === KPTFILE && file !== undefined), ...outside]
  const variants = new Map(plannedVariants(plan).map((variant) => [`${variant.namespace}/${variant.name}`, variant]))
  return subpackagesAmong(kptfiles).flatMap((subpackage) => {
    const { kptfile, owner, path } = subpackage
    const variant = variants.get(owner)
    const { upstream, upstreamLock } = readKptfileUpstream(kptfile).value
    const at = upstream ?? upstreamLock
    if (variant === undefined || at === undefined) return []
    const found = library.wanted({ upstream: upstreamOfPlanned(variant), namespace: variant.namespace })
    if (!('revision' in found) || isCarried(kptfile, path, found.revision.source.files)) return []
    const newer = newerThan(at, variant.namespace, library)
    if (newer === undefined) return []
    const to = `${at.ref.slice(0, at.ref.lastIndexOf('/') + 1)}${newer.revision}`
    const message = `is ${quoteText(at.ref)}, and ${printable(`${newer.name} has ${newer.revision}`)}: \`outdated --write\` asks for it here, and \`render\` then brings it`
    const field = upstream === undefined ? 'upstreamLock' : 'upstream'
    const result = faultToResult(kptfile, { severity: 'warning', rule: 'subpackage-behind', path: [field, 'git', 'ref'], message })
    return [{ kptfile, at, to, result }]
  })
}

/**
 * Writes the newer revision into `upstream` of the Kptfile of a subpackage. The revision that the subpackage is at is in `upstreamLock`;
 * a subpackage from a folder has none, and gets one without a commit.
 */
export function raiseSubpackage({ kptfile, at: { repo, directory, ref }, to }: OutdatedSubpackage): void {
  if (kptfile.get(['upstreamLock']) === undefined) kptfile.set(['upstreamLock'], { type: 'git', git: { repo, directory, ref } })
  if (kptfile.get(['upstream', 'type']) === undefined) kptfile.set(['upstream', 'type'], 'git')
  if (kptfile.get(['upstream', 'git', 'ref']) === undefined) kptfile.set(['upstream', 'git'], { repo, directory, ref: to })
  else kptfile.set(['upstream', 'git', 'ref'], to)
}

/** Returns the newest revision of what a Kptfile names if that is newer. */
function newerThan({ repo, directory, ref }: GitRevision, namespace: string, library: UpstreamLibrary) {
  const revision = ref.slice(ref.lastIndexOf('/') + 1)
  const names = library.namesOf({ repo, directory: bareFolder(directory) }, namespace)
  return names
    .map(({ repo: name, package: packageName }) => {
      const { newest } = library.newest({ repo: name, package: packageName, revision }, namespace)
      return { name: `${name}/${packageName}`, revision: newest }
    })
    .find((found): found is { name: string; revision: string } => (compareRevisionNames(found.revision ?? '', revision) ?? 0) > 0)
}

/** Returns the packages within the packages of variants, by their Kptfiles. */
export function subpackagesAmong(kptfiles: readonly KrmObject[]): readonly Subpackage[] {
  const owners = definedEntries(kptfiles.map(({ annotations, file }) => [folderOf(file?.path ?? ''), annotations.get(VARIANT_ANNOTATION)]))
  return kptfiles.flatMap((kptfile): readonly Subpackage[] => {
    const folder = folderOf(kptfile.file?.path ?? '')
    if (owners.has(folder)) return []
    const steps = folder.split('/')
    const above = steps.map((_, count) => steps.slice(0, count).join('/')).findLast((each) => owners.has(each))
    const owner = above === undefined ? undefined : owners.get(above)
    return above === undefined || owner === undefined ? [] : [{ kptfile, owner, path: posix.relative(above, folder) }]
  })
}
