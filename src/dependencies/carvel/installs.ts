import { type JsonValue, memberOf } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Prereleases } from '../../versions/selection.ts'
import type { Collector } from '../reading/collector.ts'
import { childField, fieldAt, type ObjectField, textAt } from '../reading/field.ts'
import { type LastGenerated, readLastGenerated } from '../reading/last-generated.ts'
import { isGenerated, isOneOf, namespaceOf } from '../reading/object-metadata.ts'
import { readSelection } from './fields.ts'
import type { CarvelOptions } from './packages.ts'

/** An override of one dependency of a Package, as its PackageInstall writes the override. */
export interface Override {
  /** The refName, or the name of the dependency. */
  readonly name: string
  readonly constraints: string | undefined
  readonly prereleases: Prereleases | undefined
  readonly install: boolean | undefined
  readonly field: ObjectField
}

/** A Secret with values for a dependency of a Package, as its PackageInstall writes the values. */
export interface DependencyValues {
  /** The name of the dependency in the list of the Package; '' if none is given. */
  readonly alias: string
  /** '' if none is given. */
  readonly refName: string
  readonly secretRef: JsonValue
  readonly field: ObjectField
}

/** The Package that a PackageInstall asks for: its refName and range. */
export interface PackageRef {
  readonly refName: string
  readonly constraints: string
  readonly prereleases?: Prereleases | undefined
}

/** A PackageInstall, read. */
export interface PackageInstall {
  readonly object: KrmObject
  readonly namespace: string
  readonly name: string
  readonly ref: PackageRef
  readonly refField: ObjectField
  readonly constraintsField: ObjectField
  readonly lastAttemptedVersion: string
  readonly overrides: readonly Override[]
  readonly values: readonly DependencyValues[]
  /** `dependencies.install: false`: what it needs must be there, nothing is installed. */
  readonly validateOnly: boolean
  readonly generated: boolean
  /** The name of the PackageInstall it was made for. */
  readonly owner: string | undefined
  /** Its `spec` as it was generated. */
  readonly lastGenerated: LastGenerated
}

/** `PackageInstall/NAME`: for whom kapp-controller made it (seed 002). */
export const CARVEL_OWNER_ANNOTATION = 'kapp-controller.carvel.dev/owner'
const OWNER_KIND = 'PackageInstall/'

export function isPackageInstall(object: KrmObject): boolean {
  return isOneOf(object, [{ group: 'packaging.carvel.dev', kind: 'PackageInstall' }])
}

/**
 * Reads a PackageInstall with the dependency options of seed 002; unknown keys of those are faults, since they would be lost.
 * Undefined, with its fault: it names no package.
 */
export function readPackageInstall(object: KrmObject, collector: Collector): PackageInstall | undefined {
  const ref = fieldAt(object, ['spec', 'packageRef'])
  const isMisspelt = ref.value === undefined && collector.misspelt(object, ['spec'], 'packageRef')
  const isRead = collector.map(ref, ['refName', 'versionSelection']) && !isMisspelt
  const refName = isRead ? collector.name(childField(ref, 'refName')) : ''
  const selection = childField(ref, 'versionSelection')
  // kapp-controller: "Expected non-empty version selection". An empty map selects the highest version.
  if (refName !== '') collector.required(selection)
  const { constraints = '', constraintsField, prereleases } = readSelection(selection, collector)
  const options = readOptions(object, collector)
  // The install gives these to the installs that are made for it, beside the values.
  for (const key of ['serviceAccountName', 'defaultNamespace']) collector.text(fieldAt(object, ['spec', key]))
  if (refName === '') return undefined
  const owner = object.annotations.get(CARVEL_OWNER_ANNOTATION)
  const generated = readLastGenerated(object)
  return {
    object,
    namespace: namespaceOf(object),
    name: object.name ?? '',
    ref: { refName, constraints, prereleases },
    refField: childField(ref, 'refName'),
    constraintsField,
    lastAttemptedVersion: textAt(object, 'status', 'lastAttemptedVersion'),
    ...options,
    generated: isGenerated(object, { written: constraints, marked: owner !== undefined }) && !isOtherVersion(constraints, generated),
    owner: owner?.startsWith(OWNER_KIND) === true ? owner.slice(OWNER_KIND.length) : undefined,
    lastGenerated: generated,
  }
}

