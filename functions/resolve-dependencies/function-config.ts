import { type SharedOptions, sharedOptions, unknownRules } from '../../src/dependencies/config/options.ts'
import { decodeSettings, SHARED_SETTINGS, setting, WHOLE_NUMBER } from '../../src/dependencies/config/text-options.ts'
import type { ResolveOptions } from '../../src/dependencies/resolve-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { check } from '../../src/schema/generated/resolve-dependencies.js'
import { oneOf, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import { decode } from '../../src/schema/validate.ts'
import { RESOLVE_DEPENDENCIES_SCHEMA, type ResolveDependenciesFields } from './schema.ts'

const NAME = 'resolve-dependencies'

/** The options of resolve-dependencies. */
export interface ResolveDependenciesOptions extends SharedOptions {
  readonly resolve: ResolveOptions
  readonly lifecycle: boolean
}

const SETTINGS: TextOptions<Record<string, ResolveDependenciesFields>> = {
  ...SHARED_SETTINGS,
  strategy: setting(oneOf('satisfy', 'native'), (strategy) => ({ strategy })),
  upgrades: setting(oneOf('none', 'generated', 'all'), (upgrades) => ({ upgrades })),
  downgrades: setting(TRUE_OR_FALSE, (downgrades) => ({ downgrades })),
  prune: setting(TRUE_OR_FALSE, (prune) => ({ prune })),
  maxSteps: setting(WHOLE_NUMBER, (maxSteps) => ({ maxSteps })),
  lifecycle: setting(TRUE_OR_FALSE, (lifecycle) => ({ lifecycle })),
  inheritPullSettings: setting(TRUE_OR_FALSE, (inheritPullSettings) => ({ inheritPullSettings })),
}

const READERS: Readonly<Record<string, (config: KrmObject) => ResolveDependenciesFields>> = {
  ResolveDependencies: (config) => {
    const rules = ({ spec = {} }: { readonly spec?: ResolveDependenciesFields }) => unknownRules(spec, NAME)
    return decode(config, { schema: RESOLVE_DEPENDENCIES_SCHEMA, check, rules }).value.spec ?? {}
  },
  ConfigMap: (config) => decodeSettings(config, NAME, SETTINGS),
}

const MAX_STEPS = 1_000_000

/**
 * Returns the options in a functionConfig: a ResolveDependencies, a ConfigMap of texts, or none.
 *
 * @throws FunctionError with every fault of the functionConfig
 */
export function decodeResolveDependenciesConfig(config: KrmObject | undefined): ResolveDependenciesOptions {
  const fields = config === undefined ? {} : readerFor(config, READERS)(config)
  const { strategy = 'satisfy', upgrades = 'none', downgrades = false, prune = false, maxSteps = MAX_STEPS } = fields
  const { lifecycle = false, inheritPullSettings = false } = fields
  const shared = sharedOptions(fields, config)
  return {
    ...shared,
    read: { ...shared.read, inheritPullSettings },
    resolve: { strategy, upgrades, downgrades, prune, maxSteps },
    lifecycle,
  }
}
