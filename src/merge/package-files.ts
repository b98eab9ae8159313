import type { KrmObject } from '../resource-list/krm-object.ts'

/**
 * The content of a file: the resources of its documents in order, or bytes. A file without resources (a README, a script, a template,
 * YAML that is no map) is merged as bytes.
 */
export type PackageContent = readonly KrmObject[] | Uint8Array

/** The files of a package and its subpackages, by their paths below the package's folder, with slashes, in any order. */
export type PackageFiles = ReadonlyMap<string, PackageContent>

/** The three packages of an update. */
export interface Packages {
  /** The upstream package at the downstream's last update. */
  readonly base: PackageFiles
  /** The upstream package at the new revision. */
  readonly theirs: PackageFiles
  /** The downstream package with people's edits. */
  readonly ours: PackageFiles
}

/** The content of a file of the result. */
export type MergedContent = readonly MergedObject[] | Uint8Array

/** A resource of the result, and the object that its text is based on. */
export interface MergedObject {
  readonly from: 'ours' | 'theirs'
  /** One of the given objects, unchanged. */
  readonly source: KrmObject
  /** `source` itself for an unchanged resource, else a draft of `source`: `source.takeText(object.toText())` makes the change. */
  readonly object: KrmObject
}

/** Returns true if a file is merged as bytes. */
export function isBytes(content: readonly unknown[] | Uint8Array | undefined): content is Uint8Array {
  return content instanceof Uint8Array
}

/** Returns the resources of a file; none for bytes and for a missing file. */
export function objectsIn<T = KrmObject>(content: readonly T[] | Uint8Array | undefined): readonly T[] {
  return content === undefined || isBytes(content) ? [] : content
}

/** Returns a file as one side has it. */
export function keptContent(content: PackageContent, from: MergedObject['from']): MergedContent {
  return isBytes(content) ? content : content.map((object) => ({ from, source: object, object }))
}

/**
 * The three sides of a merge; undefined for a side without the value.
 *
 * `base`: the upstream revision of the last update; `theirs`: the new upstream revision; `ours`: the downstream package with people's
 * edits. Comments also say upstream for theirs and downstream for ours.
 */
export interface ThreeWay<T> {
  readonly base: T | undefined
  readonly theirs: T | undefined
  readonly ours: T | undefined
}

export const SIDES = ['ours', 'base', 'theirs'] as const
