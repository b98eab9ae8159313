import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import type { Result } from '../result.ts'
import type { Chunk } from './split-documents.ts'

/** A folder of resources: its files as read, and a list to edit. */
export interface FolderPackage {
  readonly files: readonly PackageFile[]
  /** Every resource of every file, in the order of `kpt fn source`. Changes, additions and removals in the list are written. */
  readonly list: ResourceList
  /**
   * Warnings about files that were left out, an error for each duplicate key of a resource, and the errors of files that the reader spared.
   */
  readonly results: readonly Result[]
}

/** A file that holds resources. Its path is relative to the folder, with slashes. */
export interface PackageFile {
  readonly path: string
  readonly documents: readonly PackageDocument[]
}

/** A document of a file. A document without an object stays unchanged: comments, or YAML that is no resource, such as a list. */
export interface PackageDocument extends Chunk {
  readonly object?: KrmObject
}
