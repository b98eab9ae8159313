import type { TemplateExpression } from '../../src/kinds/template.ts'
import { isDns1123Label } from '../../src/kubernetes/names.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { readerFor } from '../../src/schema/config-map-pairs.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import type { Fault } from '../../src/schema/fault.ts'
import { decode, validate } from '../../src/schema/validate.ts'
import type { Validator } from '../../src/schema/validator.ts'
import type { SyncExpression, SyncOptions, SyncSystem } from '../../src/sync/options.ts'
import { GENERATE_SYNC_SCHEMA, type GenerateSyncFields } from './schema.ts'

/**
 * Returns the only GenerateSync of a list.
 *
 * @throws FunctionError when the list has none or several
 */
export function onlyConfig({ items }: ResourceList): KrmObject {
  const [only, ...others] = items.filter(({ kind }) => kind === 'GenerateSync')
  if (only !== undefined && others.length === 0) return only
  const message = `\`functionConfig\` must be a GenerateSync, or the input must hold one, got ${others.length === 0 ? 'none' : others.length + 1}`
  throw new FunctionError([{ severity: 'error', message, tags: { rule: 'sync-options' } }])
}

const EXPRESSIONS: readonly SyncExpression[] = ['nameExpr', 'projectExpr', 'destinationExpr', 'namespaceExpr', 'tagExpr', 'waveExpr']

const NAMESPACES: Readonly<Record<SyncSystem, string>> = {
  flux: 'flux-system',
  argocd: 'argocd',
  'config-sync': 'config-management-system',
}

const ONLY_FLUX = ['retryInterval', 'timeout', 'wait'] as const
const ONLY_ARGOCD = ['nameExpr', 'syncPolicy', 'createNamespace', 'serverSideApply'] as const

/** The options that a system has no field for. */
const NOT_FOR: ReadonlyMap<string, readonly (keyof GenerateSyncFields)[]> = new Map<SyncSystem, readonly (keyof GenerateSyncFields)[]>([
  ['flux', ['projectExpr', ...ONLY_ARGOCD]],
  ['argocd', ['interval', ...ONLY_FLUX]],
  ['config-sync', ['projectExpr', 'destinationExpr', 'waveExpr', 'dependsOn', 'prune', ...ONLY_FLUX, ...ONLY_ARGOCD]],
])

/** Reads the options of a GenerateSync, with the defaults of its system. @throws FunctionError with every fault of its fields */
export function decodeGenerateSync(config: KrmObject): SyncOptions {
  const fields = readerFor(config, READERS)(config)
  const { for: system, per = 'package', namespace = NAMESPACES[system], dependsOn = {}, interval, prune = true, remove = [] } = fields
  const { retryInterval, timeout, wait = true, createNamespace = false, serverSideApply = false, syncPolicy } = fields
  const expressions = EXPRESSIONS.flatMap((name): readonly (readonly [SyncExpression, TemplateExpression])[] => {
    const text = fields[name]
    return text === undefined ? [] : [[name, { text, path: ['spec', name] }]]
  })
  return {
    config,
    name: config.name ?? '',
    system,
    per,
    namespace,
    expressions: new Map(expressions),
    dependsOn: new Map(Object.entries(dependsOn)),
    ...(interval !== undefined && { interval }),
    ...(retryInterval !== undefined && { retryInterval }),
    ...(timeout !== undefined && { timeout }),
    ...(syncPolicy !== undefined && { syncPolicy }),
    wait,
    syncOptions: [...(createNamespace ? ['CreateNamespace=true'] : []), ...(serverSideApply ? ['ServerSideApply=true'] : [])],
    prune,
    remove: new Set(remove),
  }
}

/** Returns the faults that a GenerateSync has without a fleet. */
export function syncOptionFaults(config: KrmObject): readonly Result[] {
  return validate(config, VALIDATOR)
}

const VALIDATOR: Validator<typeof GENERATE_SYNC_SCHEMA> = {
  schema: GENERATE_SYNC_SCHEMA,
  rules: ({ spec }) => [...namespaceFaults(spec), ...durationFaults(spec), ...systemFaults(spec)],
}

const READERS: Readonly<Record<string, (config: KrmObject) => GenerateSyncFields>> = {
  GenerateSync: (config) => decode(config, VALIDATOR).value.spec,
}

function namespaceFaults({ namespace }: GenerateSyncFields): readonly Fault[] {
  if (namespace === undefined || isDns1123Label(namespace)) return []
  const message = `must be a namespace, at most 63 of a-z0-9 and '-', got ${quoteText(namespace)}`
  return [{ severity: 'error', rule: 'sync-value', path: ['spec', 'namespace'], message }]
}

/** Returns an error for each duration that is none: Flux would never read git again, Config Sync would take its default. */
function durationFaults(fields: GenerateSyncFields): readonly Fault[] {
  return (['interval', 'retryInterval', 'timeout'] as const).flatMap((name): readonly Fault[] => {
    const text = fields[name]
    if (text === undefined || !/^(0[0.]*[hms]+)+$/.test(text)) return []
    return [{ severity: 'error', rule: 'sync-value', path: ['spec', name], message: `must be longer than 0, got ${quoteText(text)}` }]
  })
}

/** Returns an error for each option that the system has no field for; none for a system that is misspelt, which is a fault of its own. */
function systemFaults(fields: GenerateSyncFields): readonly Fault[] {
  const refused = NOT_FOR.get(fields.for)
  if (refused === undefined) return []
  const others = fields.per === 'set' && fields.for !== 'argocd' ? (['per'] as const) : []
  const named = [...refused, ...others].filter((name) => fields[name] !== undefined)
  const message = (name: string) => (name === 'per' ? `must not be 'set' for ${fields.for}` : `must not be set for ${fields.for}`)
  return [
    ...named.map((name) => refusedOption(name, message(name))),
    ...(fields.syncPolicy === undefined ? [] : IN_POLICY.filter((name) => fields[name] !== undefined)).map((name) =>
      refusedOption(name, 'must not be set beside `syncPolicy`, which says the same'),
    ),
    ...(fields.nameExpr !== undefined && fields.per === 'repository'
      ? [refusedOption('nameExpr', "must not be set for `per` 'repository'")]
      : []),
  ]
}

/** The options that are fields of `syncPolicy`. */
const IN_POLICY = ['prune', 'createNamespace', 'serverSideApply'] as const

function refusedOption(name: keyof GenerateSyncFields, message: string): Fault {
  return { severity: 'error', rule: 'sync-options', path: ['spec', name], message, atKey: true }
}
