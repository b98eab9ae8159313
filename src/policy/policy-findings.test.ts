import { expect, test } from 'vitest'
import { DEFAULT_OPTIONS } from '../fleet/options.ts'
import { planFanOut } from '../fleet/plan-fan-out.ts'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { isFleetPolicy, policyResults } from './judge-policies.ts'

const repository = (name: string, labels: JsonRecord): JsonRecord => ({
  apiVersion: 'config.porch.kpt.dev/v1alpha1',
  kind: 'Repository',
  metadata: { name, labels },
})
const FLEET = [repository('ham', { ring: 'canary', size: '3' }), repository('ber', { ring: 'world', size: 'many' })]

const policyOf = (spec: JsonRecord, name = 'p'): JsonRecord => ({
  apiVersion: 'fleet.krm-variants.dev/v1alpha1',
  kind: 'FleetPolicy',
  metadata: { name },
  spec: { forEach: 'targets', ...spec },
})

const objectOf = (value: JsonRecord, index = 0) =>
  KrmObject.fromDocument(JSON.stringify(value), { path: `${index}.yaml`, index: 0, line: 1 })

/** Returns each finding as SEVERITY RULE: MESSAGE. */
function judged(...objects: readonly JsonRecord[]): readonly string[] {
  const items = objects.map(objectOf)
  return policyResults(items, planFanOut(ResourceList.of(items), DEFAULT_OPTIONS)).map(
    ({ severity, tags, message }) => `${severity} ${tags.rule}: ${message}`,
  )
}

const only = (validation: JsonRecord, more: JsonRecord = {}) => judged(...FLEET, policyOf({ validations: [validation], ...more }))

