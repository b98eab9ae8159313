import { DELETION_LIMIT_TEXT, readDeletionLimit } from '../../src/fleet/deletion-limit.ts'
import { DEFAULT_OPTIONS, type FleetOptions } from '../../src/fleet/options.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { check } from '../../src/schema/generated/fan-out.js'
import { oneOf, readTextOptions, type TextOptions, TRUE_OR_FALSE } from '../../src/schema/read-text-options.ts'
import { decode } from '../../src/schema/validate.ts'
import { FAN_OUT_SCHEMA, type FanOutFields } from './schema.ts'

const OPTIONS: TextOptions<FanOutFields> = {
  allowEmpty: TRUE_OR_FALSE,
  maxDeletions: DELETION_LIMIT_TEXT,
  lookups: oneOf('optional', 'required'),
  status: TRUE_OR_FALSE,
}

/** The options of the function: those of the plan, and what it writes besides. */
export interface FanOutOptions extends FleetOptions {
  /** True to write `status.conditions` of each set. */
  readonly status: boolean
}

const OPTIONS_OF: Readonly<Record<string, (config: KrmObject) => FanOutFields>> = {
  FanOut: (config) => decode(config, { schema: FAN_OUT_SCHEMA, check }).value.spec ?? {},
  ConfigMap: decodeOptionsMap,
  PackageVariantSet: () => ({}),
}

/**
 * Returns the options in a functionConfig: a FanOut, a ConfigMap of texts, or none. A PackageVariantSet has no options: the functionConfig
 * is then a set to fan out.
 *
 * @throws FunctionError with every fault of the functionConfig
 */
export function decodeFanOutConfig(config: KrmObject | undefined): FanOutOptions {
  if (config === undefined) return { ...DEFAULT_OPTIONS, status: false }
  const { maxDeletions, ...fields } = readerFor(config, OPTIONS_OF)(config)
  return {
    ...DEFAULT_OPTIONS,
    status: false,
    config,
    ...fields,
    ...(maxDeletions !== undefined && { maxDeletions: readDeletionLimit(maxDeletions) }),
  }
}

/**
 * Returns the options in a ConfigMap.
 *
 * @throws FunctionError with every fault of the ConfigMap
 */
function decodeOptionsMap(config: KrmObject): FanOutFields {
  return readTextOptions(config, 'fan-out', OPTIONS)
}
