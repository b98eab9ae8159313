import { decodePackageVariant, type PackageVariant } from '../kinds/package-variant.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { isEmptyConfigMap, readerFor } from '../schema/config-map-pairs.ts'
import { findVariant } from './find-variant.ts'
import type { VariantPackage } from './variant-package.ts'

/** The readers that turn a functionConfig into the options of a function. */
export interface ConfigReaders<Options> {
  /** Reads the options of the PackageVariant whose downstream is the package. */
  readonly variant: (variant: PackageVariant) => Options
  /** Readers for other kinds, by kind. Such a reader calls `findVariant` for options that the config does not have. */
  readonly kinds: Readonly<Record<string, ConfigReader<Options>>>
}

type ConfigReader<Options> = (config: KrmObject, findVariant: () => PackageVariant) => Options

/**
 * Returns the options of a function that does one mutation: read from a PackageVariant as functionConfig, from another known kind, or,
 * without a functionConfig, from the one PackageVariant among the items. An empty ConfigMap counts as no functionConfig, since kpt sends
 * one. Warnings are added to the results of the list.
 *
 * @throws FunctionError  with every fault of the functionConfig; if its kind is not known; in the cases of `findVariant`
 */
export function readVariantConfig<Options>(list: ResourceList, pkg: VariantPackage, readers: ConfigReaders<Options>): Options {
  const variantOf = (object: KrmObject) => {
    const { variant, warnings } = decodePackageVariant(object)
    list.results.push(...warnings)
    return variant
  }
  const find = () => variantOf(findVariant(list.items, pkg))
  const config = list.functionConfig
  if (config === undefined || isEmptyConfigMap(config)) return readers.variant(find())
  const whole: ConfigReader<Options> = (object) => readers.variant(variantOf(object))
  return readerFor(config, { PackageVariant: whole, ...readers.kinds })(config, find)
}
