import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomRuns } from '../../testdata/random-runs.ts'
import { DEFAULT_OPTIONS } from '../fleet/options.ts'
import { planFanOut } from '../fleet/plan-fan-out.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import type { Result } from '../result.ts'
import { policyResults } from './judge-policies.ts'

function judge(...texts: readonly string[]): readonly Result[] {
  const items = texts.map((text, i) => KrmObject.fromDocument(text, { path: `${i}.yaml`, index: 0, line: 1 }))
  return policyResults(items, planFanOut(ResourceList.of(items), DEFAULT_OPTIONS))
}

function repository(name: string, labels: Readonly<Record<string, string>>): string {
  return JSON.stringify({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', metadata: { name, labels } })
}

function policy(name: string, spec: object): string {
  return JSON.stringify({ apiVersion: 'fleet.krm-variants.dev/v1alpha1', kind: 'FleetPolicy', metadata: { name }, spec })
}

/**
 * Returns a condition that holds and costs 5000 units of work: the texts differ in their first character, so a budget is spent in no time.
 */
const dear = (name: string) => `'${'x'.repeat(40_000)}' + ${name} < '${'y'.repeat(40_000)}'`
/** Costs more than one evaluation may where the fleet has 30 repositories. */
const HOSTILE = `repositories.all(a, repositories.all(b, repositories.all(c, ${dear('item.name')})))`

const SEARCH = {
  forEach: 'targets',
  variables: [
    { name: 'ring', expression: 'item.labels.ring' },
    { name: 'same', expression: 'repositories.filter(r, r.labels.ring == variables.ring).size()' },
  ],
  validations: [{ expression: 'variables.same < 0', messageExpression: 'variables.ring + string(variables.same)' }],
}

test('an expression that reads the item and variables has the values of both, for each item', () => {
  const spec = {
    forEach: 'targets',
    variables: [
      { name: 'ring', expression: 'item.labels.ring' },
      { name: 'both', expression: "item.name + '-' + variables.ring" },
    ],
    validations: [
      { expression: 'item.name == variables.both', messageExpression: "item.name + ' ' + variables.ring + ' ' + variables.both" },
    ],
  }
  const results = judge(repository('a', { ring: 'x' }), repository('b', { ring: 'y' }), repository('c', { ring: 'x' }), policy('p', spec))
  expect(results.map(({ message }) => /: (.*) \(/.exec(message)?.[1])).toEqual(['a x a-x', 'b y b-y', 'c x c-x'])
})

describe('an expression that does not read item', () => {
  test('has for each item the value that it would have alone', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 20 }), (rings) => {
        const results = judge(...rings.map((ring, i) => repository(`r${String(i).padStart(2, '0')}`, { ring })), policy('search', SEARCH))
        const counts = rings.map((ring) => `${ring}${rings.filter((other) => other === ring).length}`)
        expect(results.map(({ message }) => /: (\w+) \(/.exec(message)?.[1])).toEqual(counts)
      }),
      { numRuns: randomRuns(15) },
    )
  })

  test('is evaluated once for equal values, so that a search through a fleet stays within the budget of a policy', () => {
    const fleet = Array.from({ length: 300 }, (_, i) => repository(`r${i}`, { ring: i % 2 === 0 ? 'even' : 'odd' }))
    const countOf = (ring: string) => `repositories.filter(r, r.labels.ring == ${ring} && ${dear('r.name')}).size()`
    const [ring] = SEARCH.variables
    const variables = [ring, { name: 'same', expression: countOf('variables.ring') }]
    const shared = judge(...fleet, policy('search', { ...SEARCH, variables, validations: [{ expression: 'variables.same == 150' }] }))
    expect(shared).toEqual([])
    const own = { forEach: 'targets', validations: [{ expression: `${countOf('item.labels.ring')} == 150` }] }
    expect(judge(...fleet, policy('search', own)).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^`spec` costs more than a policy may, 40000000 units of work: \d+ of 300 targets are not judged$/),
    ])
  })

  test('fails for the items for which its variables fail, each for its own reason', () => {
    const spec = {
      forEach: 'targets',
      variables: [{ name: 'share', expression: '10 / int(item.labels.size)' }],
      validations: [{ expression: 'variables.share > 0' }],
    }
    const results = judge(repository('a', { size: '0' }), repository('b', { size: 'x' }), repository('c', { size: '5' }), policy('p', spec))
    expect(results.map(({ message }) => /: (column \d+: .*)/.exec(message)?.[1])).toEqual([
      'column 4: division by zero',
      "column 9: type conversion error from 'string' to 'int'",
    ])
  })
})

