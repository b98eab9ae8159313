import { expect, test } from 'vitest'
import { RunBudget } from '../cel/budget.ts'
import type { FleetPolicyFields } from '../kinds/fleet-policy-schema.ts'
import { compilePolicy, POLICY_WORK } from './compile-policy.ts'

type Spec = FleetPolicyFields['spec']

function compiled(spec: Partial<Spec>) {
  const fields: FleetPolicyFields = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'FleetPolicy',
    metadata: { name: 'p' },
    spec: { forEach: 'targets', validations: [{ expression: 'true' }], ...spec },
  }
  const { policy, faults } = compilePolicy(fields, () => undefined)
  return {
    policy,
    faults: faults.map(({ path, message }) => `${path.join('.')}: ${message.split('\n')[0]}`),
    hints: faults.map(({ message }) => message.split('\n').slice(1).join('\n')),
  }
}

test('each expression has its place, and a validation its severity and messages', () => {
  const { policy, faults } = compiled({
    where: "item.name != ''",
    variables: [{ name: 'a', expression: 'item.name' }],
    validations: [
      { expression: 'variables.a == item.name', message: 'said', severity: 'info' },
      { expression: 'true', messageExpression: 'variables.a' },
    ],
  })
  expect(faults).toEqual([])
  expect(policy).toMatchObject({
    forEach: 'targets',
    where: { path: ['spec', 'where'], text: "item.name != ''" },
    validations: [
      {
        expression: { path: ['spec', 'validations', 0, 'expression'], text: 'variables.a == item.name' },
        message: 'said',
        messageExpression: undefined,
        severity: 'info',
      },
      {
        expression: { path: ['spec', 'validations', 1, 'expression'], text: 'true' },
        message: undefined,
        messageExpression: { path: ['spec', 'validations', 1, 'messageExpression'], text: 'variables.a' },
        severity: 'error',
      },
    ],
  })
  expect([...policy.variables].map(([name, { path }]) => [name, ...path])).toEqual([['a', 'spec', 'variables', 0, 'expression']])
  expect(compiled({}).policy.where).toBeUndefined()
})

test.each([
  // [the expression, whether it reads the item, the variables and the lists that it reads]
  ['item.name == variables.a', true, ['a'], []],
  ['variables.a == variables.b && variables.a == variables.a', false, ['a', 'b'], []],
  ["repositories.exists(r, r.name == 'x') && variants.size() > 0", false, [], ['variants', 'repositories']],
  ['packages.all(item, item.name == variables.a)', false, ['a'], ['packages']],
  ['true', false, [], []],
])('%s reads the item: %s, the variables %j, and the lists %j', (expression, readsItem, variables, wholes) => {
  const named = ['a', 'b'].map((name) => ({ name, expression: "'x'" }))
  const { policy, faults } = compiled({ variables: named, validations: [{ expression }] })
  expect(faults).toEqual([])
  expect(policy.validations[0]?.expression).toMatchObject({ readsItem, variables, wholes })
})

test.each([
  ['bool', 'item.name == "a"', true],
  ['a value of any type', 'dyn(item.name)', true],
  ['a text', 'item.name', false],
  ['a number', 'item.name.size()', false],
])('a condition may give %s', (_what, expression, isSound) => {
  const type = expression.endsWith('size()') ? 'int' : 'string'
  const fault = `must give true or false, gives ${type}: ${expression}`
  const { faults, policy } = compiled({ where: expression, validations: [{ expression }] })
  expect(faults).toEqual(isSound ? [] : [`spec.where: ${fault}`, `spec.validations.0.expression: ${fault}`])
  expect(policy.where !== undefined).toBe(isSound)
  expect(policy.validations).toHaveLength(isSound ? 1 : 0)
})

