import type { PackageVariant } from '../kinds/package-variant.ts'
import type { Result } from '../result.ts'
import { type InjectionChange, injectConfiguration, injectionChangeOf } from './injection/inject.ts'
import type { InjectionSources } from './injection/injection-source.ts'
import { type ContextChange, changePackageContext, contextChangeOf } from './package-context.ts'
import { changePipeline, type PipelineChange, pipelineChangeOf } from './pipeline.ts'
import { isState } from './state.ts'
import type { VariantPackage } from './variant-package.ts'

/** The changes to a package, by mutation. A mutation without a change does nothing. */
export interface VariantChanges {
  readonly context?: ContextChange
  readonly pipeline?: PipelineChange
  readonly injection?: InjectionChange
}

/**
 * A mutation of a package, which edits objects of the package and keeps all lines that need no change.
 *
 * @param sources  the resources that configuration is copied from
 * @returns warnings and infos
 * @throws FunctionError  if the package or the requested changes have faults
 */
export type Mutation = (pkg: VariantPackage, changes: VariantChanges, sources: InjectionSources) => readonly Result[]

/** Changes the package context (seed 000, Package Context Injection). */
const mutateContext: Mutation = (pkg, { context }) => (context === undefined ? [] : changePackageContext(pkg, context))

/** Changes the pipeline of the Kptfile (seed 000, Kptfile Function Pipeline Editing). */
export const mutatePipeline: Mutation = (pkg, { pipeline }) => (pipeline === undefined ? [] : changePipeline(pkg, pipeline))

/** Injects configuration (seed 000, Configuration Injection Details). */
export const mutateInjection: Mutation = (pkg, { injection }, sources) =>
  injection === undefined ? [] : injectConfiguration(pkg, injection, sources)

/**
 * Makes all changes of a variant to its package, in the order of seed 000, Order of Mutations. The infos about the reached state are left
 * out: a caller that mutates many packages reports one state for all.
 */
export const mutate: Mutation = (pkg, changes, sources) =>
  [mutateContext, mutatePipeline, mutateInjection]
    .flatMap((mutation) => mutation(pkg, changes, sources))
    .filter((result) => !isState(result))

/**
 * Returns the changes that the fields of a PackageVariant request.
 *
 * @param others  the names of the other variants of the run, whose functions must not be read as this variant's
 */
export function changesOf(variant: PackageVariant, others: readonly string[]): VariantChanges {
  return {
    context: contextChangeOf(variant),
    pipeline: pipelineChangeOf(variant, others),
    injection: injectionChangeOf(variant),
  }
}
