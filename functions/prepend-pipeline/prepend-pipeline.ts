import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { decode } from '../../src/schema/validate.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { NO_SOURCES } from '../../src/variant/injection/injection-source.ts'
import { rootPackage } from '../../src/variant/list-packages.ts'
import { mutatePipeline } from '../../src/variant/mutate.ts'
import { type PipelineChange, pipelineChangeOf } from '../../src/variant/pipeline.ts'
import { readVariantConfig } from '../../src/variant/variant-config.ts'
import type { VariantPackage } from '../../src/variant/variant-package.ts'
import { PREPEND_PIPELINE_SCHEMA } from './schema.ts'

/** Puts a variant's functions at the front of the Kptfile's pipeline (seed 000, Kptfile Function Pipeline Editing). */
export function prependPipeline(list: ResourceList): void {
  const pkg = rootPackage(list)
  const pipeline = decodeChange(list, pkg)
  list.results.push(...mutatePipeline(pkg, { pipeline }, NO_SOURCES))
}

/**
 * Returns the functions to prepend to the pipeline, from a functionConfig that is a PackageVariant or a PrependPipeline.
 *
 * @throws FunctionError with every fault of the functionConfig
 */
function decodeChange(list: ResourceList, pkg: VariantPackage): PipelineChange {
  const others = list.items.filter(isPackageVariant).map(({ name = '' }) => name)
  return readVariantConfig(list, pkg, {
    variant: (variant) => pipelineChangeOf(variant, others),
    kinds: { PrependPipeline: (config) => decodePrependPipeline(config, others) },
  })
}

function decodePrependPipeline(config: KrmObject, others: readonly string[]): PipelineChange {
  const { variant, mutators = [], validators = [] } = decode(config, { schema: PREPEND_PIPELINE_SCHEMA }).value.spec
  return { owner: variant, others, functions: { mutators, validators }, source: { object: config, path: ['spec'] } }
}
