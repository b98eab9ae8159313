import type { JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/**
 * The folder of a package whose resources are only copied from. Resources in the folder are not part of the package and never injection
 * points.
 */
export const SOURCE_FOLDER = 'sources'

/** A package, as the mutations of a variant see the package. */
export interface VariantPackage {
  readonly kptfile: KrmObject
  /**
   * Returns the package's own objects, the Kptfile among them, that may hold a word and pass a test. Objects of subpackages and below a
   * source folder are left out. The test must not throw, since it may also run on objects of other packages. Most objects of a large
   * package are never parsed, not even for their files.
   */
  pick(word: string, test: (object: KrmObject) => boolean): readonly KrmObject[]
  /** Returns the paths of the package's files, relative to the package's folder. */
  files(): readonly string[]
  /** Adds an object in a file of the package, or updates the object with the same identity. */
  add(value: JsonRecord, file: string): KrmObject
}
