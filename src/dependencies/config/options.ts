import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result, Severity } from '../../result.ts'
import type { Fault } from '../../schema/fault.ts'
import { asQuestion, nearestNames } from '../../schema/nearest-name.ts'
import { oneOf, readTextOptions, type TextOption, type TextOptions, TRUE_OR_FALSE } from '../../schema/read-text-options.ts'
import { closedMap, type Infer, OFF_BY_DEFAULT, type Schema } from '../../schema/schema.ts'
import { GLOBAL_PACKAGE_NAMESPACE } from '../carvel/packages.ts'
import type { EcosystemOptions } from '../ecosystems.ts'
import type { Finding } from '../finding.ts'
import type { KindOfApi } from '../package-index.ts'
import { fieldAt, type ObjectField } from '../reading/field.ts'
import { RULE_SEVERITIES } from '../rule-severities.ts'
import { KIND, PACKAGE } from './catalog-schema.ts'
import { CLUSTER_PATTERN } from './clusters.ts'
import { PROVIDED, type ProvidedEntry, providedFaults, providedIn } from './provided.ts'

/** The options that every function on dependencies has. */
export const SHARED_OPTIONS = {
  universe: {
    description:
      'open: other packages may be installed and other versions exist. closed: only the packages of items, catalogs and cluster exist.',
    enum: ['open', 'closed'],
    default: 'open',
  },
  cluster: {
    description: 'Versions and kinds of the cluster.',
    ...closedMap({
      kubernetesVersion: { description: 'The version of Kubernetes.', type: 'string', examples: ['1.31.2'] },
      crossplaneVersion: {
        description: 'The version of Crossplane, or main. Absent: as v2.4, and no range of versions is checked.',
        type: 'string',
        pattern: '^(main|v?[0-9]+(\\.[0-9]+){0,2}([-+].*)?)$',
        examples: ['v2.1.3', 'main'],
      },
      kappControllerVersion: { description: 'The version of kapp-controller.', type: 'string', examples: ['0.54.0'] },
      apis: { description: 'Kinds that the cluster serves, beside the built-in ones.', type: 'array', items: KIND },
      globalPackageNamespace: {
        description: 'The namespace whose Packages every namespace sees.',
        type: 'string',
        default: 'kapp-controller-packaging-global',
      },
    }),
  },
  provided: PROVIDED,
  clusters: {
    description:
      'Where the packages of clusters are, for a tree whose clusters no Repository names: path patterns from the folder of the fleet, in which NAME captures the name of the cluster, * is within one step of the path, and ** any number of steps. Packages that no pattern matches are installed nowhere.',
    type: 'array',
    items: { type: 'string', pattern: CLUSTER_PATTERN.source, examples: ['clusters/NAME/**'] },
    examples: [['clusters/NAME/**']],
  },
  catalog: { description: 'Packages as in a Catalog.', type: 'array', items: PACKAGE },
  carvelSemver: { description: 'The semver library of kapp-controller that reads ranges.', enum: ['2024', '2026'], default: '2024' },
  crossplaneSemantics: {
    description: 'The forms of dependsOn that are read: the forms of Crossplane today, or of its package design.',
    enum: ['current', 'seed'],
    default: 'current',
  },
  rules: {
    description: 'The severity of a rule, by its id.',
    type: 'object',
    additionalProperties: { enum: ['error', 'warning', 'info', 'off'] },
  },
  strict: { description: 'True if warnings are errors.', ...OFF_BY_DEFAULT },
} as const satisfies Readonly<Record<string, Schema>>

/** The options of every function on dependencies, as they are written. */
export type SharedFields = { readonly [Name in keyof typeof SHARED_OPTIONS]?: Infer<(typeof SHARED_OPTIONS)[Name]> }

/** The options of every function on dependencies. */
export interface SharedOptions {
  readonly read: EcosystemOptions
  readonly apis: readonly KindOfApi[]
  /** The patterns of `spec.clusters`. */
  readonly clusters: readonly string[]
  /** The field `spec.catalog`. */
  readonly catalog: ObjectField | undefined
  readonly severities: ReadonlyMap<string, Severity | 'off'>
  readonly strict: boolean
  readonly provided: readonly ProvidedEntry[]
}

/** Returns the shared options from the written fields, with defaults for missing fields. */
export function sharedOptions(fields: SharedFields, config: KrmObject | undefined): SharedOptions {
  const {
    universe = 'open',
    cluster = {},
    clusters = [],
    carvelSemver = '2024',
    crossplaneSemantics = 'current',
    rules = {},
    strict = false,
    provided = [],
  } = fields
  const { apis = [], globalPackageNamespace = GLOBAL_PACKAGE_NAMESPACE, ...versions } = cluster
  return {
    read: { closed: universe === 'closed', ...versions, globalPackageNamespace, carvelSemver, crossplaneSemantics },
    apis,
    clusters,
    catalog: config === undefined || fields.catalog === undefined ? undefined : fieldAt(config, ['spec', 'catalog']),
    severities: new Map(Object.entries(rules)),
    strict,
    provided,
  }
}

