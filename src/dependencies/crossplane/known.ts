import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { FieldPlace } from '../finding.ts'
import type { KindOfApi } from '../package-index.ts'
import { type CatalogPackage, type CatalogVersion, kindIn, nameOfBrought } from '../reading/catalog.ts'
import type { Collector } from '../reading/collector.ts'
import { childField, childText, fieldAt, itemFields, type ObjectField, placeIn, placeOfField, textOfField } from '../reading/field.ts'
import { type GroupKind, groupKind, isOneOf } from '../reading/object-metadata.ts'
import { CUSTOM_RESOURCE_DEFINITION, definedKinds, definitionName } from '../reading/served-kinds.ts'
import { type DependencyForms, type DependsOn, readDependsOn } from './dependencies.ts'
import { type ImageRewrites, imageRewrites } from './image-configs.ts'
import { type CrossplaneMetadata, isSeedRevision, readCrossplaneMetadata } from './objects.ts'
import type { PackageReference } from './reference.ts'

/** The options of the function config that concern Crossplane. */
export interface CrossplaneOptions {
  /** The forms of dependsOn that are read. */
  readonly crossplaneSemantics: DependencyForms
  readonly crossplaneVersion?: string | undefined
  /** True when an installed dependency inherits packagePullSecrets and packagePullPolicy of the package that requires it. */
  readonly inheritPullSettings?: boolean | undefined
}

/** A version of a package, or a package that is being written. Its metadata is read on requirement, since most versions are never read. */
export interface KnownPackage {
  /** The source; of a package being written its name. */
  readonly id: string
  /** Its tag; '' of a package being written. */
  readonly version: string
  /** Returns the metadata of the version; faults of its forms are added to the collector. */
  read(collector: Collector): PackageMetadata
  /** Returns the place of the version in its file. */
  place(): FieldPlace
  provides(): readonly KindOfApi[]
  /** Returns the objects that the version brings. */
  contents(): readonly ContentObject[]
}

/** The metadata of a version. */
export interface PackageMetadata {
  /** Undefined when the requirements are not known. */
  readonly dependsOn: readonly DependsOn[] | undefined
  /** The field of the requirements. */
  readonly dependsOnField: ObjectField
  /** The range of Crossplane versions it runs on. */
  readonly platform: { readonly constraint: string; readonly field: ObjectField } | undefined
}

/**
 * Finds metadata objects, then the versions of catalogs; of the same version the first counts. Where an ImageConfig rewrites a source, and
 * versions of the place it is pulled from are known, these are the versions of the source.
 */
export function findKnownPackages(
  objects: readonly KrmObject[],
  catalog: readonly CatalogPackage[],
  options: CrossplaneOptions,
  rewrites: ImageRewrites = imageRewrites([]),
): KnownPackages {
  const table = new KnownPackages(rewrites)
  for (const metadata of readCrossplaneMetadata(objects)) table.addMetadata(metadata, knownOfMetadata(metadata, objects, options))
  for (const entry of catalog) if (entry.ecosystem === 'crossplane') table.addEntry(entry, options)
  return table
}

/** Returns the metadata of a version. Faults of its forms are not reported here. */
export function metadataOfPackage(known: KnownPackage, collector: Collector): PackageMetadata {
  return known.read(collector.silent())
}

/** All Crossplane packages that objects and catalogs name, installed or not. */
export class KnownPackages {
  readonly all: KnownPackage[] = []
  readonly written: { object: KrmObject; known: KnownPackage }[] = []
  readonly #versions = new Map<string, Map<string, KnownPackage | undefined>>()
  readonly #kinds = new Map<string, string>()
  readonly #digests = new Map<string, string>()
  readonly #rewrites: ImageRewrites

  constructor(rewrites: ImageRewrites) {
    this.#rewrites = rewrites
  }

