import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Severity } from '../../result.ts'
import type { Fault } from '../../schema/fault.ts'
import { asQuestion, nearestNames } from '../../schema/nearest-name.ts'
import type { Infer } from '../../schema/schema.ts'
import { GLOBAL_PACKAGE_NAMESPACE } from '../carvel/options.ts'
import { type EcosystemOptions, RULE_SEVERITIES } from '../ecosystems.ts'
import { fieldAt, type ObjectField } from '../reading/field.ts'
import type { GivenApi } from '../reading/served-kinds.ts'
import type { SHARED_OPTIONS } from './option-schema.ts'

/** The options of every function on dependencies, as they are written. */
export type SharedFields = { readonly [Name in keyof typeof SHARED_OPTIONS]?: Infer<(typeof SHARED_OPTIONS)[Name]> }

/** The options of every function on dependencies. */
export interface SharedOptions {
  readonly read: EcosystemOptions
  readonly apis: readonly GivenApi[]
  /** The field `spec.catalog`. */
  readonly catalog: ObjectField | undefined
  readonly severities: ReadonlyMap<string, Severity | 'off'>
  readonly strict: boolean
}

/** Returns the shared options from the written fields, with defaults for missing fields. */
export function sharedOptions(fields: SharedFields, config: KrmObject | undefined): SharedOptions {
  const { universe = 'open', cluster = {}, carvelSemver = '2024', crossplaneSemantics = 'current', rules = {}, strict = false } = fields
  const { apis = [], globalPackageNamespace = GLOBAL_PACKAGE_NAMESPACE, ...versions } = cluster
  return {
    read: { closed: universe === 'closed', ...versions, globalPackageNamespace, carvelSemver, crossplaneSemantics },
    apis,
    catalog: config === undefined || fields.catalog === undefined ? undefined : fieldAt(config, ['spec', 'catalog']),
    severities: new Map(Object.entries(rules)),
    strict,
  }
}

/** Returns a fault for each severity of an unknown rule. */
export function unknownRules({ rules = {} }: SharedFields, functionName: string): Fault[] {
  const nearest = nearestNames()([...RULE_SEVERITIES.keys()].sort())
  const unknown = Object.keys(rules).filter((id) => !RULE_SEVERITIES.has(id))
  return unknown.map((id) => {
    const proposedKey = nearest(id)
    return {
      severity: 'error',
      rule: 'unknown-field',
      path: ['spec', 'rules', id],
      message: `is no rule of ${functionName}${asQuestion(proposedKey)}`,
      atKey: true,
      ...(proposedKey !== undefined && { proposedKey }),
    }
  })
}
