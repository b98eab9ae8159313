import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { FieldPlace } from '../finding.ts'
import type { BroughtObject } from '../owners.ts'
import type { Collector } from '../reading/collector.ts'
import type { ProvidedKind } from '../reading/ecosystem.ts'
import { childField, placeOfField } from '../reading/field.ts'
import { isGenerated } from '../reading/object-metadata.ts'
import { type KnownPackage, type KnownPackages, metadataOfPackage, type PackageMetadata } from './known.ts'
import type { CrossplanePackage, LockPackage } from './objects.ts'
import { friendlyID, isDigest, type PackageReference } from './reference.ts'
import { type CrossplaneContext, packageOfSource } from './requirements.ts'

/** Something that is installed: an object, or an entry of the Lock without one. */
export interface CrossplaneInstall extends PackageReference {
  /** The source and its version. */
  readonly name: string
  /** The prefix of its revisions' names; undefined for an entry of the Lock. */
  readonly revisionPrefix: string | undefined
  readonly place: FieldPlace
  /** The known package of its version. */
  readonly known: KnownPackage | undefined
  /** The metadata of its version, where known. */
  readonly metadata: PackageMetadata | undefined
  /** The entry of the Lock, read when nothing else is known. */
  readonly recorded: LockPackage | undefined
  readonly ignoresPlatform: boolean
  readonly skipsDependencies: boolean
  readonly generated: boolean
  /** Undefined for an entry of the Lock. */
  readonly object: KrmObject | undefined
  readonly objectName: string
}

/** Returns every install: objects, then entries of the Lock whose source no object has. */
export function readInstalls(
  packages: readonly CrossplanePackage[],
  lock: readonly LockPackage[],
  known: KnownPackages,
  collector: Collector,
): CrossplaneInstall[] {
  const entries = new Map(lock.map((entry) => [entry.source, entry]))
  const sources = new Set(packages.map(({ reference }) => reference.source))
  const find = (image: PackageReference): Found => {
    const found = known.ofImage(image)
    return { known: found, metadata: found && metadataOfPackage(found, collector) }
  }
  const objects = packages.map((each) => presentObject(each, entries.get(each.reference.source), find))
  return [...objects, ...lock.filter(({ source }) => !sources.has(source)).map((entry) => presentEntry(entry, find))]
}

type Found = Pick<CrossplaneInstall, 'known' | 'metadata'>
type Find = (image: PackageReference) => Found

function presentObject(each: CrossplanePackage, entry: LockPackage | undefined, find: Find): CrossplaneInstall {
  const { source, tag, digest } = each.reference
  return {
    ...each.reference,
    name: `${source} ${tag || digest}`.trim(),
    revisionPrefix: `${friendlyID(each.name, '')}-`,
    place: placeOfField(each.field),
    ...find(each.reference),
    recorded: entry?.version === (digest || tag) ? entry : undefined,
    ignoresPlatform: each.ignoresPlatform,
    skipsDependencies: each.skipsDependencies,
    generated: isGenerated(each.object, { written: tag || digest, marked: false }),
    object: each.object,
    objectName: each.name,
  }
}

function presentEntry(entry: LockPackage, find: Find): CrossplaneInstall {
  const { source, version } = entry
  const [tag, digest] = isDigest(version) ? ['', version] : [version, '']
  const place = placeOfField(childField(entry.field, 'version'))
  const flags = { ignoresPlatform: false, skipsDependencies: false, generated: false }
  const rest = { revisionPrefix: undefined, object: undefined, objectName: entry.name, ...flags }
  return { source, name: `${source} ${version}`.trim(), tag, digest, place, ...find({ source, tag, digest }), recorded: entry, ...rest }
}

/** Returns the kinds that the known versions of packages define, and if each is installed. */
export function providedKinds(present: readonly CrossplaneInstall[], context: CrossplaneContext): ProvidedKind[] {
  const { known } = context
  const installed = new Set(present.flatMap(({ source, tag, digest }) => [known.find(source, tag), known.find(source, digest)]))
  return known.all.flatMap((each) => {
    const { id, version } = each
    // A package that is being written has no version, so no install of it is possible.
    const packageFor = () => (version === '' ? undefined : packageOfSource(id, context))
    const provider = { packageFor, version, place: () => each.place(), by: id, installed: installed.has(each) }
    return each.provides().map((kind) => ({ ...kind, ...provider }))
  })
}

/** Returns the objects that an installed package brings. */
export function broughtObjects({ known, name, source, revisionPrefix }: CrossplaneInstall): BroughtObject[] {
  const bringer = { by: name, package: source, ...(revisionPrefix !== undefined && { revisionPrefix }) }
  return (known?.contents() ?? []).map(({ object, place }) => ({ object, ...bringer, place }))
}
