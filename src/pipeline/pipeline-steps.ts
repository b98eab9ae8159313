import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { KPTFILE_SCHEMA } from '../kinds/kptfile-schema.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { FunctionError, hasErrors, type Result } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { isNestedValue, scalarTexts } from '../schema/config-map-pairs.ts'
import { quoteText } from '../schema/describe-value.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'
import { validate } from '../schema/validate.ts'
import { configFile, configFiles, functionFaults } from '../variant/pipeline-function.ts'
import { KPTFILE_API } from '../well-known.ts'
import { conditionFaults, type StepCondition, stepCondition } from './condition.ts'
import { imageFault } from './image.ts'
import type { PackageInTree } from './package-tree.ts'

/** A decoded function of a pipeline. */
export interface PipelineStep {
  readonly stage: 'mutators' | 'validators'
  readonly kptfile: KrmObject
  /** The path of the function in its Kptfile: `pipeline.mutators[0]`. */
  readonly field: FieldPath
  readonly name: string
  /** '' for a function with `exec`. */
  readonly image: string
  readonly tag: string
  readonly exec: string
  readonly configPath: string
  readonly configMap: ReadonlyMap<string, string>
  readonly configRef: Selector | undefined
  readonly selectors: readonly Selector[]
  readonly exclude: readonly Selector[]
  /** Undefined for a function that always runs. */
  readonly when: StepCondition | undefined
}

/** The conditions for selecting a resource; a missing or empty field matches every resource. */
export interface Selector {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
}

/**
 * Returns the functions of a package's pipeline, mutators first whatever their order in the Kptfile.
 *
 * @throws FunctionError  with the findings of `pipelineFaults`, if one is an error
 */
export function pipelineSteps({ kptfile, files }: PackageInTree): readonly PipelineStep[] {
  const isResource = ({ isEmpty }: { readonly isEmpty: boolean }) => !isEmpty
  const results = pipelineFaults(
    kptfile,
    () => new Map([...files].map(([path, { documents }]) => [path, documents.filter(isResource).length])),
  )
  if (hasErrors(results)) throw new FunctionError(results.filter(({ severity }) => severity === 'error'))
  return functionsIn(kptfile)
}

/** Returns the number of resources in each file of a package, by the path from the folder of the package. */
export type CountFiles = () => ReadonlyMap<string, number>

/**
 * Returns every fault of a Kptfile for which kpt does not run the pipeline, and one for `condition`, the planned name of `when`. A number,
 * boolean or null in the place of a text is a warning: kpt reads it as its text.
 */
export function pipelineFaults(kptfile: KrmObject, countFiles: CountFiles): readonly Result[] {
  const refused = largeKptfile(kptfile) ?? foreignKptfile(kptfile)
  if (refused !== undefined) return [refused]
  const files = configFiles(() => [...countFiles().keys()])
  return validate(kptfile, {
    schema: KPTFILE_SCHEMA,
    rules: ({ pipeline = {} }) =>
      (['mutators', 'validators'] as const).flatMap((stage) =>
        (pipeline[stage] ?? []).flatMap((fn, index) => {
          const field = ['pipeline', stage, index]
          const { image = '', exec = '' } = fn
          return [
            ...functionFaults(fn, field, files),
            ...(image !== '' && exec !== '' ? [fault('function-program', field, "must have one of 'image' and 'exec', has both")] : []),
            ...(image === '' ? [] : imageFaults(image, [...field, 'image'])),
            ...configFaults(fn, field, countFiles),
            ...conditionFaults(fn, field),
            ...plannedCondition(fn, field),
          ]
        }),
      ),
  }).map((result) => {
    if (isScalarForText(result)) return { ...result, severity: 'warning', message: `${result.message}; kpt reads it as this text` }
    return isOfMain(result) ? { ...result, message: `${result.message}; the main branch of kpt knows it, no release does` } : result
  })
}

/** Returns true for an unknown field that the main branch of kpt has since its newest release (kptdev/kpt#4743). */
function isOfMain({ tags, field }: Result): boolean {
  return tags.rule === 'unknown-field' && field?.path.at(-1) === 'resourceFileRegexp'
}

/**
 * Returns the functions of a Kptfile, mutators first; what is no function is left out.
 *
 * @param pipeline  the path of the pipeline, for an object with a template of one
 */
export function functionsIn(kptfile: KrmObject, pipeline: FieldPath = ['pipeline']): readonly PipelineStep[] {
  return (['mutators', 'validators'] as const).flatMap((stage) => {
    const functions = kptfile.get([...pipeline, stage])
    if (!Array.isArray(functions)) return []
    return functions.flatMap((fn: JsonValue, index) => (isRecord(fn) ? [stepOf(fn, stage, [...pipeline, stage, index], kptfile)] : []))
  })
}

/** The most characters of a Kptfile: twice those of one functionConfig, and more than an API server takes as one object. */
const MAX_KPTFILE = 4_000_000

