import type { KrmObject } from '../../resource-list/krm-object.ts'
import { childText, fieldAt, itemsOf, placeIn, placeOf, textAt } from '../reading/field.ts'
import { groupKind } from '../reading/object-kind.ts'
import type { Place } from '../universe.ts'
import { isSeedRevision } from './objects.ts'

/** An object that a package brings, with the kinds it makes the cluster serve. */
export interface Content {
  /** `CustomResourceDefinition buckets.s3.aws.io` */
  readonly object: string
  readonly place: Place
  readonly kinds: readonly { readonly apiVersion: string; readonly kind: string }[]
}

/**
 * What a package's metadata brings: the definitions and compositions in the metadata's folder and below. Definitions of Crossplane
 * become CustomResourceDefinitions, so both share their names (seed 003, PackageLock API).
 */
export function contentsOf(metadata: KrmObject, objects: readonly KrmObject[]): Content[] {
  if (isSeedRevision(metadata)) return seedContents(metadata)
  const folder = folderOf(metadata)
  if (folder === undefined) return []
  return objects.filter((object) => isBelow(object, folder)).flatMap((object) => contentOf(object) ?? [])
}

/**
 * How an object is called that only one package may bring, `CustomResourceDefinition buckets.s3.aws.io`; undefined for kinds that are
 * nobody's alone.
 */
export function contentName(object: KrmObject): string | undefined {
  const kind = groupKind(object)
  if (kind === 'apiextensions.crossplane.io/Composition') return `Composition ${object.name}`
  return DEFINITION_KINDS.has(kind) ? `CustomResourceDefinition ${object.name}` : undefined
}

const DEFINITION_KINDS: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiextensions.crossplane.io/CompositeResourceDefinition',
])

function contentOf(object: KrmObject): Content | undefined {
  const name = contentName(object)
  const kinds = DEFINITION_KINDS.has(groupKind(object)) ? definedKinds(object) : []
  return name === undefined ? undefined : { object: name, place: placeIn(object, ['metadata', 'name'], object.name ?? ''), kinds }
}

/** The kinds a CustomResourceDefinition or CompositeResourceDefinition makes the cluster serve; claims are kinds too. */
export function definedKinds(object: KrmObject): { apiVersion: string; kind: string }[] {
  const group = textAt(object, 'spec', 'group')
  const kinds = [textAt(object, 'spec', 'names', 'kind'), textAt(object, 'spec', 'claimNames', 'kind')].filter((kind) => kind !== '')
  const served = servedVersions(object)
  return served.flatMap((version) => kinds.map((kind) => ({ apiVersion: `${group}/${version}`, kind })))
}

// Version by version: the schemas beside the names are long.
function servedVersions(object: KrmObject): string[] {
  const names: string[] = []
  for (let i = 0; object.get(['spec', 'versions', i, 'name']) !== undefined; i++) {
    if (object.get(['spec', 'versions', i, 'served']) !== false) names.push(textAt(object, 'spec', 'versions', i, 'name'))
  }
  return names
}

const SEED_LISTS = ['customResourceDefinitions', 'infrastructureDefinitions', 'infrastructurePublications', 'compositions'] as const

// A PackageRevision of the seed lists types; those of three lists end as CustomResourceDefinitions.
function seedContents(revision: KrmObject): Content[] {
  return SEED_LISTS.flatMap((list) =>
    itemsOf(fieldAt(revision, ['spec', list])).map((item) => {
      const type = { apiVersion: childText(item, 'apiVersion'), kind: childText(item, 'kind') }
      const name = `${list === 'compositions' ? 'Composition' : 'CustomResourceDefinition'} ${type.apiVersion} ${type.kind}`
      return { object: name, place: placeOf(item), kinds: list === 'compositions' ? [] : [type] }
    }),
  )
}

function folderOf({ file }: KrmObject): string | undefined {
  return file?.path.replace(/[^/]*$/, '')
}

function isBelow(object: KrmObject, folder: string): boolean {
  return object.file?.path.startsWith(folder) === true
}
