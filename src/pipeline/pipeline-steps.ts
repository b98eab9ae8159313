import type { FieldPath } from '../field-path.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { KPTFILE_SCHEMA } from '../kinds/kptfile-schema.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../result.ts'
import { isNestedValue, scalarTexts } from '../schema/config-map-pairs.ts'
import { quoteText } from '../schema/describe-value.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'
import { validate } from '../schema/validate.ts'
import { configFiles, functionFaults } from '../variant/pipeline-function.ts'
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
 * @throws FunctionError  with every fault of the pipeline that kpt refuses, and with `condition`, the planned name of `when`
 */
export function pipelineSteps({ kptfile, files }: PackageInTree): readonly PipelineStep[] {
  refuseLargeKptfile(kptfile)
  if (kptfile.kind !== 'Kptfile' || kptfile.apiVersion !== 'kpt.dev/v1') throw new FunctionError([oldKptfile(kptfile)])
  const results = validate(kptfile, {
    schema: KPTFILE_SCHEMA,
    rules: ({ pipeline = {} }) =>
      (['mutators', 'validators'] as const).flatMap((stage) =>
        (pipeline[stage] ?? []).flatMap((fn, index) => {
          const field = ['pipeline', stage, index]
          const { image = '', exec = '' } = fn
          return [
            ...functionFaults(
              fn,
              field,
              configFiles(() => [...files.keys()]),
            ),
            ...(image !== '' && exec !== '' ? [fault('function-program', field, "must have one of 'image' and 'exec', has both")] : []),
            ...(image === '' ? [] : imageFaults(image, [...field, 'image'])),
            ...configFaults(fn, field, files),
            ...conditionFaults(fn, field),
            ...plannedCondition(fn, field),
          ]
        }),
      ),
  }).filter((result) => !isScalarOfConfigMap(result))
  if (hasErrors(results)) throw new FunctionError(results)
  return functionsIn(kptfile)
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

/** Throws FunctionError for a Kptfile that is too long to be read with the places of all its values. */
function refuseLargeKptfile(kptfile: KrmObject): void {
  const { length } = kptfile.toText()
  if (length <= MAX_KPTFILE) return
  const message = `a Kptfile must have at most ${MAX_KPTFILE} characters to run its pipeline, got ${length}`
  const { file, ref } = kptfile
  throw new FunctionError([{ severity: 'error', message, resourceRef: ref, ...(file && { file }), tags: { rule: 'kptfile' } }])
}

function oldKptfile(kptfile: KrmObject): Result {
  const message = `must be 'kpt.dev/v1' to run its pipeline, got ${quoteText(kptfile.apiVersion ?? '')}`
  return faultToResult(kptfile, fault('kptfile', ['apiVersion'], message))
}

function fault(rule: string, path: FieldPath, message: string): Fault {
  return { severity: 'error', rule, path, message }
}

function imageFaults(image: string, path: FieldPath): readonly Fault[] {
  const reason = imageFault(image)
  return reason === undefined ? [] : [fault('function-image', path, `${reason}, got ${quoteText(image)}`)]
}

/** Returns an error for a `configPath` to a file with several resources: nothing says which of them is the functionConfig. */
function configFaults({ configPath }: { readonly configPath?: string }, field: FieldPath, files: PackageInTree['files']): readonly Fault[] {
  const documents = files.get((configPath ?? '').replace(/^\.\//, ''))?.documents.filter(({ isEmpty }) => !isEmpty) ?? []
  if (documents.length < 2) return []
  const message = `must be a file with one resource, ${quoteText(configPath ?? '')} has ${documents.length}`
  return [fault('function-config-path', [...field, 'configPath'], message)]
}

/** Returns an error for `condition`, the planned name of `when`: ignoring a condition would run a function that must not run. */
function plannedCondition(fn: object, field: FieldPath): readonly Fault[] {
  return Object.hasOwn(fn, 'condition')
    ? [fault('condition-not-run', [...field, 'condition'], "must be 'when', as the field is called in kpt's API")]
    : []
}

/** Returns true for a fault of a scalar in a configMap, which is no fault: kpt reads the scalar as its text (docs/kpt-render R2). */
function isScalarOfConfigMap({ tags, field }: Result): boolean {
  const path = field?.path ?? []
  const value = field?.currentValue
  return tags.rule === 'wrong-type' && path.length === 5 && path[3] === 'configMap' && value !== undefined && !isNestedValue(value)
}

function stepOf(fn: JsonRecord, stage: PipelineStep['stage'], field: FieldPath, kptfile: KrmObject): PipelineStep {
  const configRef = lookup(fn, 'configRef')
  return {
    stage,
    kptfile,
    field,
    name: textOf(fn, 'name'),
    image: textOf(fn, 'image'),
    tag: textOf(fn, 'tag'),
    exec: textOf(fn, 'exec'),
    configPath: textOf(fn, 'configPath'),
    configMap: scalarTexts(kptfile, [...field, 'configMap'], asRecord(lookup(fn, 'configMap'))),
    configRef: isRecord(configRef) ? selectorOf(configRef) : undefined,
    selectors: selectorsOf(lookup(fn, 'selectors')),
    exclude: selectorsOf(lookup(fn, 'exclude')),
    when: stepCondition(textOf(fn, 'when')),
  }
}

function selectorsOf(value: JsonValue | undefined): readonly Selector[] {
  return Array.isArray(value) ? value.filter(isRecord).map(selectorOf) : []
}

function selectorOf(value: JsonRecord): Selector {
  return {
    apiVersion: textOf(value, 'apiVersion'),
    kind: textOf(value, 'kind'),
    name: textOf(value, 'name'),
    namespace: textOf(value, 'namespace'),
    labels: textsOf(value, 'labels'),
    annotations: textsOf(value, 'annotations'),
  }
}

function textOf(record: JsonRecord, key: string): string {
  const value = lookup(record, key)
  return typeof value === 'string' ? value : ''
}

function textsOf(record: JsonRecord, key: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(asRecord(lookup(record, key))).map(([name, value]) => [name, String(value)]))
}