/** Returns the error of a Kptfile that is too long to be read with the places of all its values. */
function largeKptfile(kptfile: KrmObject): Result | undefined {
  const { length } = kptfile.toText()
  if (length <= MAX_KPTFILE) return undefined
  const message = `a Kptfile must have at most ${MAX_KPTFILE} characters to run its pipeline, got ${length}`
  return { severity: 'error', message, ...objectPlace(kptfile), tags: { rule: 'kptfile' } }
}

/** Returns the error of a Kptfile of another kind or version. */
function foreignKptfile(kptfile: KrmObject): Result | undefined {
  const { apiVersion = '', kind = '' } = kptfile
  if (kind === KPTFILE && apiVersion === KPTFILE_API) return undefined
  const [field, must, got] = kind === KPTFILE ? ['apiVersion', KPTFILE_API, apiVersion] : ['kind', KPTFILE, kind]
  const message = `must be ${quoteText(must)} to run its pipeline, got ${quoteText(got)}`
  return faultToResult(kptfile, fault('kptfile', [field], message))
}

function fault(rule: RuleId, path: FieldPath, message: string): Fault {
  return { severity: 'error', rule, path, message }
}

function imageFaults(image: string, path: FieldPath): readonly Fault[] {
  const reason = imageFault(image)
  return reason === undefined ? [] : [fault('function-image', path, `${reason}, got ${quoteText(image)}`)]
}

/** Returns an error for a `configPath` to a file with several resources: nothing says which of them is the functionConfig. */
function configFaults({ configPath = '' }: { readonly configPath?: string }, field: FieldPath, countFiles: CountFiles): readonly Fault[] {
  const count = configPath === '' ? 0 : (countFiles().get(configFile(configPath)) ?? 0)
  if (count < 2) return []
  const message = `must be a file with one resource, ${quoteText(configPath)} has ${count}`
  return [fault('function-config-path', [...field, 'configPath'], message)]
}

/** Returns an error for `condition`, the planned name of `when`: ignoring a condition would run a function that must not run. */
function plannedCondition(fn: object, field: FieldPath): readonly Fault[] {
  return Object.hasOwn(fn, 'condition')
    ? [fault('condition-not-run', [...field, 'condition'], "must be 'when', as the field is called in kpt's API")]
    : []
}

/** Returns true for a fault of a number, boolean or null in the place of a text, which is no fault: kpt reads it as its text. */
function isScalarForText({ tags, field, message }: Result): boolean {
  const { path = [], currentValue: value } = field ?? {}
  return (
    tags.rule === 'wrong-type' && path.length > 3 && message.includes(' must be a string, ') && value !== undefined && !isNestedValue(value)
  )
}

function stepOf(fn: JsonRecord, stage: PipelineStep['stage'], field: FieldPath, kptfile: KrmObject): PipelineStep {
  const text = (key: string) => textOf(kptfile, field, fn, key)
  const configRef = lookup(fn, 'configRef')
  return {
    stage,
    kptfile,
    field,
    name: text('name'),
    image: text('image'),
    tag: text('tag'),
    exec: text('exec'),
    configPath: text('configPath'),
    configMap: textsOf(kptfile, field, fn, 'configMap'),
    configRef: isRecord(configRef) ? selectorOf(kptfile, [...field, 'configRef'], configRef) : undefined,
    selectors: selectorsOf(kptfile, [...field, 'selectors'], lookup(fn, 'selectors')),
    exclude: selectorsOf(kptfile, [...field, 'exclude'], lookup(fn, 'exclude')),
    when: stepCondition(text('when')),
  }
}

function selectorsOf(kptfile: KrmObject, path: FieldPath, value: JsonValue | undefined): readonly Selector[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: JsonValue, index) => (isRecord(entry) ? [selectorOf(kptfile, [...path, index], entry)] : []))
}

function selectorOf(kptfile: KrmObject, path: FieldPath, value: JsonRecord): Selector {
  const text = (key: string) => textOf(kptfile, path, value, key)
  return {
    apiVersion: text('apiVersion'),
    kind: text('kind'),
    name: text('name'),
    namespace: text('namespace'),
    labels: textsOf(kptfile, path, value, 'labels'),
    annotations: textsOf(kptfile, path, value, 'annotations'),
  }
}

/**
 * Returns the text of a field as kpt reads it: that of a number or boolean as it is written, '' for null (docs/kpt-render R2).
 *
 * @example  `name: 1.50` in a selector selects the resource with the name `1.50`
 */
function textOf(kptfile: KrmObject, path: FieldPath, record: JsonRecord, key: string): string {
  const value = lookup(record, key) ?? null
  if (typeof value === 'string') return value
  return value === null ? '' : (scalarTexts(kptfile, path, { [key]: value }).get(key) ?? '')
}

function textsOf(kptfile: KrmObject, path: FieldPath, record: JsonRecord, key: string): ReadonlyMap<string, string> {
  const texts = lookup(record, key)
  return isRecord(texts) ? scalarTexts(kptfile, [...path, key], texts) : new Map()
}
