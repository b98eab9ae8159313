import type { KrmObject } from '../resource-list/krm-object.ts'

/**
 * What a file holds: the resources of its documents in their order, or bytes. A file without a resource in it (a README, a script, a
 * template, YAML that is no map) takes part as bytes.
 */
export type PackageContent = readonly KrmObject[] | Uint8Array

/** A package with its subpackages: every file by its path below the package's root folder, with slashes, in any order. */
export type PackageFiles = ReadonlyMap<string, PackageContent>

/** The packages of an update. */
export interface Packages {
  /** The upstream package as the downstream last took it. */
  readonly original: PackageFiles
  /** The upstream package as it is now. */
  readonly upstream: PackageFiles
  /** The downstream package with what people did to it. */
  readonly downstream: PackageFiles
}

/** What a file of the result holds. */
export type MergedContent = readonly MergedObject[] | Uint8Array

/** One resource of the result, with the object whose text it begins with. */
export interface MergedObject {
  readonly from: 'downstream' | 'upstream'
  /** One of the objects that were given, as it stands there. */
  readonly source: KrmObject
  /** `source` itself where nothing changed, else a draft of it: `source.takeText(object.toText())` makes the change. */
  readonly object: KrmObject
}

/** Whether a file takes part as bytes. */
export function isBytes(content: readonly unknown[] | Uint8Array | undefined): content is Uint8Array {
  return content instanceof Uint8Array
}

/** The resources of a file; none of bytes. */
export function objectsIn(content: PackageContent | undefined): readonly KrmObject[] {
  return content === undefined || isBytes(content) ? [] : content
}

/** A file as one side has it. */
export function keptContent(content: PackageContent, from: MergedObject['from']): MergedContent {
  return isBytes(content) ? content : content.map((object) => ({ from, source: object, object }))
}
