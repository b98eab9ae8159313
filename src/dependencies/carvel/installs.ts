import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Prereleases } from '../../versions/selection.ts'
import type { Collector } from '../reading/collector.ts'
import {
  childField,
  childText,
  fieldAt,
  isTrue,
  itemFields,
  type ObjectField,
  textAt,
  textOfField,
  textsOfField,
} from '../reading/field.ts'
import { isGenerated, isOfKind, namespaceOf } from '../reading/object-metadata.ts'
import type { PackageRef } from './select.ts'

/** An override of one dependency of a Package, as its PackageInstall writes the override. */
export interface Override {
  /** The refName, or the name of the dependency. */
  readonly name: string
  readonly constraints: string | undefined
  readonly prereleases: Prereleases | undefined
  readonly install: boolean | undefined
  readonly field: ObjectField
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
  /** `dependencies.install: false`: what it needs must be there, nothing is installed. */
  readonly validateOnly: boolean
  readonly generated: boolean
  /** The name of the PackageInstall it was made for. */
  readonly owner: string | undefined
}

/** `PackageInstall/NAME`: for whom kapp-controller made it (seed 002). */
export const CARVEL_OWNER_ANNOTATION = 'kapp-controller.carvel.dev/owner'
const OWNER_KIND = 'PackageInstall/'

const INSTALL_GROUPS: ReadonlySet<string> = new Set(['packaging.carvel.dev'])

export function isPackageInstall(object: KrmObject): boolean {
  return isOfKind(object, 'PackageInstall', INSTALL_GROUPS)
}

/**
 * Reads a PackageInstall with the dependency options of seed 002; unknown keys of those are faults, since they would be lost.
 * Undefined, with its fault: it names no package.
 */
export function readPackageInstall(object: KrmObject, collector: Collector): PackageInstall | undefined {
  const ref = fieldAt(object, ['spec', 'packageRef'])
  const selection = childField(ref, 'versionSelection')
  const options = fieldAt(object, ['spec', 'dependencies'])
  if (ref.value === undefined) collector.misspelt(object, ['spec'], 'packageRef')
  if (options.value === undefined) collector.misspelt(object, ['spec'], 'dependencies')
  collector.unknownKeys(ref, ['refName', 'versionSelection'])
  collector.unknownKeys(options, ['install', 'managedBy', 'override', 'values'])
  collector.unknownKeys(selection, ['constraints', 'prereleases'])
  for (const value of itemFields(childField(options, 'values'))) checkValues(value, collector)
  const refName = collector.name(childField(ref, 'refName'))
  if (refName === '') return undefined
  const constraints = collector.text(childField(selection, 'constraints')) ?? ''
  const owner = object.annotations.get(CARVEL_OWNER_ANNOTATION)
  return {
    object,
    namespace: namespaceOf(object),
    name: object.name ?? '',
    ref: {
      refName,
      constraints,
      prereleases: prereleasesOf(selection),
    },
    refField: childField(ref, 'refName'),
    constraintsField: childField(selection, 'constraints'),
    lastAttemptedVersion: textAt(object, 'status', 'lastAttemptedVersion'),
    overrides: itemFields(childField(options, 'override')).flatMap((item) => readOverride(item, collector) ?? []),
    validateOnly: childField(options, 'install').value === false || childText(options, 'managedBy') === 'User',
    generated: isGenerated(object, { written: constraints, marked: owner !== undefined }),
    owner: owner?.startsWith(OWNER_KIND) === true ? owner.slice(OWNER_KIND.length) : undefined,
  }
}

/** Returns the prereleases that a selection admits: `prereleases: {}` admits all, an absent field admits none. */
function prereleasesOf(selection: ObjectField): Prereleases | undefined {
  const prereleases = childField(selection, 'prereleases')
  return prereleases.value === undefined ? undefined : { identifiers: textsOfField(childField(prereleases, 'identifiers')) }
}

function readOverride(item: ObjectField, collector: Collector): Override | undefined {
  const selection = childField(item, 'versionSelection')
  collector.unknownKeys(item, ['refName', 'name', 'versionSelection', 'install', 'managedBy'])
  collector.unknownKeys(selection, ['constraints', 'prereleases'])
  const name = textOfField(childField(item, 'refName')) ?? textOfField(childField(item, 'name'))
  if (name === undefined) collector.form(childField(item, 'refName'), 'must be set')
  const install = childField(item, 'install')
  const constraints = collector.text(childField(selection, 'constraints'))
  const managed = childText(item, 'managedBy') === 'User' ? false : undefined
  if (name === undefined) return undefined
  return {
    name,
    constraints,
    prereleases: prereleasesOf(selection),
    install: install.value === undefined ? managed : isTrue(install),
    field: item,
  }
}

function checkValues(item: ObjectField, collector: Collector): void {
  collector.unknownKeys(item, ['alias', 'refName', 'name', 'secretRef'])
  if (childField(item, 'secretRef').value === undefined) collector.form(childField(item, 'secretRef'), 'must be set')
}
