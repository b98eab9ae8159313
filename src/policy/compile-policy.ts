import { MAX_RUN_WORK, RunBudget } from '../cel/budget.ts'
import { CelError } from '../cel/cel-error.ts'
import { DYN, formatType, recordOf, type Type } from '../cel/check/types.ts'
import { compileTyped, type TypedProgram, type VariableTypes } from '../cel/program.ts'
import type { FieldPath } from '../field-path.ts'
import { formatHints } from '../fleet/templates/expression-faults.ts'
import { advise } from '../hints/advise.ts'
import type { FleetPolicyFields, ItemKind } from '../kinds/fleet-policy-schema.ts'
import type { Severity } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { policyTypes, type TypeOfKind, WHOLES } from './policy-types.ts'

/** A compiled expression of a policy. */
export interface PolicyExpression {
  readonly path: FieldPath
  readonly text: string
  readonly program: TypedProgram
  /** False if the expression has the same value for all items with equal values of the variables that it reads. */
  readonly readsItem: boolean
  /** The variables of the policy that the expression reads. */
  readonly variables: readonly string[]
  /** The lists of the whole fleet that the expression reads. */
  readonly wholes: readonly string[]
}

/** A validation of a policy, compiled. */
export interface PolicyValidation {
  readonly expression: PolicyExpression
  readonly message: string | undefined
  readonly messageExpression: PolicyExpression | undefined
  readonly severity: Severity
}

/** A policy, compiled. */
export interface CompiledPolicy {
  readonly forEach: ItemKind
  readonly where: PolicyExpression | undefined
  readonly variables: ReadonlyMap<string, PolicyExpression>
  readonly validations: readonly PolicyValidation[]
  readonly budget: RunBudget
}

/**
 * Units of work of all evaluations of one policy: a quarter of those of a run, so that a policy that costs too much leaves the others
 * their part.
 */
export const POLICY_WORK = MAX_RUN_WORK / 4

const RULE = 'policy-expression'

/** The type that an expression must have. */
const DEMANDS = {
  bool: { types: ['bool', 'dyn'], must: 'must give true or false' },
  string: { types: ['string', 'dyn'], must: 'must give a string' },
} as const satisfies Readonly<Record<string, { readonly types: readonly Type['kind'][]; readonly must: string }>>

/**
 * Compiles every expression of a policy, and finds every fault on the way. An expression sees the variables above it, with the types of
 * their expressions; a variable that does not compile is dynamic, so that one fault is reported once.
 *
 * @param typeOfKind  the types of objects whose schema is known
 * @param whole  the budget of the run
 */
export function compilePolicy(
  { spec }: FleetPolicyFields,
  typeOfKind: TypeOfKind,
  whole = new RunBudget(),
): { policy: CompiledPolicy; faults: readonly Fault[] } {
  const compiler = new PolicyCompiler(policyTypes(spec.forEach, spec.where, typeOfKind), whole)
  const variables = (spec.variables ?? []).flatMap(({ name, expression }, i) => {
    const compiled = compiler.variable(name, expression, i)
    return compiled === undefined ? [] : [[name, compiled] as const]
  })
  const where = spec.where === undefined ? undefined : compiler.expression(spec.where, ['spec', 'where'], 'bool')
  const validations = spec.validations.flatMap(({ expression, message, messageExpression, severity = 'error' }, i): PolicyValidation[] => {
    const path = ['spec', 'validations', i]
    const holds = compiler.expression(expression, [...path, 'expression'], 'bool')
    const written =
      messageExpression === undefined ? undefined : compiler.expression(messageExpression, [...path, 'messageExpression'], 'string')
    return holds === undefined ? [] : [{ expression: holds, message, messageExpression: written, severity }]
  })
  const { budget, faults } = compiler
  return { policy: { forEach: spec.forEach, where, variables: new Map(variables), validations, budget }, faults }
}

/** Compiles the expressions of one policy, in the order of the policy. */
class PolicyCompiler {
  readonly budget: RunBudget
  readonly faults: Fault[] = []
  readonly #types: VariableTypes
  readonly #variables = new Map<string, Type>()
  readonly #places = new Map<string, number>()

  constructor(types: VariableTypes, whole: RunBudget) {
    this.budget = new RunBudget(POLICY_WORK, whole)
    this.#types = types
  }

  /** Compiles the expression of a variable, which the expressions after it can read. A second variable of one name is a fault. */
  variable(name: string, text: string, index: number): PolicyExpression | undefined {
    const path = ['spec', 'variables', index]
    const earlier = this.#places.get(name)
    const compiled = this.expression(text, [...path, 'expression'])
    if (earlier !== undefined) {
      const message = `must differ from that of spec.variables[${earlier}], got ${quoteText(name)} twice`
      this.faults.push({ severity: 'error', rule: RULE, path: [...path, 'name'], message })
      return undefined
    }
    this.#places.set(name, index)
    this.#variables.set(name, compiled?.program.type ?? DYN)
    return compiled
  }

  /** Compiles an expression; undefined if the expression has a fault. */
  expression(text: string, path: FieldPath, demand?: keyof typeof DEMANDS): PolicyExpression | undefined {
    try {
      const types = new Map(this.#types).set('variables', recordOf('variables', Object.fromEntries(this.#variables)))
      const program = compileTyped(text, types, { run: this.budget, advise })
      if (demand !== undefined && !DEMANDS[demand].types.some((kind) => kind === program.type.kind)) {
        const { must } = DEMANDS[demand]
        const hints = demand === 'bool' ? formatHints({ hints: program.comparedHints() }) : ''
        this.faults.push({ severity: 'error', rule: RULE, path, message: `${must}, gives ${formatType(program.type)}: ${text}${hints}` })
        return undefined
      }
      if (program.reads.some(([root, name]) => root === 'variables' && name === undefined)) {
        this.faults.push({ severity: 'error', rule: RULE, path, message: `must read a variable by its name, variables.NAME: ${text}` })
        return undefined
      }
      return described(text, path, program)
    } catch (error) {
      if (!(error instanceof CelError)) throw error
      const words = error.message.replaceAll(/^ERROR: <input>:/gm, '')
      this.faults.push({ severity: 'error', rule: RULE, path, message: `must compile: ${words}${formatHints(error)}` })
      return undefined
    }
  }
}

function described(text: string, path: FieldPath, program: TypedProgram): PolicyExpression {
  const roots = new Set(program.reads.map(([root]) => root))
  const variables = program.reads.flatMap(([root, name]) => (root === 'variables' && name !== undefined ? [name] : []))
  return {
    path,
    text,
    program,
    readsItem: roots.has('item'),
    variables: [...new Set(variables)],
    wholes: WHOLES.filter((name) => roots.has(name)),
  }
}
