import { type Field, fieldAt } from '../../src/dependencies/reading/field.ts'
import { GLOBAL_PACKAGE_NAMESPACE, type ReadOptions } from '../../src/dependencies/reading/options.ts'
import type { GivenApi } from '../../src/dependencies/reading/served-kinds.ts'
import { RULE_IDS } from '../../src/dependencies/rule.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, type Severity } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { type Fault, faultToResult } from '../../src/schema/fault.ts'
import { check } from '../../src/schema/generated/check-dependencies.js'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import type { Infer } from '../../src/schema/schema.ts'
import { decode } from '../../src/schema/validate.ts'
import { decodeOptionsMap } from './config-map.ts'
import { CHECK_DEPENDENCIES_SCHEMA } from './schema.ts'

/** The options of check-dependencies. */
export interface Options {
  readonly read: ReadOptions
  readonly apis: readonly GivenApi[]
  /** `spec.catalog`, where it stands. */
  readonly catalog: Field | undefined
  readonly severities: ReadonlyMap<string, Severity | 'off'>
  readonly strict: boolean
}

/** The options as they are written. */
export type OptionFields = NonNullable<Infer<typeof CHECK_DEPENDENCIES_SCHEMA>['spec']>

const OPTIONS_OF: Readonly<Record<string, (config: KrmObject) => OptionFields>> = {
  CheckDependencies: (config) => decode(config, { schema: CHECK_DEPENDENCIES_SCHEMA, check, rules: unknownRules }).value.spec ?? {},
  ConfigMap: decodeOptionsMap,
}

/**
 * The options in a functionConfig: a CheckDependencies, a ConfigMap of texts, or none.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeOptions(config: KrmObject | undefined): Options {
  const fields = config === undefined ? {} : fieldsOf(config)
  const { universe = 'open', cluster = {}, carvelSemver = '2024', crossplaneSemantics = 'current', rules = {}, strict = false } = fields
  const { apis = [], globalPackageNamespace = GLOBAL_PACKAGE_NAMESPACE, ...versions } = cluster
  return {
    read: { closed: universe === 'closed', cluster: { ...versions, globalPackageNamespace }, carvelSemver, crossplaneSemantics },
    apis,
    catalog: config === undefined || fields.catalog === undefined ? undefined : fieldAt(config, ['spec', 'catalog']),
    severities: new Map(Object.entries(rules)),
    strict,
  }
}

function fieldsOf(config: KrmObject): OptionFields {
  const { kind = '' } = config
  const read = Object.hasOwn(OPTIONS_OF, kind) ? OPTIONS_OF[kind] : undefined
  if (read !== undefined) return read(config)
  const message = `must be one of 'CheckDependencies', 'ConfigMap' in a functionConfig of check-dependencies, got ${quoteText(kind)}`
  throw new FunctionError([faultToResult(config, { severity: 'error', rule: 'function-config', path: ['kind'], message })])
}

function unknownRules({ spec }: Infer<typeof CHECK_DEPENDENCIES_SCHEMA>): Fault[] {
  const unknown = Object.keys(spec?.rules ?? {}).filter((id) => !RULE_IDS.includes(id))
  return unknown.map((id) => ({
    severity: 'error',
    rule: 'unknown-field',
    path: ['spec', 'rules', id],
    message: `is no rule of check-dependencies${didYouMean(id, RULE_IDS)}`,
    atKey: true,
  }))
}
