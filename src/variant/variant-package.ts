import type { JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'

/** The folder of a package whose resources are only copied from: never part of the package, never injection points. */
export const SOURCE_FOLDER = 'sources'

/** One package, as a variant's mutations see it. */
export interface VariantPackage {
  readonly kptfile: KrmObject
  /**
   * Its own objects, the Kptfile among them, that may hold a word and that a test picks: no subpackage's, none below a source folder. The
   * test must not throw, since it may see objects of other packages too: most objects of a large package are never looked at, not even for
   * their files.
   */
  pick(word: string, test: (object: KrmObject) => boolean): readonly KrmObject[]
  /** The paths of its files, below its folder. */
  files(): readonly string[]
  /** Adds an object in a file of the package, or updates the one of its identity. */
  add(value: JsonRecord, file: string): KrmObject
}
