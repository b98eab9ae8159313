import { decodePackageVariant, type PackageVariant } from '../kinds/package-variant.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { isEmptyConfigMap } from '../schema/config-map-pairs.ts'
import { readerFor } from '../schema/reader-for.ts'
import { findVariant } from './find-variant.ts'
import type { VariantPackage } from './variant-package.ts'

/** How a function makes its options of a functionConfig. */
export interface ConfigReaders<Options> {
  /** Of the PackageVariant that the package is a downstream of. */
  readonly variant: (variant: PackageVariant) => Options
  /** Of other kinds, by kind. What such a config leaves to the variant, it asks for. */
  readonly kinds: Readonly<Record<string, ConfigReader<Options>>>
}

type ConfigReader<Options> = (config: KrmObject, findVariant: () => PackageVariant) => Options

/**
 * The options of a function that does one mutation: of a PackageVariant as functionConfig, of another kind it knows, or, with
 * none, of the one PackageVariant among the items. kpt sends an empty ConfigMap for none. Warnings go to the list's results.
 *
 * @throws FunctionError  with every fault of the functionConfig; when it is of no known kind; as `findVariant`
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
