import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { formatResult } from '../../result.ts'
import { planOf, repository } from '../testing/fleet-of-objects.ts'

const REPOSITORIES = [repository('a', { tier: 'gold' }), repository('b', { tier: 'base' })]

/** Returns the labels of each variant of a matrix with overrides, and the findings without their places. */
function planned(overrides: readonly JsonRecord[], { template, target }: { template?: JsonRecord; target?: JsonRecord } = {}) {
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: {
      upstreams: ['app', 'web'].map((name) => ({ repo: 'catalog', package: name, revision: 1 })),
      targets: [{ repositorySelector: {}, ...(target && { template: target }) }],
      ...(template && { template }),
      overrides,
    },
  }
  const { sets, results } = planOf([matrix, ...REPOSITORIES])
  const labels = (sets[0]?.draft?.rendered ?? []).map(({ repo, package: name, spec }) => {
    const pairs = Object.entries(Object(spec.labels)).map(([key, value]) => `${key}=${value}`)
    return [`${repo}/${name}`, ...pairs].join(' ')
  })
  const lines = results.filter(({ severity }) => severity !== 'info').map((result) => formatResult(result).replace(/^fleet\S+ /, ''))
  return { labels, lines }
}

const override = (name: string, labels: JsonRecord, rest: JsonRecord = {}): JsonRecord => ({ name, template: { labels }, ...rest })

test.each([
  { rule: 'an override without a condition holds everywhere', rest: {}, with: ['a/app', 'b/app', 'a/web', 'b/web'] },
  { rule: 'an override holds for its packages', rest: { packages: ['web'] }, with: ['a/web', 'b/web'] },
  { rule: 'an override holds where its condition does', rest: { where: "target.labels.tier == 'gold'" }, with: ['a/app', 'a/web'] },
  {
    rule: 'an override with packages and a condition holds where both do',
    rest: { packages: ['web', 'till'], where: "target.labels.tier == 'gold'" },
    with: ['a/web'],
  },
])('$rule', ({ rest, with: holding }) => {
  const { labels, lines } = planned([override('one', { x: 'y' }, rest)])
  expect(labels).toEqual(['a/app', 'b/app', 'a/web', 'b/web'].map((place) => (holding.includes(place) ? `${place} x=y` : place)))
  expect(lines).toEqual([])
})

test('overrides lie over the template in their order, also where only some of them hold', () => {
  const overrides = [
    override('one', { x: 'one', y: 'one' }, { where: "target.name == 'a'" }),
    override('two', { x: 'two' }, { packages: ['web'] }),
  ]
  expect(planned(overrides, { template: { labels: { x: 'all', z: 'all' } } }).labels).toEqual([
    'a/app x=one z=all y=one',
    'b/app x=all z=all',
    'a/web x=two z=all y=one',
    'b/web x=two z=all',
  ])
})

test.each([
  { rule: 'the name of the target', template: undefined, holds: ['b/app'] },
  { rule: 'a name in a template', template: { downstream: { repo: 'b' } }, holds: ['b/app', 'b/app'] },
  { rule: 'a name that an expression gives', template: { downstream: { repoExpr: "repoDefault == 'a' ? 'b' : 'a'" } }, holds: ['b/app'] },
])('in a condition the repository is that of $rule', ({ template, holds }) => {
  const { labels } = planned(
    [override('one', { x: 'y' }, { packages: ['app'], where: "repository.labels.tier == 'base'" })],
    template && { template },
  )
  expect(labels.filter((label) => label.endsWith('x=y'))).toEqual(holds.map((place) => `${place} x=y`))
})

test('a condition that does not compile is one error, and the override is not said to hold for none', () => {
  expect(planned([override('one', { x: 'y' }, { where: 'target.name ==' })]).lines).toEqual([
    expect.stringMatching(/^error: `spec\.overrides\[0\]\.where` /),
  ])
  expect(planned([override('one', { x: 'y' }, { where: "'text'" })]).lines).toEqual([
    expect.stringMatching(/^error: `spec\.overrides\[0\]\.where` must give true or false, gives string/),
  ])
})

test('a condition without a value is an error, and the override does not hold', () => {
  const { labels, lines } = planned([override('one', { x: 'y' }, { where: "target.labels.none == 'a'" })])
  expect(labels).toEqual(['a/app', 'b/app', 'a/web', 'b/web'])
  expect(lines).toEqual([expect.stringMatching(/^error: `spec\.overrides\[0\]\.where` .*\[expression-eval\]$/s)])
})

test('a repository whose expression fails is an error of that expression alone', () => {
  const { lines } = planned([override('one', { x: 'y' }, { where: "target.name == 'a'" })], {
    template: { downstream: { repoExpr: 'target.labels.none' } },
  })
  expect(lines.every((line) => line.startsWith('error: `spec.template.downstream.repoExpr`'))).toBe(true)
  expect(lines).not.toEqual([])
})

test('an override that holds for no variant is a warning with the reason', () => {
  const start = (index: number) => `warning: \`spec.overrides[${index}]\` applies to no variant: `
  const overrides = [
    override('none', { x: 'y' }, { where: "target.name == 'z'" }),
    override('some', { x: 'y' }, { packages: ['app'] }),
    override('near', { x: 'y' }, { packages: ['apps'] }),
    override('far', { x: 'y' }, { packages: ['elsewhere'], where: "target.name == 'a'" }),
    override('part', { x: 'y' }, { packages: ['elsewhere', 'app'] }),
  ]
  expect(planned(overrides).lines).toEqual([
    `${start(0)}its condition holds for none [nothing-overridden]`,
    `${start(2)}no upstream has the package 'apps'; did you mean 'app'? [nothing-overridden]`,
    `${start(3)}no upstream has the package 'elsewhere' [nothing-overridden]`,
  ])
})