test.each([
  ['item.name', true],
  ['dyn(1)', true],
  ['true', false],
])('a message may be given by %s: %s', (messageExpression, isSound) => {
  const { faults, policy } = compiled({ validations: [{ expression: 'true', messageExpression }] })
  expect(faults).toEqual(isSound ? [] : ['spec.validations.0.messageExpression: must give a string, gives bool: true'])
  // A message that does not compile takes nothing from its validation.
  expect(policy.validations).toHaveLength(1)
})

test('a condition that gives a value which can be compared has a hint, a message has none', () => {
  expect(compiled({ validations: [{ expression: 'item.name.size()' }] }).hints).toEqual([
    expect.stringMatching(/^hint: .*item\.name\.size\(\) == 1/),
  ])
  expect(compiled({ validations: [{ expression: 'true', messageExpression: 'item.name.size()' }] }).hints).toEqual([''])
})

test('a variable has the type of its expression, sees those above it, and is of any type where it has a fault', () => {
  const variables = [
    { name: 'broken', expression: 'item.nme' },
    { name: 'size', expression: 'item.name.size()' },
    { name: 'later', expression: 'variables.size + variables.broken' },
  ]
  const faultOf = (expression: string) => compiled({ variables, validations: [{ expression }] }).faults.slice(1)
  expect(compiled({ variables }).faults).toEqual([expect.stringMatching(/^spec\.variables\.0\.expression: must compile: 1:\d+: /)])
  expect(faultOf('variables.broken.any.field == 3')).toEqual([])
  expect(faultOf('variables.size == 3')).toEqual([])
  expect(faultOf("variables.size == 'a'")).toEqual([expect.stringContaining('must compile: ')])
  expect(faultOf('variables.other == 3')).toEqual([expect.stringContaining('spec.validations.0.expression: must compile: 1:10: ')])
})

test('a second variable of one name is a fault at its name, and the first one counts', () => {
  const variables = ["'text'", '7', '8'].map((expression) => ({ name: 'a', expression }))
  const { policy, faults } = compiled({ variables, validations: [{ expression: "variables.a == 'text'" }] })
  expect(faults).toEqual([1, 2].map((index) => `spec.variables.${index}.name: must differ from that of spec.variables[0], got 'a' twice`))
  expect(policy.variables.get('a')?.text).toBe("'text'")
})

test('the variables as a whole are a fault', () => {
  const { faults } = compiled({ variables: [{ name: 'a', expression: '1' }], validations: [{ expression: 'size(variables) > 0' }] })
  expect(faults).toEqual(['spec.validations.0.expression: must read a variable by its name, variables.NAME: size(variables) > 0'])
})

test('all faults are found at once, in the order of the evaluation', () => {
  const { faults } = compiled({
    where: 'nope',
    variables: [{ name: 'a', expression: 'nope' }],
    validations: [{ expression: 'nope', messageExpression: 'nope' }],
  })
  expect(faults.map((fault) => fault.split(': ')[0])).toEqual([
    'spec.variables.0.expression',
    'spec.where',
    'spec.validations.0.expression',
    'spec.validations.0.messageExpression',
  ])
  expect(faults[1]).toMatch(/^spec\.where: must compile: 1:1: undeclared reference to 'nope'/)
})

test('a policy has a quarter of the budget of a run, and what it costs is taken from the run', () => {
  expect(POLICY_WORK).toBe(40_000_000)
  const whole = new RunBudget()
  const spec: Spec = { forEach: 'targets', validations: [{ expression: 'true' }] }
  const fields: FleetPolicyFields = { apiVersion: 'fleet.krm-variants.dev/v1alpha1', kind: 'FleetPolicy', metadata: { name: 'p' }, spec }
  const { policy } = compilePolicy(fields, () => undefined, whole)
  expect([policy.budget.isSpent, policy.budget.isSpentByOthers]).toEqual([false, false])
  policy.budget.charge(POLICY_WORK + 1)
  expect([policy.budget.isSpent, policy.budget.isSpentByOthers, whole.isSpent]).toEqual([true, false, false])
})
