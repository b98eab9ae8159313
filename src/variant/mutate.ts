import type { PackageVariant } from '../kinds/package-variant.ts'
import type { Result } from '../result.ts'
import { type ContextChange, contextChangeOf } from './context-change.ts'
import { type InjectionChange, injectConfiguration, injectionChangeOf } from './injection/inject.ts'
import type { InjectionSources } from './injection/injection-source.ts'
import { changePackageContext } from './package-context.ts'
import { changePipeline, type PipelineChange, pipelineChangeOf } from './pipeline.ts'
import { isState } from './state.ts'
import type { VariantPackage } from './variant-package.ts'

/** What is asked of a package, by mutation; one that nothing is asked of does nothing. */
export interface VariantChanges {
  readonly context?: ContextChange
  readonly pipeline?: PipelineChange
  readonly injection?: InjectionChange
}

/**
 * A mutation of a package, which edits objects of it; only lines that must change do.
 *
 * @param sources  the resources that configuration is taken from
 * @returns warnings and infos
 * @throws FunctionError  when the package or what is asked for is faulty
 */
export type Mutation = (pkg: VariantPackage, changes: VariantChanges, sources: InjectionSources) => readonly Result[]

/** Seed 000, Package Context Injection. */
export const mutateContext: Mutation = (pkg, { context }) => (context === undefined ? [] : changePackageContext(pkg, context))

/** Seed 000, Kptfile Function Pipeline Editing. */
export const mutatePipeline: Mutation = (pkg, { pipeline }) => (pipeline === undefined ? [] : [changePipeline(pkg, pipeline)])

/** Seed 000, Configuration Injection Details. */
export const mutateInjection: Mutation = (pkg, { injection }, sources) =>
  injection === undefined ? [] : injectConfiguration(pkg, injection, sources)

/**
 * All that a variant asks of its package, in the order of seed 000, Order of Mutations. What each says of the state it reached is left
 * out: whoever mutates many packages says it of all.
 */
export const mutate: Mutation = (pkg, changes, sources) =>
  [mutateContext, mutatePipeline, mutateInjection]
    .flatMap((mutation) => mutation(pkg, changes, sources))
    .filter((result) => !isState(result))

/**
 * What a PackageVariant asks for in its own fields.
 *
 * @param others  the names of other variants in sight, whose functions are not to be taken for its own
 */
export function changesOf(variant: PackageVariant, others: readonly string[]): VariantChanges {
  return {
    context: contextChangeOf(variant),
    pipeline: pipelineChangeOf(variant, others),
    injection: injectionChangeOf(variant),
  }
}
