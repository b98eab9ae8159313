import { RunBudget } from '../cel/budget.ts'
import { CelError } from '../cel/cel-error.ts'
import { type CelValue, kindOf } from '../cel/value.ts'
import { duplicateInFleet } from '../fleet/sets.ts'
import { groupBy } from '../group-by.ts'
import { FLEET_POLICY_SCHEMA } from '../kinds/fleet-policy-schema.ts'
import { DEFAULT_NAMESPACE } from '../kubernetes/kinds.ts'
import { remember } from '../remember.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../result.ts'
import { decode } from '../schema/validate.ts'
import { FLEET_API } from '../well-known.ts'
import { type CompiledPolicy, compilePolicy, type PolicyExpression, type PolicyValidation } from './compile-policy.ts'
import { type Failure, PolicyFindings } from './policy-findings.ts'
import { type FleetWithSets, type PolicyFleet, type PolicyItem, policyFleet } from './policy-fleet.ts'
import { packagesAmong } from './policy-packages.ts'

/** Returns true if an object is a FleetPolicy, of any version. */
export function isFleetPolicy({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'FleetPolicy' && groupOf(apiVersion) === groupOf(FLEET_API)
}

/**
 * Judges the fleet of a list by the policies of the list, after a plan. Returns what `judgePolicies` returns; nothing for a list without
 * policies.
 *
 * @param packages  the packages of the fleet, by default those among the items
 */
export function policyResults(items: readonly KrmObject[], plan: FleetWithSets, packages = packagesAmong(items)): readonly Result[] {
  const policies = items.filter(isFleetPolicy)
  return policies.length === 0 ? [] : judgePolicies(policies, policyFleet(plan, packages))
}

/**
 * Judges a fleet by policies. Returns a finding for each validation that does not hold for an item, and for each fault of a policy. A
 * policy with faults is not judged; all others are.
 */
export function judgePolicies(policies: readonly KrmObject[], fleet: PolicyFleet): readonly Result[] {
  const budget = new RunBudget()
  const results = policies.flatMap((object) => judgePolicy(object, fleet, budget))
  return [...results, ...twinsOf(policies), ...fleet.faults()]
}

/** Returns a warning for each policy with the namespace and name of an earlier one. */
function twinsOf(policies: readonly KrmObject[]): readonly Result[] {
  const same = groupBy(policies, ({ namespace = DEFAULT_NAMESPACE, name = '' }) => `${namespace}/${name}`)
  return [...same.values()].flatMap(([first, ...later]) => later.map((object) => duplicateInFleet(object, first, 'both are judged here')))
}

function judgePolicy(object: KrmObject, fleet: PolicyFleet, budget: RunBudget): readonly Result[] {
  try {
    const { value, warnings } = decode(object, {
      schema: FLEET_POLICY_SCHEMA,
      rules: (fields) => compilePolicy(fields, fleet.typeOfKind).faults,
    })
    const { policy } = compilePolicy(value, fleet.typeOfKind, budget)
    const findings = new PolicyFindings(object, policy)
    new Judge(policy, fleet, findings).judgeAll()
    return [...warnings, ...findings.results()]
  } catch (error) {
    if (error instanceof FunctionError) return error.results
    throw error
  }
}

/** The value of an expression for an item, or the reason why there is none. */
type Outcome = { readonly value: CelValue; readonly failure?: undefined } | { readonly value?: undefined; readonly failure: Failure }

/**
 * Judges the items of one policy. An expression that does not read `item` is evaluated once for each different set of values of the
 * variables that it reads, so that a search through all variants is made once for each package and not once for each variant.
 */
class Judge {
  readonly #policy: CompiledPolicy
  readonly #fleet: PolicyFleet
  readonly #findings: PolicyFindings
  /** The variables of expressions. One map serves all items, since most fleets have more items than anything else. */
  readonly #variables = new Map<string, CelValue>()
  /** The values of the policy's own variables for the present item, and why others have none. */
  readonly #named = new Map<string, CelValue>()
  readonly #failures = new Map<string, Failure>()
  readonly #known = new Map<PolicyExpression, Map<string, Outcome>>()
  readonly #identities = new Identities()

  constructor(policy: CompiledPolicy, fleet: PolicyFleet, findings: PolicyFindings) {
    this.#policy = policy
    this.#fleet = fleet
    this.#findings = findings
    const { where, variables, validations } = policy
    const all = [where, ...variables.values(), ...validations.flatMap((each) => [each.expression, each.messageExpression])]
    for (const name of all.flatMap((each) => each?.wholes ?? [])) this.#variables.set(name, fleet.whole(name))
    this.#variables.set('variables', this.#named)
  }

  /** Judges every item until the budget of the policy is spent. */
  judgeAll(): void {
    const { forEach, where, validations, budget } = this.#policy
    const items = this.#fleet.items(forEach)
    let looked = 0
    for (const [index, item] of items.entries()) {
      if (budget.isSpent) {
        this.#findings.unjudged(items.length - index, items.length)
        return
      }
      this.#start(item)
      if (where !== undefined && this.#boolean(where, item) !== true) continue
      looked += 1
      for (const validation of validations) this.#validate(validation, item)
    }
    this.#findings.looked(looked, items)
  }

  #start({ value }: PolicyItem): void {
    this.#variables.set('item', value)
    if (this.#policy.variables.size === 0) return
    this.#named.clear()
    this.#failures.clear()
  }

  #validate({ expression, message, messageExpression, severity }: PolicyValidation, item: PolicyItem): void {
    if (this.#boolean(expression, item) !== false) return
    const evaluated = messageExpression === undefined ? undefined : this.#message(messageExpression, item)
    // ValidatingAdmissionPolicy too uses `message` where messageExpression gives blank text.
    const said = [evaluated, message].find((text) => text !== undefined && text.trim() !== '')
    this.#findings.violated({ expression, severity, message: said }, item)
  }

  /** Returns the value of a condition; undefined, with a finding, if the condition gives neither true nor false. */
  #boolean(expression: PolicyExpression, item: PolicyItem): boolean | undefined {
    const { value, failure } = this.#evaluate(expression)
    if (typeof value === 'boolean') return value
    this.#findings.failed(failure ?? wrongType(expression, value ?? null, 'true or false'), item)
    return undefined
  }

  /** Returns the message of an expression; undefined, with a finding, if the expression gives none. */
  #message(expression: PolicyExpression, item: PolicyItem): string | undefined {
    const { value, failure } = this.#evaluate(expression)
    if (typeof value === 'string') return value
    this.#findings.failed(failure ?? wrongType(expression, value ?? null, 'a string'), item)
    return undefined
  }

  #evaluate(expression: PolicyExpression): Outcome {
    if (expression.readsItem && expression.variables.length === 0) return this.#run(expression)
    for (const name of expression.variables) this.#define(name)
    // A variable that failed for this item failed for a reason of the item.
    const isShared = !expression.readsItem && expression.variables.every((name) => this.#named.has(name))
    if (!isShared) return this.#run(expression)
    const known = remember(this.#known, expression, () => new Map<string, Outcome>())
    const key = expression.variables.map((name) => this.#identities.of(this.#named.get(name))).join(' ')
    return remember(known, key, () => this.#run(expression))
  }

  /**
   * Evaluates a variable for the present item, unless that was done. A variable that fails is missing, and fails what reads the variable.
   */
  #define(name: string): void {
    const expression = this.#policy.variables.get(name)
    if (expression === undefined || this.#named.has(name) || this.#failures.has(name)) return
    const { value, failure } = this.#evaluate(expression)
    if (value !== undefined) this.#named.set(name, value)
    else if (failure !== undefined) this.#failures.set(name, failure)
  }

  #run(expression: PolicyExpression): Outcome {
    try {
      return { value: expression.program.value(this.#variables) }
    } catch (error) {
      if (!(error instanceof CelError)) throw error
      const { missingKey: { key } = { key: '' } } = error
      const cause = expression.variables.includes(key) ? this.#failures.get(key) : undefined
      return { failure: cause ?? { expression, error } }
    }
  }
}

function wrongType(expression: PolicyExpression, value: CelValue, wanted: string): Failure {
  return { expression, error: new CelError('convert', `must give ${wanted}, gives ${kindOf(value)},`) }
}

/** Texts that are equal for values that are the same: by value for scalars, by object for all others. */
class Identities {
  readonly #objects = new Map<object, number>()

  of(value: CelValue | undefined): string {
    if (typeof value === 'string') return `'${value.length}:${value}`
    if (typeof value !== 'object' || value === null) return `${typeof value}:${value}`
    const number = this.#objects.get(value) ?? this.#objects.size
    this.#objects.set(value, number)
    return String(number)
  }
}
