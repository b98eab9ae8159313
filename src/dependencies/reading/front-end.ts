import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Finding } from '../finding.ts'
import type { Place, Universe } from '../universe.ts'
import type { CatalogPackage } from './catalog.ts'
import type { ReadOptions } from './options.ts'

/** A kind that a package brings. */
export interface ProvidedKind {
  readonly apiVersion: string
  readonly kind: string
  readonly by: string
  /** Whether the package is installed; else it would have to be. */
  readonly installed: boolean
}

/** An object that an installed package brings, and where it says so. */
export interface BroughtObject {
  readonly object: string
  /** The package and its version. */
  readonly by: string
  readonly package: string
  /** What the names of its revisions begin with (Crossplane). */
  readonly revisionPrefix?: string
  readonly place: Place
}

/** What one ecosystem's objects come to. */
export interface FrontEndReading {
  readonly universe: Universe
  /** What is wrong with the objects themselves. */
  readonly findings: readonly Finding[]
  readonly provided: readonly ProvidedKind[]
  readonly brought: readonly BroughtObject[]
}

/** Reads the objects and catalogs of one ecosystem. */
export type FrontEnd = (objects: readonly KrmObject[], catalog: readonly CatalogPackage[], options: ReadOptions) => FrontEndReading