test('a validation that does not hold is a finding for its item alone, with the severity of the validation', () => {
  expect(only({ expression: "item.name == 'ham'", message: 'no' })).toEqual([
    expect.stringMatching(/^error policy-violation: .*ber.*: no \(FleetPolicy p in /),
  ])
  expect(only({ expression: "item.name == 'ham'", message: 'no', severity: 'warning' })).toEqual([
    expect.stringContaining('warning policy-violation'),
  ])
  expect(only({ expression: 'true' })).toEqual([])
})

test.each([
  ['the message', { message: 'said' }, 'said'],
  ['what messageExpression gives', { message: 'said', messageExpression: "'given'" }, 'given'],
  ['the message where messageExpression gives blanks', { message: 'said', messageExpression: "' '" }, 'said'],
  ['the expression where neither is there', {}, "must pass item.name == 'ham'"],
  ['a message of several lines in one', { message: ' a\n  b ' }, 'a b'],
])('a finding says %s', (_what, more, said) => {
  expect(only({ expression: "item.name == 'ham'", ...more })).toEqual([expect.stringContaining(`: ${said} (FleetPolicy`)])
})

test('a very long message is cut', () => {
  const [finding = ''] = only({ expression: "item.name == 'ham'", message: 'a'.repeat(3000) })
  expect(finding.length).toBeLessThan(1200)
})

test('a policy looks only at items for which its condition holds', () => {
  expect(only({ expression: 'false' }, { where: "item.labels.ring == 'canary'" })).toHaveLength(1)
})

test('a condition that holds for nothing is a warning, and an error for a ring that is misspelt', () => {
  const where = (text: string) => only({ expression: 'true' }, { where: text })
  expect(where("item.labels.ring == 'canry'")).toEqual([
    expect.stringMatching(/^error policy-empty: .*no target has the labels.ring 'canry'; did you mean 'canary'\?/),
  ])
  expect(where("item.labels.ring == 'moon'")).toEqual([
    expect.stringMatching(/^warning policy-empty: .*no target has the labels.ring 'moon', but '(?:canary|world)', '(?:canary|world)'/),
  ])
  expect(where("item.name == 'hem'")).toEqual([expect.stringMatching(/^warning policy-empty: .*did you mean 'ham'/)])
  expect(where('false')).toEqual([expect.stringContaining('holds for none of 2 targets: the policy looks at nothing')])
})

test('a policy that looks at something gets a warning for a ring that is misspelt', () => {
  const where = (text: string) => only({ expression: 'true' }, { where: text })
  expect(where("item.labels.ring in ['canry', 'world']")).toEqual([
    "warning policy-empty: `spec.where` must name what the fleet has; no target has the labels.ring 'canry'; did you mean 'canary'?",
  ])
  expect(where("item.labels.ring in ['moon', 'world']")).toEqual([])
})

test('a ring that differs in its number alone is another ring, and no slip', () => {
  const fleet = [repository('a', { ring: 'ring-1' })]
  expect(judged(...fleet, policyOf({ where: "item.labels.ring == 'ring-2'", validations: [{ expression: 'true' }] }))).toEqual([
    expect.stringMatching(/^warning policy-empty: /),
  ])
})

test('a policy for something that the fleet does not have looks at nothing', () => {
  expect(judged(policyOf({ validations: [{ expression: 'true' }] }))).toEqual([
    expect.stringContaining('it has no target; the policy looks at nothing'),
  ])
  for (const [forEach, noun] of [
    ['packages', 'package'],
    ['objects', 'object in a package'],
  ] as const)
    expect(judged(...FLEET, policyOf({ forEach, validations: [{ expression: 'true' }] }))).toEqual([
      `warning policy-empty: \`spec.forEach\` must be something that the fleet has, it has no ${noun} that was made for a variant (\`krm-variants render\` makes them); the policy looks at nothing`,
    ])
})

test('an expression without a value is one finding for all items with the same reason', () => {
  expect(only({ expression: 'int(item.labels.size) > 0' })).toEqual([
    expect.stringMatching(/^error policy-evaluation: .*must have a value for .*ber/),
  ])
  expect(only({ expression: "item.labels.nope == 'a'" })).toEqual([
    expect.stringMatching(/must have a value for 2 targets \(.*ber.*ham.*|must have a value for 2 targets \(.*ham.*ber/),
  ])
})

test('a value of another type is no answer', () => {
  expect(only({ expression: 'dyn(item.labels)' })).toEqual([expect.stringContaining('must give true or false, gives map, for 2 targets')])
  expect(only({ expression: 'false', messageExpression: 'dyn(item.labels)' })).toEqual(
    expect.arrayContaining([expect.stringContaining('must give a string, gives map, for 2 targets')]),
  )
})

test.each([
  ['an expression that gives a number', { validations: [{ expression: '1' }] }, 'must give true or false, gives int: 1'],
  ['a message that gives a number', { validations: [{ expression: 'true', messageExpression: '1' }] }, 'must give a string, gives int: 1'],
  ['a condition that gives a number', { where: '1', validations: [{ expression: 'true' }] }, 'must give true or false'],
  ['an expression that does not compile', { validations: [{ expression: 'nope' }] }, "must compile: 1:1: undeclared reference to 'nope'"],
  [
    'the variables as a whole',
    { variables: [{ name: 'a', expression: '1' }], validations: [{ expression: 'size(variables) > 0' }] },
    'must read a variable by its name',
  ],
  [
    'two variables of one name',
    {
      variables: [
        { name: 'a', expression: '1' },
        { name: 'a', expression: '2' },
      ],
      validations: [{ expression: 'variables.a == 1' }],
    },
    "must differ from that of spec.variables[0], got 'a' twice",
  ],
  [
    'a variable below the one that reads it',
    {
      variables: [
        { name: 'a', expression: 'variables.b' },
        { name: 'b', expression: '2' },
      ],
      validations: [{ expression: 'true' }],
    },
    'must compile',
  ],
])('%s is a fault of the policy, which is then not judged', (_what, spec, message) => {
  expect(judged(...FLEET, policyOf(spec))).toEqual([expect.stringContaining(message)])
})

test('a policy with a fault does not keep others from being judged', () => {
  const results = judged(
    ...FLEET,
    policyOf({ validations: [{ expression: '1' }] }),
    policyOf({ validations: [{ expression: 'false' }] }, 'q'),
  )
  expect(results.map((line) => line.split(':')[0])).toEqual(['error policy-expression', 'error policy-violation', 'error policy-violation'])
})

test('a second policy of one name is named, and judged', () => {
  const results = judged(...FLEET, policyOf({ validations: [{ expression: 'true' }] }), policyOf({ validations: [{ expression: 'true' }] }))
  expect(results).toEqual([expect.stringContaining('both are judged here')])
})

test('a FleetPolicy is one of the group of fleets, of any version', () => {
  const is = (apiVersion: string, kind: string) => isFleetPolicy(objectOf({ apiVersion, kind, metadata: { name: 'a' } }))
  expect([
    is('fleet.krm-variants.dev/v2', 'FleetPolicy'),
    is('example.com/v1', 'FleetPolicy'),
    is('fleet.krm-variants.dev/v1alpha1', 'Policy'),
  ]).toEqual([true, false, false])
})

test('what a policy says of a Secret does not show its values', () => {
  const kptfile: JsonRecord = {
    apiVersion: 'kpt.dev/v1',
    kind: 'Kptfile',
    metadata: { name: 'a', annotations: { 'krm-variants.dev/package-variant': 'default/a' } },
  }
  const secret: JsonRecord = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { key: 'hunter2hunter2' } }
  for (const [forEach, key] of [
    ['objects', 'item.stringData.key'],
    ['packages', 'item.objects[0].stringData.key'],
  ] as const) {
    const items = [
      KrmObject.fromDocument(JSON.stringify(kptfile), { path: 'r/a/Kptfile', index: 0, line: 1 }),
      KrmObject.fromDocument(JSON.stringify(secret), { path: 'r/a/s.yaml', index: 0, line: 1 }),
      objectOf(policyOf({ forEach, validations: [{ expression: 'false', messageExpression: `'has ' + ${key}` }] })),
    ]
    const results = policyResults(items, planFanOut(ResourceList.of(items), DEFAULT_OPTIONS))
    expect(results).toMatchObject([{ message: expect.stringContaining(': has not-shown (') }])
  }
})

const EMPTY = expect.stringMatching(/^warning policy-empty: /)
const NO_VALUE = expect.stringMatching(/^error policy-evaluation: /)

test.each([
  ['holds for some', "item.name == 'ham'", []],
  ['holds for none', "item.name == 'x'", [EMPTY]],
  ['has no value for any, so that it is not known whether it holds', "item.labels.nope == 'a'", [NO_VALUE]],
  ['has no value for one, and does not hold for the other', 'int(item.labels.size) > 3', [NO_VALUE]],
  ['has no value for one, and holds for the other', 'int(item.labels.size) == 3', [NO_VALUE]],
])('the findings of a policy whose condition %s', (_what, where, findings) => {
  expect(only({ expression: 'true' }, { where })).toEqual(findings)
})

test('a message has at most 1000 characters', () => {
  const saidOf = (length: number) =>
    /: (a+)(.*) \(FleetPolicy/.exec(only({ expression: "item.name == 'ham'", message: 'a'.repeat(length) })[0] ?? '')
  expect(
    saidOf(1000)
      ?.slice(1)
      .map(({ length }) => length),
  ).toEqual([1000, 0])
  expect(saidOf(1001)?.[0]).not.toContain('a'.repeat(1001))
  expect(saidOf(1001)?.[2]).not.toBe('')
})

const FOUR = ['a', 'b', 'c', 'd'].map((name) => repository(name, {}))

test('of many items for which an expression has no value three are named, each with its file', () => {
  expect(judged(...FOUR, policyOf({ validations: [{ expression: "item.labels.nope == 'a'" }] }))).toEqual([
    expect.stringMatching(
      /^error policy-evaluation: `spec\.validations\[0\]\.expression` must have a value for 4 targets \(Repository a in 0\.yaml:\S+, Repository b in 1\.yaml:\S+, Repository c in 2\.yaml:\S+ and 1 more\): column 12: /,
    ),
  ])
})

test('the place in an expression of several lines has its line', () => {
  expect(only({ expression: 'true &&\n int(item.labels.size) > 0' })).toEqual([expect.stringMatching(/: line 2, column \d+: /)])
})

test('an expression that fails for two reasons, and two that fail for one, are findings of their own', () => {
  const failing = (...expressions: readonly string[]) =>
    judged(...FLEET, policyOf({ validations: expressions.map((expression) => ({ expression })) })).map(
      (line) => /^[^`]*`([^`]*)`/.exec(line)?.[1],
    )
  expect(failing("item.labels[item.name] == 'a'")).toEqual(Array(2).fill('spec.validations[0].expression'))
  expect(failing("item.labels.nope == 'a'", "item.labels.nope == 'b'")).toEqual([
    'spec.validations[0].expression',
    'spec.validations[1].expression',
  ])
})

test('a violation is at the item, and names the policy, its file and the line of the validation', () => {
  const object = policyOf({ validations: [{ expression: 'true' }, { expression: "item.name == 'ham'", message: 'no' }] }, 'q')
  const items = [...FLEET.map((each, index) => objectOf(each, index)), objectOf(object, 7)]
  const [result] = policyResults(items, planFanOut(ResourceList.of(items), DEFAULT_OPTIONS))
  const column = JSON.stringify(object).indexOf('"item.name') + 1
  expect(result).toEqual({
    severity: 'error',
    message: `Repository ber: no (FleetPolicy q in 7.yaml:1:${column})`,
    resourceRef: items[1]?.ref,
    file: { path: '1.yaml', index: 0 },
    position: items[1]?.positionOf(['metadata', 'name']),
    tags: { rule: 'policy-violation', policy: 'q', policyFile: '7.yaml', policyLine: '1', policyColumn: String(column) },
  })
})

test('violations are before failures, and failures before what a policy did not look at', () => {
  const validations = [{ expression: "item.labels.nope == 'a'" }, { expression: "item.name == 'ham'", message: 'no' }]
  expect(judged(...FLEET, policyOf({ validations })).map((line) => line.split(':')[0])).toEqual([
    'error policy-violation',
    'error policy-evaluation',
  ])
})

test('a policy without a file has no place in its findings', () => {
  const items = [
    ...FLEET.map((each, index) => objectOf(each, index)),
    KrmObject.fromDocument(JSON.stringify(policyOf({ validations: [{ expression: "item.name == 'ham'", message: 'no' }] }))),
  ]
  const [result] = policyResults(items, planFanOut(ResourceList.of(items), DEFAULT_OPTIONS))
  expect(result?.message).toBe('Repository ber: no (FleetPolicy p)')
  expect(result?.tags).toEqual({ rule: 'policy-violation', policy: 'p' })
})
