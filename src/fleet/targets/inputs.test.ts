import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { formatResult } from '../../result.ts'
import { planOf, repository, type Written } from '../testing/fleet-of-objects.ts'

const REPOSITORIES = ['a', 'b', 'c'].map((name) => repository(name))

function site(name: string, apiVersion = 'x.org/v1', rest: JsonRecord = {}): JsonRecord {
  return { apiVersion, kind: 'Site', metadata: { name }, spec: { of: name }, ...rest }
}

function inputOf(name: string, object: JsonRecord, optional?: boolean): JsonRecord {
  return { name, object: { apiVersion: 'x.org/v1', kind: 'Site', ...object }, ...(optional !== undefined && { optional }) }
}

/** Returns the label of each variant that the expression of a matrix with inputs gives, and the findings without their places. */
function planned(inputs: readonly JsonRecord[], valueExpr: string, objects: readonly Written[]) {
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: {
      upstreams: [{ repo: 'catalog', package: 'app', revision: 1 }],
      targets: [{ repositorySelector: {} }],
      template: { labelExprs: [{ key: 'x', valueExpr }] },
      inputs,
    },
  }
  const { sets, results } = planOf([matrix, ...objects])
  const labels = (sets[0]?.draft?.rendered ?? []).map(
    ({ place, filled }) => `${place.repoDefault}=${filled.map(({ value }) => value).join()}`,
  )
  const lines = results
    .filter(({ severity, tags }) => severity !== 'info' && tags.rule !== 'expression-eval')
    .map((result) => formatResult(result).replace(/^fleet\S+ /, ''))
  return { labels, lines, results }
}

const OF_TARGET = inputOf('site', { nameExpr: 'target.name' })

test('each target has the object that the name or the expression names', () => {
  const sites = REPOSITORIES.map(({ metadata }) => site(String(Object(metadata).name)))
  expect(planned([OF_TARGET], 'inputs.site.spec.of', [...REPOSITORIES, ...sites])).toMatchObject({
    labels: ['a=a', 'b=b', 'c=c'],
    lines: [],
  })
  const fixed = inputOf('site', { name: 'b' })
  expect(planned([fixed], 'inputs.site.spec.of', [...REPOSITORIES, ...sites])).toMatchObject({ labels: ['a=b', 'b=b', 'c=b'], lines: [] })
})

test('a target may be without an optional input, and has the others', () => {
  const inputs = [inputOf('own', { nameExpr: 'target.name' }, true), inputOf('all', { name: 'a' })]
  const expression = "has(inputs.own) ? inputs.own.spec.of + '-' + inputs.all.spec.of : inputs.all.spec.of"
  expect(planned(inputs, expression, [...REPOSITORIES, site('a'), site('b')])).toMatchObject({
    labels: ['a=a-a', 'b=b-a', 'c=a'],
    lines: [],
  })
})

test('an object of another version, kind or namespace is no input', () => {
  const others = [site('a', 'x.org/v2'), { ...site('a'), kind: 'Area' }, { ...site('a'), metadata: { name: 'a', namespace: 'n' } }]
  const { lines } = planned([inputOf('site', { name: 'a' })], "'x'", [REPOSITORIES[0] ?? {}, ...others, site('z')])
  expect(lines).toEqual([expect.stringContaining('[input-missing]')])
})

const start = "error: `spec.inputs[0].object.nameExpr` must name a Site of 'x.org/v1' in namespace 'default': Repository"
const end = '`optional: true` lets a target be without [input-missing]'

test('a missing object is one error with the first target, the nearest object, and three of the other targets', () => {
  expect(planned([OF_TARGET], "'x'", [...REPOSITORIES.slice(0, 1), site('aa')]).lines).toEqual([`${start} a wants 'a'; ${end}`])
  const near = planned([OF_TARGET], "'x'", [repository('east-1'), site('east-2')]).lines
  expect(near).toEqual([`${start} east-1 wants 'east-1'; did you mean 'east-2'?; ${end}`])
  const five = ['a', 'b', 'c', 'd', 'e'].map((name) => repository(name))
  expect(planned([OF_TARGET], "'x'", [...five, site('z')]).lines).toEqual([
    `${start} a wants 'a'; the same with 'b' for Repository b, 'c' for Repository c, 'd' for Repository d and 1 more; ${end}`,
  ])
})

test('a kind that the list does not have is named instead of the nearest object', () => {
  const [line] = planned([OF_TARGET], "'x'", [repository('a'), site('a', 'x.org/v2')]).lines
  expect(line).toContain(`${start} a wants 'a'; the list has`)
  expect(line).toContain("'x.org/v2'")
})

test('where all objects of a kind are placeholders inside packages, an input says so', () => {
  const hole = { ...site('hole'), metadata: { name: 'hole', annotations: { 'kpt.dev/config-injection': 'required' } } }
  expect(planned([OF_TARGET], "'x'", [repository('a'), hole]).lines).toEqual([
    `${start} a wants 'a'; all in namespace 'default' are placeholders inside packages; ${end}`,
  ])
})

test('an input whose expression does not compile is one error, and no object is said to be missing', () => {
  const { lines } = planned([inputOf('site', { nameExpr: 'target.name +' })], "'x'", [...REPOSITORIES, site('a')])
  expect(lines).toEqual([expect.stringMatching(/^error: `spec\.inputs\[0\]\.object\.nameExpr` /)])
})

test('an expression without a value is one error for each failure, also of an optional input', () => {
  for (const optional of [false, true]) {
    const input = inputOf('site', { nameExpr: 'target.labels.site' }, optional)
    const { results } = planned([input], "'x'", [repository('a', { site: 's' }), repository('b'), repository('c'), site('s')])
    const lines = results.filter(({ severity }) => severity === 'error').map((result) => formatResult(result).replace(/^fleet\S+ /, ''))
    expect(lines).toEqual([
      expect.stringMatching(
        /^error: `spec\.inputs\[0\]\.object\.nameExpr` must have a value for 2 targets \(Repository b, Repository c\): .*\[expression-eval\]$/s,
      ),
    ])
  }
})

test('a second object of one name is a warning if the first is read', () => {
  const twice = [site('a'), site('a', 'x.org/v1', { spec: { of: 'second' } }), site('z'), site('z')]
  const { labels, lines } = planned([inputOf('site', { name: 'a' })], 'inputs.site.spec.of', [repository('a'), ...twice])
  expect(labels).toEqual(['a=a'])
  expect(lines).toEqual([expect.stringMatching(/^warning: `metadata\.name` must differ from that of Site a .*\[duplicate-in-fleet\]$/)])
})

test('each input has its own errors', () => {
  const inputs = [inputOf('one', { name: 'p' }), inputOf('two', { name: 'a' }), inputOf('three', { name: 'q' })]
  const { lines } = planned(inputs, "'x'", [repository('a'), site('a')])
  expect(lines.map((line) => /`(.*?)`.* wants '(.)'/.exec(line)?.slice(1))).toEqual([
    ['spec.inputs[0].object.name', 'p'],
    ['spec.inputs[2].object.name', 'q'],
  ])
})
