import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import type { Result } from '../result.ts'
import type { Chunk } from './split-documents.ts'

/** A folder of resources: its files as they were read, and a list to work on. */
export interface FolderPackage {
  readonly files: readonly PackageFile[]
  /** Every resource of every file, in the order of `kpt fn source`. What is changed, added or removed here is what gets written. */
  readonly list: ResourceList
  /** Warnings about files that were left out, and an error for each key that stands twice in a resource. */
  readonly results: readonly Result[]
}

/** A file that holds resources. Its path is relative to the folder, with slashes. */
export interface PackageFile {
  readonly path: string
  readonly documents: readonly PackageDocument[]
}

/** A piece of a file. Without an object it is left alone: comments, or YAML that is no resource, such as a list. */
export interface PackageDocument extends Chunk {
  readonly object?: KrmObject
}
