import { CelError } from '../cel/cel-error.ts'
import { formatExcerpt } from '../cel/expression-position.ts'
import { type BooleanProgram, compileExtendedCondition } from '../cel/program.ts'
import { prepareVariables } from '../cel/variables.ts'
import type { FieldPath } from '../field-path.ts'
import { formatHints } from '../fleet/templates/expression-faults.ts'
import { advise } from '../hints/advise.ts'
import { asRecord, isRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'

/** The only variable of a condition: the resources that the function would get. */
const SCOPE = ['resources'] as const

/** The condition of a function, `when`: the function runs if the condition holds for the resources that the function would get. */
export interface StepCondition {
  readonly text: string
  /**
   * Returns true if the function must run.
   *
   * @param resources  the resources after `selectors` and `exclude`, with the annotations that the function would see
   * @throws CelError  for a condition without a value
   */
  holds(resources: readonly JsonValue[]): boolean
}

/** Returns the condition of a function; undefined for a function without one. The condition must compile. */
export function stepCondition(text: string): StepCondition | undefined {
  if (text === '') return undefined
  let condition: BooleanProgram | undefined
  return {
    text,
    holds: (resources) => {
      condition ??= compileExtendedCondition(text, SCOPE, { advise })
      return condition.holds(prepareVariables(new Map([['resources', resources.map(withMetadata)]])))
    },
  }
}

/** Returns a resource with the empty name that kpt gives one without metadata, so that a condition need not ask for the field. */
function withMetadata(resource: JsonValue): JsonValue {
  return isRecord(resource) ? { ...resource, metadata: { name: '', ...asRecord(lookup(resource, 'metadata')) } } : resource
}

/** Returns the fault of a condition that does not compile or gives no bool; none for a sound one. */
export function conditionFaults({ when }: { readonly when?: JsonValue }, path: FieldPath): readonly Fault[] {
  if (typeof when !== 'string' || when === '') return []
  try {
    compileExtendedCondition(when, SCOPE, { advise })
    return []
  } catch (error) {
    if (!(error instanceof CelError)) throw error
    return [conditionFault([...path, 'when'], when, error)]
  }
}

/** Returns the fault of a condition. An evaluation error gets the position in the condition, which cel-go's text lacks. */
export function conditionFault(path: FieldPath, text: string, error: CelError): Fault {
  const { phase, line, column } = error
  const words = error.message.replaceAll(/^ERROR: <input>:/gm, '')
  const shown = line === undefined || column === undefined ? text : formatExcerpt(text, line, column)
  const message = {
    compile: `must compile: ${words}`,
    convert: `must give true or false, ${words}: ${text}`,
    eval: `must have a value: ${words}\n${shown}`,
  }[phase]
  return { severity: 'error', rule: 'function-condition', path, message: `${message}${formatHints(error)}` }
}

/** Returns the faults of all conditions in Kptfiles, PackageVariants and the templates of sets. */
export function checkConditions(items: readonly KrmObject[]): readonly Result[] {
  return items.flatMap((object) => pipelinePaths(object).flatMap((path) => faultsIn(object, path)))
}

/** Returns the paths of the pipelines in a Kptfile, a PackageVariant, or the templates of a set. */
export function pipelinePaths(object: KrmObject): readonly FieldPath[] {
  if (object.kind === 'Kptfile') return [['pipeline']]
  if (object.kind === 'PackageVariant') return [['spec', 'pipeline']]
  return (TEMPLATES[object.kind ?? ''] ?? []).flatMap((holders) => {
    const entries = object.get(holders)
    if (holders.at(-1) === 'template') return [[...holders, 'pipeline']]
    return Array.isArray(entries) ? entries.map((_, index) => [...holders, index, 'template', 'pipeline']) : []
  })
}

/** The templates of sets, and the lists whose entries have one, by kind. */
const TEMPLATES: Readonly<Record<string, readonly FieldPath[]>> = {
  PackageVariantSet: [['spec', 'targets']],
  PackageVariantMatrix: [
    ['spec', 'template'],
    ['spec', 'upstreams'],
    ['spec', 'targets'],
    ['spec', 'overrides'],
  ],
}

function faultsIn(object: KrmObject, path: FieldPath): readonly Result[] {
  return ['mutators', 'validators'].flatMap((stage) => {
    const functions = object.get([...path, stage])
    if (!Array.isArray(functions)) return []
    return functions
      .flatMap((fn: JsonValue, index): readonly Fault[] => (isRecord(fn) ? conditionFaults(fn, [...path, stage, index]) : []))
      .map((fault) => faultToResult(object, fault))
  })
}
