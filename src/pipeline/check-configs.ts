import { isRecord } from '../json.ts'
import { placeOptions } from '../kinds/kptfile-config-map.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteNames } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { didYouMean } from '../schema/nearest-name.ts'
import { proposeKey } from '../schema/unknown-field.ts'
import { CONTEXT_NAME } from '../variant/package-context.ts'
import { configFile } from '../variant/pipeline-function.ts'
import { optionsConfigMap } from './function-input.ts'
import { type BuiltinFunction, builtinVersion, type Runners } from './match.ts'
import type { PackageItems } from './package-items.ts'
import type { PipelineStep } from './pipeline-steps.ts'

/** A built-in function of a pipeline, with its functionConfig. */
interface Configured {
  readonly step: PipelineStep
  readonly builtin: BuiltinFunction
  readonly version: string
  /** Undefined for a function without one. */
  readonly config: KrmObject | undefined
}

/**
 * Returns the findings about the functionConfigs of built-in functions: what a function refuses whatever the resources are, and the options
 * that it ignores. A functionConfig that earlier functions or expressions may still change, and one of a function with a condition, has no
 * errors here.
 *
 * @param steps  the functions of Kptfiles, PackageVariants and templates, in order
 */
export function checkConfigs(steps: readonly PipelineStep[], packages: PackageItems, runners: Runners): readonly Result[] {
  return steps.flatMap((step, at) => {
    const found = builtinVersion(step, runners)
    const config = configOf(step, packages)
    if (found === undefined || config === 'unknown') return []
    const configured = { step, ...found, config }
    const mayChange = config?.file !== undefined && steps.slice(0, at).some((earlier) => mayWrite(earlier, step, runners))
    const isOpen = hasExpressions(step) || step.when !== undefined || mayChange
    const findings = [...configFindings(configured), ...unknownKeys(configured)]
    return isOpen ? findings.filter(({ severity }) => severity !== 'error') : findings
  })
}

/** Returns the functionConfig as far as files say it; undefined if the function has none, `unknown` if another file may have it. */
function configOf({ kptfile, configMap, configPath, configRef }: PipelineStep, packages: PackageItems): KrmObject | 'unknown' | undefined {
  if (configRef === undefined && configPath === '')
    return configMap.size === 0 ? undefined : KrmObject.fromDocument(JSON.stringify(optionsConfigMap(Object.fromEntries(configMap))))
  if (kptfile.kind !== 'Kptfile') return 'unknown'
  const files = packages.of(kptfile)
  const { kind, name } = configRef ?? {}
  const found =
    configRef === undefined
      ? (files.get(configFile(configPath)) ?? [])
      : [...files.values()].flat().filter((item) => item.kind === kind && item.name === name)
  return found.length === 1 && found[0] !== undefined ? found[0] : 'unknown'
}

/** The built-in functions that write no options of another function. */
const WRITES_NO_OPTIONS: ReadonlySet<string> = new Set([
  'list-setters',
  'remove-local-config-resources',
  'set-annotations',
  'set-image',
  'set-labels',
  'set-namespace',
])

/** Returns true if a function may write the functionConfig of a later one of the same Kptfile. */
function mayWrite(earlier: PipelineStep, { kptfile }: PipelineStep, runners: Runners): boolean {
  if (earlier.kptfile !== kptfile) return false
  const found = builtinVersion(earlier, runners)
  return found === undefined || !WRITES_NO_OPTIONS.has(found.builtin.name)
}

/** Returns true for a function of a template whose options are not complete: expressions, or the templates of overrides, may add some. */
function hasExpressions({ kptfile, field }: PipelineStep): boolean {
  if (kptfile.kind === 'Kptfile' || kptfile.kind === 'PackageVariant') return false
  return kptfile.kind === 'PackageVariantMatrix' || kptfile.get([...field, 'configMapExprs']) !== undefined
}

function configFindings({ step, builtin, version, config }: Configured): readonly Result[] {
  const { kptfile, field } = step
  const origin = { kptfile, path: [...field, 'configMap'] }
  return (builtin.configFindings?.(version, config) ?? []).flatMap((result): readonly Result[] => {
    if (result.resourceRef === undefined)
      return [
        faultToResult(kptfile, { severity: 'error', rule: result.tags.rule, path: field, message: `'${builtin.name}': ${result.message}` }),
      ]
    if (config === undefined || config.file !== undefined) return [result]
    // The findings of `unknownKeys` name the function.
    return result.tags.rule === 'unknown-field' ? [] : [placeOptions(result, config, origin)]
  })
}

/** Returns a finding for each key of a ConfigMap that a built-in function refuses or ignores. */
function unknownKeys({ step, builtin, version, config }: Configured): readonly Result[] {
  const notes = builtin.notes?.(version)
  const known = notes?.configMapKeys
  if (notes === undefined || known === undefined || config?.kind !== 'ConfigMap') return []
  const isInFile = config.file !== undefined
  const data = config.get(['data'])
  const keys = config.name === CONTEXT_NAME ? [] : isRecord(data) ? Object.keys(data) : []
  const effect = notes.refusesOtherKeys ? 'which refuses it' : 'which ignores it'
  const options = known.length === 0 ? 'it has no options' : `its options are ${quoteNames(known)}`
  return keys
    .filter((key) => !known.includes(key))
    .map((key) =>
      faultToResult(isInFile ? config : step.kptfile, {
        severity: notes.refusesOtherKeys ? 'error' : 'warning',
        rule: 'unknown-field',
        path: isInFile ? ['data', key] : [...step.field, 'configMap', key],
        message: `is not an option of ${builtin.name}, ${effect}; ${options}${didYouMean(key, known)}`,
        atKey: true,
        ...proposeKey(key, known),
      }),
    )
}
