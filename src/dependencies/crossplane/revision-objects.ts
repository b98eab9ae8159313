import { compareText } from '../../field-path.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { fieldAt, type ObjectField, textAt } from '../reading/field.ts'
import { groupKind } from '../reading/object-identity.ts'
import { ownersOf } from '../reading/owner-references.ts'
import type { CrossplanePackage } from './objects.ts'
import type { ObjectOwner } from './owners.ts'
import {
  afterSteps,
  type CrossplaneRevision,
  type DesiredState,
  type ObservedCrossplanePackage,
  type PackageReconcile,
} from './revisions.ts'

/** A revision with its object. */
export interface RevisionObject {
  readonly object: KrmObject
  /** The package it is a revision of, `Provider helm`; '' when it does not say. */
  readonly packageKey: string
  readonly revision: CrossplaneRevision
  readonly owner: ObjectOwner
  /** The image that it is made of. */
  readonly image: string
}

/** The revisions of one package, and what a reconcile does to them; undefined: it is not known what it would. */
export interface ReconciledRevisions {
  readonly revisions: readonly RevisionObject[]
  readonly reconcile: PackageReconcile | undefined
}

/** A package with its revisions, and what one reconcile does to them. */
export interface ReconciledPackage extends ReconciledRevisions {
  readonly package: CrossplanePackage
  /** Undefined when the digest of the package's image is not known, so that the name of the wanted revision is unknown. */
  readonly observed: ObservedCrossplanePackage | undefined
}

const REVISION_KINDS: ReadonlySet<string> = new Set(['ProviderRevision', 'ConfigurationRevision', 'FunctionRevision', 'PackageRevision'])

/** On every revision: the name of its package. */
export const PACKAGE_LABEL = 'pkg.crossplane.io/package'

/** Revisions of Crossplane packages, today's and those of seed 003, by name. */
export function readCrossplaneRevisions(objects: readonly KrmObject[]): RevisionObject[] {
  const sorted = objects.filter(isRevision).sort((a, b) => compareText(a.name ?? '', b.name ?? ''))
  return sorted.map((object) => ({
    object,
    packageKey: packageKeyOf(object),
    revision: { name: object.name ?? '', number: numberOf(fieldAt(object, ['spec', 'revision'])) ?? 0, state: stateOf(object) },
    owner: ownerOf(object),
    image: textAt(object, 'spec', 'image') || textAt(object, 'spec', 'package'),
  }))
}

function isRevision(object: KrmObject): boolean {
  const [group = '', kind = ''] = groupKind(object).split('/')
  return (group === 'pkg.crossplane.io' || group === 'packages.crossplane.io') && REVISION_KINDS.has(kind)
}

/** A whole number, of a field that holds one; undefined of anything else. */
export function numberOf({ value }: ObjectField): number | undefined {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
  return isWhole ? Number(value) : undefined
}

const STATES: readonly DesiredState[] = ['Active', 'Inactive']

function stateOf(object: KrmObject): DesiredState | undefined {
  return STATES.find((state) => state === textAt(object, 'spec', 'desiredState'))
}

// The package by its label, else by the owner that controls the revision.
function packageKeyOf(object: KrmObject): string {
  const kind = (object.kind ?? '').replace(/Revision$/, '')
  const name = object.labels.get(PACKAGE_LABEL) ?? ownersOf(object).find(({ controller }) => controller)?.name ?? ''
  return name === '' ? '' : `${kind} ${name}`
}

/** An object as an owner. */
export function ownerOf(object: KrmObject): ObjectOwner {
  const { apiVersion = '', kind = '', name = '' } = object
  return { apiVersion, kind, name, uid: textAt(object, 'metadata', 'uid') }
}

/** The revisions as a reconcile leaves them, new ones among them. */
export function revisionsAfter({ revisions, reconcile }: ReconciledRevisions): CrossplaneRevision[] {
  return afterSteps(
    revisions.map(({ revision }) => revision),
    reconcile?.steps ?? [],
  )
}

/** The revision that is Active after a reconcile; undefined: none is, or it has no object yet. */
export function activeAfter(reconciled: ReconciledRevisions): RevisionObject | undefined {
  const active = revisionsAfter(reconciled).find(({ state }) => state === 'Active')
  return reconciled.revisions.find(({ revision }) => revision.name === active?.name)
}
