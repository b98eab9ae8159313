import { compareText } from '../../../field-path.ts'
import { definedEntries } from '../../../group-by.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../../result.ts'
import { type Finding, formatPlace, listNames, quote } from '../../finding.ts'
import type { Collector } from '../../reading/collector.ts'
import { childField, fieldAt, placeIn, placeOfField } from '../../reading/field.ts'
import type { CrossplaneInstall } from '../installs.ts'
import { type CrossplanePackage, isLock, type LockPackage } from '../objects.ts'
import { packageFinding } from '../package-finding.ts'
import { sourceFromReference } from '../reference.ts'
import type { RevisionObject } from '../revisions.ts'

const LOCK_NAME = 'lock'

/**
 * Reports every Lock beside the one that Crossplane reads, or beside the first by file, and a Lock of another name than `lock`: a cluster
 * has one, and Crossplane reads no other (seed 003, PackageLock API; internal/controller/pkg/revision/dependency.go, lockName). The seed
 * gives its PackageLock no name.
 */
export function checkSingleLock(objects: readonly KrmObject[]): Finding[] {
  const locks = objects.filter(isLock).sort(byName)
  const [first] = locks
  return locks.flatMap((object) => {
    const name = object.name ?? ''
    const place = placeIn(object, ['metadata', 'name'], name)
    const at = (message: string): Finding => ({ rule: 'lock-invalid', message, place, tags: { ecosystem: 'crossplane' } })
    if (first !== undefined && object !== first) {
      const other = `${formatResourceRef(first.ref)} (${formatPlace(placeIn(first, ['metadata', 'name']))})`
      return [at(`${other} and ${formatResourceRef(object.ref)} (${formatPlace(place)}) are two Locks: a cluster has one`)]
    }
    const isOther = object.kind === 'Lock' && name !== LOCK_NAME
    return isOther ? [at(`\`metadata.name\` must be '${LOCK_NAME}', got ${quote(name)}: Crossplane reads no other Lock`)] : []
  })
}

/**
 * Reports entries of a Lock, and their dependencies, that name no source, and lists that are none: they would count as not installed, so
 * that a resolution installs their packages once more. Crossplane writes none of these, and the API server takes none.
 */
export function checkLockEntries(objects: readonly KrmObject[], collector: Collector): void {
  for (const object of objects.filter((each) => isLock(each) && each.kind === 'Lock')) {
    collector.nearMiss(object, [], 'packages')
    for (const entry of collector.items(fieldAt(object, ['packages']))) {
      collector.name(childField(entry, 'source'))
      for (const dependency of collector.items(childField(entry, 'dependencies'))) collector.name(childField(dependency, 'package'))
    }
  }
}

/** Orders the Lock that Crossplane reads before all others, and these by file and name: the order of a list says nothing. */
function byName(a: KrmObject, b: KrmObject): number {
  const text = ({ name = '', file }: KrmObject): string => `${name === LOCK_NAME ? 0 : 1} ${file?.path ?? ''} ${name}`
  return compareText(text(a), text(b))
}

/**
 * Returns the entries of the Lock that count as installed, and the reason for each that does not: Crossplane takes an entry out whose
 * revision is Inactive, and replaces one whose revision has another source (internal/controller/pkg/revision/dependency.go, Resolve).
 */
export function currentEntries(
  lock: readonly LockPackage[],
  revisions: readonly RevisionObject[],
): { readonly current: readonly LockPackage[]; readonly outdated: ReadonlyMap<LockPackage, string> } {
  const byName = new Map(revisions.map((each) => [each.revision.name, each]))
  const reasonFor = (entry: LockPackage, revision = byName.get(entry.name)) => revision && outdatedReason(entry, revision)
  const outdated = definedEntries(lock.map((entry) => [entry, reasonFor(entry)]))
  return { current: lock.filter((entry) => !outdated.has(entry)), outdated }
}

function outdatedReason({ source, version, name: entry }: LockPackage, { object, revision, image }: RevisionObject): string | undefined {
  const found = `the Lock has ${source} ${version || 'without a version'} as ${entry}, and ${formatResourceRef(object.ref)}`
  if (revision.state === 'Inactive') return `${found} is Inactive: Crossplane takes the entry out`
  const own = sourceFromReference(image)
  return own === '' || own === source ? undefined : `${found} is of ${own}: Crossplane replaces the entry`
}

/** Reports entries of the Lock that are outdated or differ from the objects. */
export function checkLock(
  lock: readonly LockPackage[],
  packages: readonly CrossplanePackage[],
  revisions: readonly RevisionObject[],
): Finding[] {
  const bySource = new Map(packages.map((each) => [each.reference.source, each]))
  const names = new Set(revisions.map(({ revision }) => revision.name))
  const { outdated } = currentEntries(lock, revisions)
  return lock.flatMap((entry) => {
    const message = outdated.get(entry) ?? differenceFrom(bySource.get(entry.source), entry) ?? orphaned(entry, names)
    const place = { ...placeOfField(entry.field), currentValue: undefined }
    return message === undefined ? [] : [packageFinding('lock-drift', message, place, entry.source)]
  })
}

/** Returns how an entry differs from the object that installs its source. */
function differenceFrom(installed: CrossplanePackage | undefined, entry: LockPackage): string | undefined {
  if (entry.name === '') return `the Lock has an entry without a name, for ${entry.source}`
  if (installed === undefined) return undefined
  const { reference, object, field } = installed
  const wanted = reference.digest || reference.tag
  if (wanted === entry.version) return undefined
  return `the Lock has ${entry.source} ${entry.version || 'without a version'}, ${formatResourceRef(object.ref)} (${formatPlace(placeOfField(field))}) has ${wanted || 'none'}`
}

function orphaned({ source, name }: LockPackage, revisions: ReadonlySet<string>): string | undefined {
  const isOrphan = revisions.size > 0 && !revisions.has(name)
  return isOrphan ? `the Lock has ${source} as ${name}, and there is no revision of that name` : undefined
}

/** Reports entries of the Lock whose dependencies differ from those of the version that they name. */
export function checkRecorded(present: readonly Pick<CrossplaneInstall, 'source' | 'recorded' | 'metadata'>[]): Finding[] {
  return present.flatMap(({ source, recorded, metadata }) => {
    if (recorded === undefined || metadata?.dependsOn === undefined) return []
    const required = metadata.dependsOn.flatMap((each) => (each.type === 'package' ? [`${each.source} ${quote(each.constraint)}`] : []))
    const locked = recorded.dependencies.map((each) => `${each.source} ${quote(each.constraint)}`)
    if ([...required].sort().join() === [...locked].sort().join()) return []
    const message = `the Lock has ${source} ${recorded.version} with ${describeAll(locked)}, its metadata (${formatPlace(placeOfField(metadata.dependsOnField))}) with ${describeAll(required)}`
    return [packageFinding('lock-drift', message, { ...placeOfField(recorded.field), currentValue: undefined }, source)]
  })
}

function describeAll(dependencies: readonly string[]): string {
  return dependencies.length === 0 ? 'no dependencies' : `dependencies on ${listNames(dependencies)}`
}
