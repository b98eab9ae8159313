import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import type { Progress } from '../progress.ts'
import type { FleetOptions } from './options.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { planFanOutInSteps } from './plan-fan-out.ts'
import { list, planOf, repository, resourceListOf, revision, setOf, variant, type Written } from './testing/fleet-of-objects.ts'

const UPSTREAM = { repo: 'catalog', package: 'app', revision: 2 }
const SITE = { apiVersion: 'x.org/v1', kind: 'Site' }

function matrixOf(spec: JsonRecord): JsonRecord {
  return {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: { upstreams: [UPSTREAM], targets: [{ repositorySelector: {} }], ...spec },
  }
}

/** Returns the rules of the findings of the first set's draft, each once, with the messages of one rule. */
function findingsOf(objects: readonly Written[], options: Partial<FleetOptions> = {}) {
  const results = planOf(objects, options).sets[0]?.draft?.results ?? []
  return {
    rules: [...new Set(results.map(({ tags }) => tags.rule))],
    messages: (rule: string) => results.flatMap(({ tags, message }) => (tags.rule === rule ? [message] : [])),
  }
}

test.each<{ stage: string; rule: string; spec: JsonRecord; objects?: readonly Written[] }>([
  { stage: 'the upstream', rule: 'upstream-not-found', spec: {}, objects: [revision('catalog', 'app', 1)] },
  {
    stage: 'a target',
    rule: 'placeholder-object',
    spec: { targets: [{ objectSelector: { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository' } }] },
    objects: [pointOf('b')],
  },
  { stage: 'an exclusion', rule: 'nothing-excluded', spec: { exclude: [{ repositories: [{ name: 'z' }] }] } },
  { stage: 'an input', rule: 'input-missing', spec: { inputs: [{ name: 'site', object: { ...SITE, name: 's' } }] } },
  { stage: 'a ring', rule: 'no-ring', spec: { rings: [{ name: 'one', where: 'false' }] } },
  { stage: 'an expression', rule: 'expression-compile', spec: { template: { labelExprs: [{ key: 'x', valueExpr: 'target.' }] } } },
  { stage: 'a condition', rule: 'expression-compile', spec: { overrides: [{ name: 'one', where: 'target.', template: {} }] } },
  { stage: 'a value', rule: 'expression-eval', spec: { template: { labelExprs: [{ key: 'x', valueExpr: 'target.labels.none' }] } } },
  { stage: 'a name', rule: 'repository-not-found', spec: { template: { downstream: { repo: 'far-away' } } } },
  { stage: 'an override', rule: 'nothing-overridden', spec: { overrides: [{ name: 'one', where: 'false', template: {} }] } },
])('the fault of $stage is reported, and every place is rendered all the same', ({ rule, spec, objects = [] }) => {
  const all = [matrixOf(spec), repository('a'), ...objects]
  expect(findingsOf(all).rules).toEqual([rule])
  expect(planOf(all).sets[0]?.draft?.rendered.map(({ repo }) => repo)).toHaveLength(1)
})

function pointOf(name: string): JsonRecord {
  const { metadata, ...rest } = repository(name)
  return { ...rest, metadata: { ...Object(metadata), annotations: { 'kpt.dev/config-injection': 'required' } } }
}

test('the faults of all stages are reported at once', () => {
  const spec = {
    inputs: [{ name: 'site', object: { ...SITE, name: 's' } }],
    template: {
      downstream: { repo: 'far-away' },
      labelExprs: ['target.', 'target.labels.none'].map((valueExpr, at) => ({ key: `${at}`, valueExpr })),
    },
  }
  expect(findingsOf([matrixOf(spec), repository('a')]).rules).toEqual([
    'input-missing',
    'expression-compile',
    'expression-eval',
    'repository-not-found',
  ])
})

test('a fleet without Repositories knows no repository to be missing, unless lookups are required', () => {
  const objects = [setOf([{ ...list('a'), template: { downstream: { repo: 'b' } } }])]
  expect(findingsOf(objects).rules).toEqual([])
  expect(findingsOf([...objects, repository('a')]).rules).toEqual(['repository-not-found'])
  expect(findingsOf(objects, { lookups: 'required' }).rules).toEqual(['upstream-not-found', 'repository-not-found'])
})

test('the fault of an expression names a lookup that was not made, and not one that failed', () => {
  const labelExprs = ['upstream.name', 'repository.name'].map((valueExpr, at) => ({ key: `${at}`, valueExpr }))
  const set = setOf([{ ...list('a'), template: { labelExprs } }])
  const messages = (...objects: readonly Written[]) =>
    findingsOf([set, ...objects])
      .messages('expression-eval')
      .join('\n')
  const [noUpstream, noRepository] = ['the list has no PackageRevision', 'the list has no Repository']
  expect(messages()).toContain(noUpstream)
  expect(messages()).toContain(noRepository)
  expect(messages(repository('b'))).toContain(noUpstream)
  expect(messages(repository('b'))).not.toContain(noRepository)
  expect(messages(revision('catalog', 'app', 1))).not.toContain(noUpstream)
  expect(messages(revision('catalog', 'app', 1))).toContain(noRepository)
})

test('a missing repository that variants still use differs from a wrong name, and a wrong name from the nearest one', () => {
  const set = setOf([{ ...list('a'), template: { downstream: { repo: 'edge-1' } } }])
  const messages = (...objects: readonly Written[]) => findingsOf([set, repository('edge-2'), ...objects]).messages('repository-not-found')
  expect(messages()).toEqual([expect.stringContaining("did you mean 'edge-2'?")])
  expect(messages(variant('old', 'edge-1'))).toEqual([expect.stringContaining('is not there any more')])
  expect(messages(variant('old', 'edge-3'))).toEqual([expect.stringContaining("did you mean 'edge-2'?")])
})

test('a selector that matches nothing is kept apart from the other findings', () => {
  const draft = planOf([setOf([{ repositorySelector: { matchLabels: { x: 'y' } } }]), repository('a')]).sets[0]?.draft
  expect(draft?.results).toEqual([])
  expect(draft?.noMatches.map(({ tags }) => tags.rule)).toEqual(['no-match'])
})

test('the progress goes from place to place through all sets', () => {
  const second = { ...setOf([list('c')]), metadata: { name: 'second' } }
  const objects = [setOf([list('a', 'b')]), second, ...['a', 'b', 'c'].map((name) => repository(name))]
  const steps = planFanOutInSteps(resourceListOf(objects), DEFAULT_OPTIONS)
  const seen: Progress[] = []
  for (let step = steps.next(); step.done !== true; step = steps.next()) seen.push(step.value)
  expect(seen).toEqual([1, 2, 3].map((done) => ({ done, total: 3 })))
})

test('a variant of another upstream package keeps the downstream that its place had', () => {
  const draft = planOf([setOf([list('a')]), repository('a')]).sets[0]?.draft
  const [rendered] = draft?.rendered ?? []
  expect([...(draft?.former('old-app') ?? [])].map(([, downstream]) => downstream)).toEqual([{ repo: rendered?.repo, package: 'old-app' }])
})