  /** Returns the source whose versions are those of a source: the place that the source is pulled from, if its versions are known. */
  #pulled(source: string): string {
    const found = this.#rewrites.rewrite(source)?.image
    return found !== undefined && this.#versions.has(found) ? found : source
  }

  /** Returns the package of a source and a tag, or of a source and a digest. */
  find(source: string, version: string): KnownPackage | undefined {
    return this.#versions.get(this.#pulled(source))?.get(version)
  }

  /** Returns the package that has the tag of an image, else the package that has its digest. */
  ofImage({ source, tag, digest }: PackageReference): KnownPackage | undefined {
    return this.find(source, tag) ?? this.find(source, digest)
  }

  /** Returns every source with a known version. */
  sources(): Iterable<string> {
    return this.#versions.keys()
  }

  /** Returns the known tags of a source. */
  tagsOf(source: string): readonly string[] {
    return [...(this.#versions.get(this.#pulled(source))?.keys() ?? [])]
  }

  /** Returns the digest of a tag from a catalog or from the reference of a metadata object; '' if the digest is not known. */
  digestOf(source: string, tag: string): string {
    return this.#digests.get(`${this.#pulled(source)} ${tag}`) ?? ''
  }

  /** Returns Provider, Configuration or Function from a catalog; '' if no catalog lists the kind. */
  kindOf(source: string): string {
    return this.#kinds.get(source) ?? this.#kinds.get(this.#pulled(source)) ?? ''
  }

  addMetadata({ object, reference }: CrossplaneMetadata, known: KnownPackage): void {
    this.all.push(known)
    if (reference === undefined) this.written.push({ object, known })
    else this.#add(reference.source, [reference.tag, reference.digest], known)
  }

  addEntry({ id, kind, versions }: CatalogPackage, options: CrossplaneOptions): void {
    if (kind !== '' && !this.#kinds.has(id)) this.#kinds.set(id, kind)
    for (const listed of versions) {
      const { version, field } = listed
      const known = textOfField(field) === undefined ? new ListedVersion(id, listed, options) : undefined
      this.#add(id, [version, childText(field, 'digest')], known)
      if (known !== undefined) this.all.push(known)
    }
  }

  #add(source: string, versions: readonly string[], known: KnownPackage | undefined): void {
    const table = remember(this.#versions, source, () => new Map<string, KnownPackage | undefined>())
    for (const version of versions) if (version !== '') table.set(version, table.get(version) ?? known)
    const [tag = '', digest = ''] = versions
    const key = `${source} ${tag}`
    if (digest !== '' && !this.#digests.has(key)) this.#digests.set(key, digest)
  }
}

function knownOfMetadata(metadata: CrossplaneMetadata, objects: readonly KrmObject[], options: CrossplaneOptions): KnownPackage {
  const { object, reference, platformField } = metadata
  const seed = metadata.seedForms || options.crossplaneSemantics === 'seed'
  const contents = reference === undefined ? [] : contentsOf(object, objects)
  return {
    id: reference?.source ?? object.name ?? '',
    version: reference?.tag ?? '',
    place: () => placeIn(object, ['metadata', 'name'], object.name ?? ''),
    provides: () => contents.flatMap(({ kinds }) => kinds),
    contents: () => contents,
    read: (collector) => {
      if (metadata.dependsOn.value === undefined) collector.misspelt(object, ['spec'], 'dependsOn')
      const constraint = collector.text(platformField)
      return withSeedPlatform({
        dependsOnField: metadata.dependsOn,
        dependsOn: readDependsOn(metadata.dependsOn, seed ? 'seed' : 'current', collector),
        platform: constraint === undefined ? undefined : { constraint, field: platformField },
      })
    },
  }
}

/** A version that a catalog lists. There may be a hundred thousand. */
class ListedVersion implements KnownPackage {
  readonly id: string
  readonly version: string
  readonly #field: ObjectField
  readonly #options: CrossplaneOptions

  constructor(id: string, { version, field }: CatalogVersion, options: CrossplaneOptions) {
    this.id = id
    this.version = version
    this.#field = field
    this.#options = options
  }

  place(): FieldPlace {
    return placeOfField(this.#field)
  }

  provides(): KindOfApi[] {
    return itemFields(childField(this.#field, 'provides')).map(kindIn)
  }

  read(collector: Collector): PackageMetadata {
    const dependencies = childField(this.#field, 'dependencies')
    const platformField = childField(childField(this.#field, 'constraints'), 'crossplane')
    const constraint = textOfField(platformField) ?? ''
    return withSeedPlatform({
      dependsOnField: dependencies,
      dependsOn: dependencies.value === undefined ? undefined : readDependsOn(dependencies, this.#options.crossplaneSemantics, collector),
      platform: constraint === '' ? undefined : { constraint, field: platformField },
    })
  }

  contents(): readonly ContentObject[] {
    const brought = itemFields(childField(this.#field, 'brings'))
    return brought.map((item) => ({ object: nameOfBrought(item), place: placeOfField(item), kinds: [] }))
  }
}

// In the seed the range of Crossplane versions is an item of dependsOn.
function withSeedPlatform(known: PackageMetadata): PackageMetadata {
  const item = known.dependsOn?.find((each) => each.type === 'crossplane')
  return item === undefined ? known : { ...known, platform: { constraint: item.constraint, field: item.constraintField } }
}

/** An object that a package brings, with the kinds it makes the cluster serve. */
export interface ContentObject {
  /** The object as the package has it; a catalog only names objects, a PackageRevision of seed 003 types. */
  readonly written?: KrmObject
  /** `CustomResourceDefinition buckets.s3.aws.io` */
  readonly object: string
  readonly place: FieldPlace
  readonly kinds: readonly KindOfApi[]
}

/**
 * Returns the contents of a package: the definitions and compositions in the folder of its metadata and below. Definitions of Crossplane
 * become CustomResourceDefinitions, so both share their names (seed 003, PackageLock API).
 */
function contentsOf(metadata: KrmObject, objects: readonly KrmObject[]): ContentObject[] {
  if (isSeedRevision(metadata)) return seedContents(metadata)
  const folder = metadata.file?.path.replace(/[^/]*$/, '')
  if (folder === undefined) return []
  return objects.filter(({ file }) => file?.path.startsWith(folder)).flatMap((object) => contentOf(object) ?? [])
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

/** Returns true for a definition of kinds: of Kubernetes or of Crossplane. */
export function isDefinition(object: KrmObject): boolean {
  return isOneOf(object, [CUSTOM_RESOURCE_DEFINITION, ...DEFINITIONS])
}

function contentOf(object: KrmObject): ContentObject | undefined {
  const name = contentName(object)
  if (name === undefined) return undefined
  const kinds = isDefinition(object) ? definedKinds(object) : []
  return { written: object, object: name, place: placeIn(object, ['metadata', 'name'], object.name ?? ''), kinds }
}

const SEED_LISTS = ['customResourceDefinitions', 'infrastructureDefinitions', 'infrastructurePublications', 'compositions'] as const

// A PackageRevision of the seed lists types; those of three lists end as CustomResourceDefinitions.
function seedContents(revision: KrmObject): ContentObject[] {
  return SEED_LISTS.flatMap((list) =>
    itemFields(fieldAt(revision, ['spec', list])).map((item) => {
      const type = kindIn(item)
      const name = `${list === 'compositions' ? 'Composition' : 'CustomResourceDefinition'} ${type.apiVersion} ${type.kind}`
      return { object: name, place: placeOfField(item), kinds: list === 'compositions' ? [] : [type] }
    }),
  )
}
