import type { KrmObject } from '../../resource-list/krm-object.ts'
import { childField, childText, fieldAt, isTrue, itemFields, type ObjectField, textAt, textOfField } from '../reading/field.ts'
import { groupKind } from '../reading/object-metadata.ts'
import { type PackageReference, parseReference } from './reference.ts'

/** A Provider, Configuration or Function, the Package of seed 003, or a package of a kind that others define. */
export interface CrossplanePackage {
  readonly object: KrmObject
  readonly kind: string
  readonly name: string
  readonly reference: PackageReference
  /** `spec.package` */
  readonly field: ObjectField
  readonly ignoresPlatform: boolean
  readonly skipsDependencies: boolean
}

/** The metadata of a package: a meta.pkg.crossplane.io object, or the PackageRevision of seed 003. */
export interface CrossplaneMetadata {
  readonly object: KrmObject
  /** The reference it is the metadata of; undefined: a package being written. */
  readonly reference: PackageReference | undefined
  readonly dependsOn: ObjectField
  readonly platformField: ObjectField
  readonly seedForms: boolean
}

/** An entry of the Lock: what Crossplane recorded as installed. */
export interface LockPackage {
  readonly name: string
  readonly source: string
  readonly version: string
  readonly dependencies: readonly LockDependency[]
  readonly field: ObjectField
}

export interface LockDependency {
  readonly source: string
  readonly constraint: string
  /** The field of the constraint; in a Lock of seed 003 that of the whole dependency. */
  readonly constraintField: ObjectField
  readonly field: ObjectField
}

/** Returns the kind and the name of a package, which identify the package in its cluster: `Provider helm`. */
export function keyOfPackage({ kind, name }: CrossplanePackage): string {
  return `${kind} ${name}`
}

/** Names the reference that a metadata object is the metadata of: `SOURCE:TAG`. */
export const PACKAGE_ANNOTATION = 'krm-variants.dev/package'
const PACKAGE_KINDS: ReadonlySet<string> = new Set(['Provider', 'Configuration', 'Function', 'Package'])
const SEED_REVISIONS: ReadonlySet<string> = new Set(['PackageRevision'])
const LOCKS: ReadonlySet<string> = new Set(['Lock', 'PackageLock'])
const SEED_GROUPS: ReadonlySet<string> = new Set(['pkg.crossplane.io', 'packages.crossplane.io'])

export function readCrossplanePackages(objects: readonly KrmObject[]): CrossplanePackage[] {
  // An object that names no package is a patch of an object that does.
  return objects.filter((object) => isPackage(object) && object.get(['spec', 'package']) !== undefined).map(packageOf)
}

/** Returns the package that an object with `spec.package` installs. */
export function packageOf(object: KrmObject): CrossplanePackage {
  return {
    object,
    kind: object.kind ?? '',
    name: object.name ?? '',
    reference: parseReference(textAt(object, 'spec', 'package')),
    field: fieldAt(object, ['spec', 'package']),
    ignoresPlatform: isTrue(fieldAt(object, ['spec', 'ignoreCrossplaneConstraints'])),
    skipsDependencies: isTrue(fieldAt(object, ['spec', 'skipDependencyResolution'])),
  }
}

/** Returns true if the object is of a kind that installs a package, even when the object names no package. */
export function isPackage(object: KrmObject): boolean {
  return isOfPackageManager(object, PACKAGE_KINDS)
}

/** Returns true if the object is of one of some kinds, in a group of the package manager of today or of seed 003. */
export function isOfPackageManager(object: KrmObject, kinds: ReadonlySet<string>): boolean {
  const [group = '', kind = ''] = groupKind(object).split('/')
  return SEED_GROUPS.has(group) && kinds.has(kind)
}

/** Returns true for the metadata of a package of today, or a Project of Upbound. */
export function isMetadata(object: KrmObject): boolean {
  return /^(meta\.pkg\.crossplane\.io\/(Provider|Configuration|Function)|meta\.dev\.upbound\.io\/Project)$/.test(groupKind(object))
}

/** Returns the metadata objects. A Project of Upbound is read as a Configuration. A PackageRevision of seed 003 is its own metadata. */
export function readCrossplaneMetadata(objects: readonly KrmObject[]): CrossplaneMetadata[] {
  return objects.flatMap((object) => {
    const seedForms = isSeedRevision(object)
    if (!isMetadata(object) && !seedForms) return []
    const written = object.annotations.get(PACKAGE_ANNOTATION) ?? (seedForms ? textAt(object, 'spec', 'package') : '')
    const reference = written === '' ? undefined : parseReference(written)
    const platformField = fieldAt(object, ['spec', 'crossplane', 'version'])
    return [{ object, reference, dependsOn: fieldAt(object, ['spec', 'dependsOn']), platformField, seedForms }]
  })
}

/** Returns true if the object is a PackageRevision of seed 003. */
export function isSeedRevision(object: KrmObject): boolean {
  return isOfPackageManager(object, SEED_REVISIONS)
}

/** Returns the entries of every Lock, and of the PackageLock of seed 003, whose dependencies are texts. */
export function readLock(objects: readonly KrmObject[]): LockPackage[] {
  return objects.filter(isLock).flatMap((object) => {
    const [path, read] = object.kind === 'Lock' ? [['packages'], readLockPackage] : [['spec', 'packages'], readSeedLockPackage]
    return itemFields(fieldAt(object, path)).map(read).filter(hasSource)
  })
}

// Left out, with a fault of its own: checkLockEntries.
function hasSource({ source }: { readonly source: string }): boolean {
  return source !== ''
}

export function isLock(object: KrmObject): boolean {
  return isOfPackageManager(object, LOCKS)
}

function readLockPackage(field: ObjectField): LockPackage {
  const dependencies = itemFields(childField(field, 'dependencies')).map((item) => ({
    source: childText(item, 'package'),
    constraint: childText(item, 'constraints'),
    constraintField: childField(item, 'constraints'),
    field: item,
  }))
  return {
    name: childText(field, 'name'),
    source: childText(field, 'source'),
    version: childText(field, 'version'),
    dependencies: dependencies.filter(hasSource),
    field,
  }
}

function readSeedLockPackage(field: ObjectField): LockPackage {
  const { source, tag, digest } = parseReference(childText(field, 'image'))
  const dependencies = itemFields(childField(field, 'dependencies')).map((item) => {
    const [written = '', ...range] = (textOfField(item) ?? '').split(' ')
    return { source: parseReference(written).source, constraint: range.join(' '), constraintField: item, field: item }
  })
  const version = tag === '' ? digest : tag
  return { name: childText(field, 'name'), source, version, dependencies: dependencies.filter(hasSource), field }
}

/** The API group of ClusterRoles and their bindings. */
export const RBAC = 'rbac.authorization.k8s.io'

/** The kinds that Crossplane makes to run a package, by their names. */
const RUNTIME_KINDS: ReadonlyMap<string, string> = new Map([
  ['Deployment', 'apps/Deployment'],
  ['ServiceAccount', 'v1/ServiceAccount'],
  ['Service', 'v1/Service'],
  ['ClusterRole', `${RBAC}/ClusterRole`],
  ['ClusterRoleBinding', `${RBAC}/ClusterRoleBinding`],
])

/** Returns true if the object is of a kind that Crossplane makes to run a package; a package brings none of these. */
export function runsPackages(object: KrmObject): boolean {
  const known = RUNTIME_KINDS.get(object.kind ?? '')
  return known !== undefined && known === groupKind(object)
}