test('a policy that costs too much leaves the others their part of the budget', () => {
  const names = Array.from({ length: 30 }, (_, i) => `r${i}`)
  const results = judge(
    ...names.map((name) => repository(name, {})),
    policy('hostile', { forEach: 'targets', validations: [{ expression: HOSTILE }] }),
    policy('after', { forEach: 'targets', validations: [{ expression: "item.name != 'r7'", message: 'is judged' }] }),
  )
  expect(results.map(({ message }) => message)).toEqual([
    expect.stringContaining('evaluation limit exceeded: 8000000 units of work'),
    expect.stringMatching(/^`spec` costs more than a policy may/),
    expect.stringMatching(/^Repository r7: is judged \(FleetPolicy after in 31\.yaml:1:/),
  ])
})

test('a policy after policies that cost all that a run may is not blamed for the cost', () => {
  const names = Array.from({ length: 30 }, (_, i) => `r${i}`)
  const results = judge(
    ...names.map((name) => repository(name, {})),
    ...[1, 2, 3, 4].map((i) => policy(`hostile-${i}`, { forEach: 'targets', validations: [{ expression: HOSTILE }] })),
    policy('after', { forEach: 'targets', validations: [{ expression: "item.name != 'r7'", message: 'is judged' }] }),
  )
  expect(results.at(-1)?.message).toBe(
    '`spec` comes after policies that cost all that a run may, 160000000 units of work: 30 of 30 targets are not judged',
  )
})

test('the variants of a set that is fanned out already count once', () => {
  const set = JSON.stringify({
    apiVersion: 'config.porch.kpt.dev/v1alpha2',
    kind: 'PackageVariantSet',
    metadata: { name: 'tills' },
    spec: { upstream: { repo: 'catalog', package: 'tills', revision: 1 }, targets: [{ repositories: [{ name: 'a' }] }] },
  })
  const made = JSON.stringify({
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'PackageVariant',
    metadata: { name: 'tills-a-tills', annotations: { 'krm-variants.dev/package-variant-set': 'default/tills' } },
    spec: { upstream: { repo: 'catalog', package: 'tills', revision: 1 }, downstream: { repo: 'a', package: 'tills' } },
  })
  const one = policy('one', { forEach: 'targets', validations: [{ expression: 'item.variants.size() == 1 && variants.size() == 1' }] })
  expect(judge(set, made, repository('a', {}), one)).toEqual([])
  expect(judge(set, repository('a', {}), one)).toEqual([])
})

test('a variant of a matrix has the name of its ring', () => {
  const matrix = JSON.stringify({
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'base' },
    spec: {
      upstreams: [{ repo: 'catalog', package: 'tills', revision: 2 }],
      targets: [{ repositories: [{ name: 'canary-01' }, { name: 'world-01' }] }],
      rings: [{ name: 'canary', where: "target.repo == 'canary-01'", revisions: { tills: 4 } }, { name: 'world' }],
    },
  })
  const spec = {
    forEach: 'variants',
    validations: [{ expression: 'false', messageExpression: "item.ring + ' ' + string(int(item.spec.upstream.revision))" }],
  }
  expect(judge(matrix, policy('p', spec)).map(({ message }) => /: (\w+ \d) \(/.exec(message)?.[1])).toEqual(['canary 4', 'world 2'])
})

describe('a condition that holds for nothing', () => {
  const stores = ['canary', 'world'].map((ring) => repository(ring, { ring, tier: 'store-1' }))
  const lookAt = (where: string) =>
    judge(...stores, policy('p', { forEach: 'targets', where, validations: [{ expression: 'true' }] })).map(
      ({ severity, message }) => `${severity}: ${message}`,
    )

  test.each([
    ["item.labels.ring == 'canry'", "error: .*; no target has the labels.ring 'canry'; did you mean 'canary'\\?"],
    ["'canry' == item.labels.ring", "did you mean 'canary'"],
    ["item.labels.ring in ['canry', 'wrld']", "did you mean 'canary'\\?; .*did you mean 'world'"],
    ["item.kind == 'Repositry'", "error: .*did you mean 'Repository'"],
    ["item.labels.tier == 'store-2'", "warning: .*did you mean 'store-1'"],
    ["item.labels.ring == 'prod'", "warning: .* 'prod', but 'canary', 'world'"],
    ["'env' in item.labels", 'warning: .* the policy looks at nothing$'],
  ])('%s names the nearest name', (where, said) => {
    expect(lookAt(where)).toEqual([expect.stringMatching(new RegExp(said))])
  })
})
