import { openBudget } from '../../../src/cel/budget.ts'
import { inferTypes } from '../../../src/cel/check/check.ts'
import { declareAll } from '../../../src/cel/check/declarations.ts'
import { namesOf } from '../../../src/cel/check/scope.ts'
import { formatType, type Type } from '../../../src/cel/check/types.ts'
import { NoValue } from '../../../src/cel/evaluate/closure.ts'
import { compileTree } from '../../../src/cel/evaluate/compile-tree.ts'
import { ConstantFault, findConstants } from '../../../src/cel/evaluate/constants.ts'
import { EXTENSION_SIGNATURES } from '../../../src/cel/extensions/extensions.ts'
import { Faults } from '../../../src/cel/faults.ts'
import { parse } from '../../../src/cel/parse/parse.ts'
import type { CelValue } from '../../../src/cel/value.ts'
import type { Variables } from '../../../src/cel/variables.ts'
import type { JsonRecord } from '../../../src/json.ts'
import { fieldOf, type SpecTest } from './spec-test.ts'
import { printValue, readType, readValue } from './values.ts'

/** Returns what a test wants: `error`, or a value and its static type, as far as it asks for them. */
export function expectation({ fields, type }: SpecTest): string {
  if (fields.evalError !== undefined) return 'error'
  const { typedResult, value = { boolValue: true } } = fields
  if (typedResult === undefined) return describe(readValue(value), isUnchecked(fields) ? undefined : type)
  const result = fieldOf(typedResult, 'result')
  return describe(result === undefined ? undefined : readValue(result), formatType(readType(fieldOf(typedResult, 'deducedType'))))
}

const EXTENSIONS = declareAll(EXTENSION_SIGNATURES)

/**
 * Returns what our engine makes of a test, without what Porch adds to CEL (literals of one type): as `expectation`, or `error` and its
 * words.
 */
export function answer(test: SpecTest): string {
  openBudget()
  try {
    return evaluate(test)
  } catch (cause) {
    if (cause instanceof Faults || cause instanceof ConstantFault) return `error ${cause.message}`
    throw cause
  }
}

/** The suites of what kpt's environment has beside the standard library; Porch's has not. */
const OF_KPT = /^(?:macros2|optionals)\//

function evaluate({ path, expr, fields, type: judged }: SpecTest): string {
  const isExtended = OF_KPT.test(path)
  const tree = parse(expr, isExtended)
  const checked = inferTypes(tree, namesOf(declaredTypes(fields), isExtended), isExtended ? EXTENSIONS : undefined)
  if (!isUnchecked(fields) && checked.faults.length > 0) throw new Faults(checked.faults)
  const type = isUnchecked(fields) || judged === undefined ? undefined : formatType(checked.typeOf(tree))
  if (fields.checkOnly === true) return describe(undefined, type)
  const outcome = compileTree(tree, checked, findConstants(tree, checked, !isExtended))({ variables: bindingsOf(fields), locals: [] })
  return outcome instanceof NoValue ? `error ${outcome.failure.message}` : describe(outcome, type)
}

function isUnchecked({ disableCheck }: JsonRecord): boolean {
  return disableCheck === true
}

function declaredTypes({ typeEnv }: JsonRecord): ReadonlyMap<string, Type> {
  const declarations = Array.isArray(typeEnv) ? typeEnv : []
  return new Map(declarations.map((each) => [String(fieldOf(each, 'name')), readType(fieldOf(fieldOf(each, 'ident'), 'type'))]))
}

function bindingsOf({ bindings = {} }: JsonRecord): Variables {
  return new Map(Object.entries(bindings ?? {}).map(([name, binding]) => [name, readValue(fieldOf(binding, 'value'))]))
}

function describe(value: CelValue | undefined, type: string | undefined): string {
  return `${value === undefined ? '' : printValue(value)}${type === undefined ? '' : ` of type ${type}`}`.trim()
}
