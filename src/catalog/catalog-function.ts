import type { KrmFunction } from '../run.ts'

/** A function of the KRM functions catalog (github.com/kptdev/krm-functions-catalog) that is built in. */
export interface CatalogFunction {
  readonly name: string
  /** The built-in versions, newest first: 'v0.4.1'. */
  readonly versions: readonly string[]
  /** Returns the function as it is in a version of the catalog. */
  at(version: string): KrmFunction
}