/** Returns the options of one cluster: with what `provided` gives it. A part of a list without a name has what every cluster has. */
export function optionsIn(cluster: string | undefined, options: SharedOptions): SharedOptions {
  if (options.provided.length === 0) return options
  const { apis, hasPackage } = providedIn(cluster, options.provided)
  return { ...options, apis: [...options.apis, ...apis], read: { ...options.read, isProvided: hasPackage } }
}

/** Returns a fault for each severity of an unknown rule, and for each entry of `provided` without a meaning. */
export function optionFaults(fields: SharedFields, functionName: string): Fault[] {
  return [...unknownRules(fields, functionName), ...providedFaults(fields.provided ?? [])]
}

function unknownRules({ rules = {} }: SharedFields, functionName: string): Fault[] {
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

const VERSION = filled('a version')

/** A number from 1. */
export const WHOLE_NUMBER: TextOption<number> = {
  allowed: 'a whole number from 1',
  read: (text) => (/^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined),
}

/** The options of every function on dependencies that the data of a ConfigMap may have, each under its own name. */
export const SHARED_SETTINGS: TextOptions<Record<string, SharedFields>> = {
  universe: setting(oneOf('open', 'closed'), (universe) => ({ universe })),
  carvelSemver: setting(oneOf('2024', '2026'), (carvelSemver) => ({ carvelSemver })),
  crossplaneSemantics: setting(oneOf('current', 'seed'), (crossplaneSemantics) => ({ crossplaneSemantics })),
  strict: setting(TRUE_OR_FALSE, (strict) => ({ strict })),
  kubernetesVersion: setting(VERSION, (kubernetesVersion) => ({ cluster: { kubernetesVersion } })),
  crossplaneVersion: setting(VERSION, (crossplaneVersion) => ({ cluster: { crossplaneVersion } })),
  kappControllerVersion: setting(VERSION, (kappControllerVersion) => ({ cluster: { kappControllerVersion } })),
  globalPackageNamespace: setting(filled('a namespace'), (globalPackageNamespace) => ({ cluster: { globalPackageNamespace } })),
}

function filled(allowed: string): TextOption<string> {
  return { allowed, read: (text) => text || undefined }
}

/** Returns the text option whose value becomes fields of the options: `kubernetesVersion: 1.31.2` becomes `cluster.kubernetesVersion`. */
export function setting<Value, Fields>({ allowed, read }: TextOption<Value>, fieldsOf: (value: Value) => Fields): TextOption<Fields> {
  return {
    allowed,
    read: (text) => {
      const value = read(text)
      return value === undefined ? undefined : fieldsOf(value)
    },
  }
}

/**
 * Returns the options in the data of a ConfigMap.
 *
 * @throws FunctionError with every fault of it
 */
export function decodeSettings<Fields extends SharedFields>(
  config: KrmObject,
  functionName: string,
  settings: TextOptions<Record<string, Fields>>,
): Partial<Fields> {
  const read = readTextOptions<Record<string, Fields>>(config, functionName, settings)
  return Object.values(read).reduce<Partial<Fields>>((all, fields) => mergeFields(all, fields), {})
}

// Each text sets one field, or one of those of `cluster`.
function mergeFields<Fields extends SharedFields>(all: Partial<Fields>, fields: Fields | undefined): Partial<Fields> {
  const cluster = fields?.cluster && { cluster: { ...all.cluster, ...fields.cluster } }
  return { ...all, ...fields, ...cluster }
}

/** Returns findings as results, with the user's severities of their rules. Findings of rules that are `off` are left out. */
export function toResults(findings: readonly Finding[], options: Pick<SharedOptions, 'severities' | 'strict'>): Result[] {
  return findings.flatMap((finding) => {
    const { rule, severity = RULE_SEVERITIES.get(rule) ?? 'error' } = finding
    const wanted = options.severities.get(rule) ?? severity
    if (wanted === 'off') return []
    return [toResult(finding, options.strict && wanted === 'warning' ? 'error' : wanted)]
  })
}

function toResult({ message, place, proposedValue, rule, tags }: Finding, severity: Severity): Result {
  const { ref, file, path, currentValue } = place
  const position = path.length > 0 ? place.position : undefined
  return {
    severity,
    message,
    resourceRef: ref,
    ...(path.length > 0 && {
      field: { path, ...(currentValue !== undefined && { currentValue }), ...(proposedValue !== undefined && { proposedValue }) },
    }),
    ...(file && { file }),
    ...(position && { position }),
    tags: { rule, ...tags },
  }
}