// A person may have changed the annotation with the version together with the version.
function isOtherVersion(constraints: string, generated: LastGenerated): boolean {
  if (generated.type !== 'recorded') return false
  const selection = memberOf(memberOf(generated.spec, 'packageRef'), 'versionSelection')
  return memberOf(selection, 'constraints') !== constraints
}

/** Reads `spec.dependencies` of a PackageInstall. */
function readOptions(object: KrmObject, collector: Collector): Pick<PackageInstall, 'overrides' | 'values' | 'validateOnly'> {
  const options = fieldAt(object, ['spec', 'dependencies'])
  if (options.value === undefined) collector.misspelt(object, ['spec'], 'dependencies')
  collector.map(options, ['install', 'managedBy', 'override', 'values'])
  return {
    overrides: collector.items(childField(options, 'override')).flatMap((item) => readOverride(item, collector) ?? []),
    values: collector.items(childField(options, 'values')).flatMap((item) => readValues(item, collector) ?? []),
    validateOnly: readInstall(options, collector) === false,
  }
}

/** Returns true for `install: true`, false for `install: false` and for `managedBy: User` of the merged proposal. */
function readInstall(field: ObjectField, collector: Collector): boolean | undefined {
  const install = collector.flag(childField(field, 'install'))
  const managedBy = collector.choice(childField(field, 'managedBy'), ['Auto', 'User'])
  return install ?? (managedBy === 'User' ? false : undefined)
}

function readOverride(item: ObjectField, collector: Collector): Override | undefined {
  if (!collector.map(item, ['refName', 'name', 'versionSelection', 'install', 'managedBy'])) return undefined
  const name = collector.text(childField(item, 'refName')) || collector.text(childField(item, 'name'))
  if (!hasAny(item, ['refName', 'name'])) collector.required(childField(item, 'refName'))
  const { constraints, prereleases } = readSelection(childField(item, 'versionSelection'), collector)
  const install = readInstall(item, collector)
  return name === undefined || name === '' ? undefined : { name, constraints, prereleases, install, field: item }
}

function readValues(item: ObjectField, collector: Collector): DependencyValues | undefined {
  if (!collector.map(item, ['alias', 'refName', 'name', 'secretRef'])) return undefined
  const [alias, name, refName] = ['alias', 'name', 'refName'].map((key) => collector.text(childField(item, key)))
  if (!hasAny(item, ['alias', 'name', 'refName']))
    collector.form(item, `must have 'refName' or 'alias', the dependency that gets the values`)
  const secretRef = childField(item, 'secretRef')
  const isMap = collector.map(secretRef, ['key', 'name'])
  collector.required(secretRef)
  if (secretRef.value === undefined || !isMap || (alias || name || refName || '') === '') return undefined
  collector.name(childField(secretRef, 'name'))
  collector.text(childField(secretRef, 'key'))
  return { alias: alias || name || '', refName: refName ?? '', secretRef: secretRef.value, field: item }
}

function hasAny(field: ObjectField, keys: readonly string[]): boolean {
  return keys.some((key) => (childField(field, key).value ?? '') !== '')
}

/** The PackageInstalls for which others were made. */
export interface InstallOwners {
  /** Returns the owner of an install; undefined if the owner was not read, or if none is recorded. */
  ownerOf(install: PackageInstall): PackageInstall | undefined
  /** Returns true if the owner of an install was read or is known to be removed. */
  isKnown(install: PackageInstall): boolean
}

/** Finds the owners of some PackageInstalls. An owner is in the namespace of what it owns. */
export function installOwners(
  installs: readonly PackageInstall[],
  { removedInstalls }: Pick<CarvelOptions, 'removedInstalls'>,
): InstallOwners {
  const byName = new Map(installs.map((install) => [`${install.namespace}/${install.name}`, install]))
  const ownerOf = ({ namespace, owner }: PackageInstall) => (owner === undefined ? undefined : byName.get(`${namespace}/${owner}`))
  const isRemoved = ({ namespace, owner }: PackageInstall) => removedInstalls?.has(`${namespace}/${owner}`) === true
  return { ownerOf, isKnown: (install) => ownerOf(install) !== undefined || isRemoved(install) }
}
