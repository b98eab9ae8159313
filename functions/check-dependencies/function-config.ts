import { type SharedFields, type SharedOptions, sharedOptions, unknownRules } from '../../src/dependencies/config/options.ts'
import { decodeSettings, SHARED_SETTINGS } from '../../src/dependencies/config/text-options.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { check } from '../../src/schema/generated/check-dependencies.js'
import { decode } from '../../src/schema/validate.ts'
import { CHECK_DEPENDENCIES_SCHEMA } from './schema.ts'

const NAME = 'check-dependencies'

const READERS: Readonly<Record<string, (config: KrmObject) => SharedFields>> = {
  CheckDependencies: (config) => {
    const rules = ({ spec = {} }: { readonly spec?: SharedFields }) => unknownRules(spec, NAME)
    return decode(config, { schema: CHECK_DEPENDENCIES_SCHEMA, check, rules }).value.spec ?? {}
  },
  ConfigMap: (config) => decodeSettings(config, NAME, SHARED_SETTINGS),
}

/**
 * Returns the options in a functionConfig: a CheckDependencies, a ConfigMap of texts, or none.
 *
 * @throws FunctionError with every fault of the functionConfig
 */
export function decodeCheckDependenciesConfig(config: KrmObject | undefined): SharedOptions {
  return sharedOptions(config === undefined ? {} : readerFor(config, READERS)(config), config)
}
