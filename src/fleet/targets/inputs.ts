import { CelError } from '../../cel/cel-error.ts'
import type { Program } from '../../cel/program.ts'
import type { CelValue } from '../../cel/value.ts'
import { celValue } from '../../cel/variables.ts'
import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { MatrixInput, VariantSet } from '../../kinds/variant-set.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { asQuestion } from '../../schema/nearest-name.ts'
import { nameFirst } from '../../wording.ts'
import type { Fleet, FleetObject, SetSurroundings } from '../fleet.ts'
import { duplicateInFleet } from '../sets.ts'
import { FailuresByPlace, noValueFaults, programFault } from '../templates/expression-faults.ts'
import { pathOf } from '../templates/render-template.ts'
import { type ExpressionCompiler, orCelError, TARGET_SCOPE, targetVariables } from '../templates/template-programs.ts'
import { whyNoneOfKind } from './no-match.ts'
import { describeTarget, type PlaceTarget, type TargetInputs } from './unrolled-target.ts'

/** The inputs of a set. */
export interface Inputs {
  /** Returns the inputs of a target; undefined for a set without inputs, and for a target that lacks one. */
  readonly of: (target: PlaceTarget) => TargetInputs | undefined
  /** Returns the faults of the targets asked about: an object that is missing or there twice, a name without a value. */
  readonly faults: () => readonly Result[]
}

export const NO_INPUTS: Inputs = { of: () => undefined, faults: () => [] }

/** A target that wants an object which is not there, or whose expression for the name fails. */
interface Missing {
  readonly input: MatrixInput
  readonly target: PlaceTarget
  readonly wanted: string | CelError
}

/** An input with the objects that it may name, and the compiled expression of the name. */
interface InputLookup {
  readonly input: MatrixInput
  readonly objects: ReadonlyMap<string, FleetObject>
  /** Undefined for a fixed name. */
  readonly program: Program | CelError | undefined
}

/** Reads the inputs of a set. The inputs of each target are looked up once, in the namespace of the set. */
export function readInputs(set: VariantSet, surroundings: SetSurroundings, compiler: ExpressionCompiler): Inputs {
  if (set.inputs.length === 0) return NO_INPUTS
  const { fleet, namespace } = surroundings
  const repositories = fleet.repositories(namespace)
  const lookups = set.inputs.map((input) => lookupOf(input, surroundings, compiler))
  const values = new WeakMap<KrmObject, CelValue>()
  const asValue = ({ object }: FleetObject): CelValue => {
    const value = values.get(object) ?? celValue(object.toJson())
    values.set(object, value)
    return value
  }
  const known = new Map<PlaceTarget, TargetInputs | undefined>()
  const missing: Missing[] = []
  const read = new Set<FleetObject>()
  const find = (target: PlaceTarget): TargetInputs | undefined => {
    const wanted = lookups.map((lookup) => ({ ...lookup, name: nameOf(lookup, target, repositories) }))
    const found = wanted.flatMap(({ input, objects, name }) => {
      const object = name instanceof CelError ? undefined : objects.get(name)
      if (object === undefined) return []
      read.add(object)
      return [[input.name, object] as const]
    })
    const names = new Set(found.map(([name]) => name))
    const absent = wanted.filter(({ input, name }) => !names.has(input.name) && (name instanceof CelError || !input.optional))
    missing.push(...absent.map(({ input, name }) => ({ input, target, wanted: name })))
    if (absent.length > 0) return undefined
    const sorted = found.toSorted(([a], [b]) => compareText(a, b))
    return { objects: new Map(found), value: new Map(sorted.map(([name, object]) => [name, asValue(object)])) }
  }
  return {
    of: (target) => {
      const inputs = known.has(target) ? known.get(target) : find(target)
      known.set(target, inputs)
      return inputs
    },
    faults: () => [...lookups.flatMap((lookup) => faultsOf(set, lookup, missing, surroundings)), ...twinsOf(read, set, fleet)],
  }
}

function lookupOf(input: MatrixInput, { fleet, namespace }: SetSurroundings, compiler: ExpressionCompiler): InputLookup {
  const { apiVersion, kind, objectName } = input
  const objects = new Map(fleet.objectsOf(apiVersion, kind, namespace).all.map((object) => [object.name, object]))
  return { input, objects, program: 'value' in objectName ? undefined : compiler.expressionOf(objectName.expression, TARGET_SCOPE) }
}

/** Returns a warning for each object with the kind, namespace and name of an earlier one that was read as an input. */
function twinsOf(read: ReadonlySet<FleetObject>, { inputs }: VariantSet, fleet: Fleet): readonly Result[] {
  const all = new Set(inputs.flatMap(({ apiVersion, kind }) => fleet.ofVersion(apiVersion, kind)))
  const same = groupBy(all, ({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)
  return [...same.values()].flatMap(([first, ...later]) =>
    read.has(first) ? later.map(({ object }) => duplicateInFleet(object, first.object)) : [],
  )
}

/** Returns the name of the object that a target wants, or the error of its expression. */
function nameOf(
  { input: { objectName }, program }: InputLookup,
  target: PlaceTarget,
  repositories: ReadonlyMap<string, FleetObject>,
): string | CelError {
  if ('value' in objectName) return objectName.value
  if (program === undefined || program instanceof CelError) return program ?? ''
  return orCelError(() => program.evaluate(targetVariables(target, repositories)))
}

function faultsOf(
  set: VariantSet,
  { input, objects, program }: InputLookup,
  missing: readonly Missing[],
  surroundings: SetSurroundings,
): readonly Result[] {
  if (program instanceof CelError)
    return 'value' in input.objectName ? [] : [programFault(set.object, input.objectName.expression, program)]
  const failed = new FailuresByPlace<PlaceTarget>()
  const wants: Wanting[] = []
  for (const { input: wanting, target, wanted } of missing) {
    if (wanting !== input) continue
    if (typeof wanted === 'string') wants.push({ target, wanted })
    else if ('expression' in input.objectName) failed.add({ expression: input.objectName.expression, error: wanted }, target)
  }
  return [...noValueFaults(set.object, failed, surroundings.fleet.nearestAmong), ...notThere(set, wants, { input, objects }, surroundings)]
}

const NAMED = 3

/** A target, and the name of the object that it wants. */
interface Wanting {
  readonly target: PlaceTarget
  readonly wanted: string
}

/** Returns the error of an input whose object is missing: the first targets, the objects that they want, and the nearest one. */
function notThere(
  { object }: VariantSet,
  [first, ...others]: readonly Wanting[],
  { input, objects }: Pick<InputLookup, 'input' | 'objects'>,
  surroundings: SetSurroundings,
): readonly Result[] {
  if (first === undefined) return []
  const { fleet, namespace } = surroundings
  const { apiVersion, kind } = input
  const none = whyNoneOfKind(input, surroundings)
  const more =
    others.length === 0
      ? ''
      : `; the same with ${nameFirst(others, NAMED, ({ target, wanted }) => `${quoteText(wanted)} for ${describeTarget(target)}`)}`
  const there =
    none === undefined ? asQuestion(fleet.nearestAmong([...objects.keys()])(first.wanted)) : `; ${none.replace(/^it has/, 'the list has')}`
  return [
    faultToResult(object, {
      severity: 'error',
      rule: 'input-missing',
      path: pathOf(input.objectName),
      message: `must name a ${kind} of '${apiVersion}' in namespace '${namespace}': ${describeTarget(first.target)} wants ${quoteText(first.wanted)}${there}${more}; \`optional: true\` lets a target be without`,
    }),
  ]
}
