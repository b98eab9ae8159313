import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { FieldPlace } from '../place.ts'
import { CUSTOM_RESOURCE_DEFINITION, definedKinds, definitionName } from '../reading/definitions.ts'
import { childText, fieldAt, itemFields, type ObjectField, placeIn, placeOfField } from '../reading/field.ts'
import { type GroupKind, groupKind, isOneOf } from '../reading/object-identity.ts'
import { isSeedRevision } from './objects.ts'

/** An object that a package brings, with the kinds it makes the cluster serve. */
export interface ContentObject {
  /** The object as the package has it; a catalog only names objects, a PackageRevision of seed 003 types. */
  readonly written: KrmObject | undefined
  /** `CustomResourceDefinition buckets.s3.aws.io` */
  readonly object: string
  readonly place: FieldPlace
  readonly kinds: readonly { readonly apiVersion: string; readonly kind: string }[]
}

/**
 * Returns the contents of a package: the definitions and compositions in the folder of its metadata and below. Definitions of Crossplane
 * become CustomResourceDefinitions, so both share their names (seed 003, PackageLock API).
 */
export function contentsOf(metadata: KrmObject, objects: readonly KrmObject[]): ContentObject[] {
  if (isSeedRevision(metadata)) return seedContents(metadata)
  const folder = folderOf(metadata)
  if (folder === undefined) return []
  return objects.filter((object) => isBelow(object, folder)).flatMap((object) => contentOf(object) ?? [])
}

/** Returns the contents that a catalog lists for a version. */
export function listedContents(brings: ObjectField): ContentObject[] {
  return itemFields(brings).map((item) => ({
    written: undefined,
    object: `${childText(item, 'kind')} ${childText(item, 'name')}`,
    place: placeOfField(item),
    kinds: [],
  }))
}

/**
 * Returns the name of an object that only one package may bring, `CustomResourceDefinition buckets.s3.aws.io`; undefined for kinds that
 * several packages may bring.
 */
export function contentName(object: KrmObject): string | undefined {
  const isComposition = groupKind(object) === 'apiextensions.crossplane.io/Composition' && object.name !== undefined
  if (isComposition) return `Composition ${object.name}`
  return isDefinition(object) ? definitionName(object) : undefined
}

/** Kinds of Crossplane that end as CustomResourceDefinitions. */
export const DEFINITIONS: readonly GroupKind[] = [{ group: 'apiextensions.crossplane.io', kind: 'CompositeResourceDefinition' }]

function isDefinition(object: KrmObject): boolean {
  return isOneOf(object, [CUSTOM_RESOURCE_DEFINITION, ...DEFINITIONS])
}

function contentOf(object: KrmObject): ContentObject | undefined {
  const name = contentName(object)
  const kinds = isDefinition(object) ? definedKinds(object) : []
  return name === undefined
    ? undefined
    : { written: object, object: name, place: placeIn(object, ['metadata', 'name'], object.name ?? ''), kinds }
}

const SEED_LISTS = ['customResourceDefinitions', 'infrastructureDefinitions', 'infrastructurePublications', 'compositions'] as const

// A PackageRevision of the seed lists types; those of three lists end as CustomResourceDefinitions.
function seedContents(revision: KrmObject): ContentObject[] {
  return SEED_LISTS.flatMap((list) =>
    itemFields(fieldAt(revision, ['spec', list])).map((item) => {
      const type = { apiVersion: childText(item, 'apiVersion'), kind: childText(item, 'kind') }
      const name = `${list === 'compositions' ? 'Composition' : 'CustomResourceDefinition'} ${type.apiVersion} ${type.kind}`
      return { written: undefined, object: name, place: placeOfField(item), kinds: list === 'compositions' ? [] : [type] }
    }),
  )
}

function folderOf({ file }: KrmObject): string | undefined {
  return file?.path.replace(/[^/]*$/, '')
}

function isBelow(object: KrmObject, folder: string): boolean {
  return object.file?.path.startsWith(folder) === true
}
