import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import type { DesiredSet } from '../desired-set.ts'
import { list, planOf, repository, setOf } from '../testing/fleet-of-objects.ts'
import { renderVariant, type TemplateContext, variablesFor } from './render-variant.ts'
import type { RenderedVariant } from './rendered-variant.ts'
import type { ExpressionCompiler } from './template-programs.ts'

/** Returns what a set renders for the target `a` in a fleet of the Repositories a, b and c, each with its name twice as label `twice`. */
function draftOf(template: JsonRecord | undefined): DesiredSet {
  const repositories = ['a', 'b', 'c'].map((name) => repository(name, { twice: name + name }))
  const draft = planOf([setOf([{ ...list('a'), ...(template && { template }) }]), ...repositories]).sets[0]?.draft
  if (draft === undefined) throw new Error('must be a set without faults')
  return draft
}

function rendered(template: JsonRecord | undefined): { readonly variant: RenderedVariant; readonly context: TemplateContext } {
  const { rendered, context } = draftOf(template)
  const [variant] = rendered
  if (variant === undefined) throw new Error('must be a set with a target')
  return { variant, context }
}

const UPSTREAM = { repo: 'catalog', package: 'app', revision: 2 }

test('a place without a template is its own variant, with the names of the place', () => {
  const { unrolled, rendered } = draftOf(undefined)
  expect(rendered[0]?.place).toBe(unrolled[0]?.places[0])
  expect(rendered[0]).toMatchObject({ repo: 'a', package: 'app', failures: [], isWhole: true })
  expect(rendered[0]?.spec).toEqual({ upstream: UPSTREAM, downstream: { repo: 'a', package: 'app' } })
})

test('a place whose template no override changes is not copied', () => {
  const { unrolled, rendered } = draftOf({ labels: { x: 'y' } })
  expect(rendered[0]?.place).toBe(unrolled[0]?.places[0])
})

test.each([
  { downstream: { repo: 'b', package: 'web' }, repo: 'b', package: 'web' },
  { downstream: { repoExpr: "repoDefault == 'a' ? 'c' : 'b'" }, repo: 'c', package: 'app' },
  { downstream: { packageExpr: "packageDefault + '-' + repoDefault" }, repo: 'a', package: 'app-a' },
])('the downstream of a template, written or computed, replaces the names of the place: $downstream', ({ downstream, ...names }) => {
  expect(rendered({ downstream }).variant).toMatchObject({ ...names, isWhole: true })
})

test('every expression but that of the repository sees the Repository to which the template sends the variant', () => {
  const template = {
    downstream: { repoExpr: "'b'", packageExpr: "'app-' + repository.labels.twice" },
    labelExprs: [{ key: 'at', valueExpr: 'repository.name' }],
  }
  const { variant, context } = rendered(template)
  expect(variant.spec).toEqual({ upstream: UPSTREAM, downstream: { repo: 'b', package: 'app-bb' }, labels: { at: 'b' } })
  expect(variant.isWhole).toBe(true)
  expect([...variablesFor(variant, context).keys()]).toContain('repository')
})

test('each value goes to the field of its own expression, also behind a written repository', () => {
  const template = {
    downstream: { repo: 'b', packageExpr: "'one'" },
    labelExprs: [{ keyExpr: "'two'", valueExpr: "'three'" }],
    annotationExprs: [{ key: 'fixed', valueExpr: "'four'" }],
  }
  expect(rendered(template).variant.spec).toEqual({
    upstream: UPSTREAM,
    downstream: { repo: 'b', package: 'one' },
    labels: { two: 'three' },
    annotations: { fixed: 'four' },
  })
})

test('an expression that fails gives an empty text, and those behind it are evaluated', () => {
  const template = {
    downstream: { packageExpr: 'target.labels.none' },
    labelExprs: [
      { key: 'bad', valueExpr: 'target.labels.missing' },
      { key: 'good', valueExpr: "'yes'" },
    ],
  }
  const { variant } = rendered(template)
  expect(variant.failures.map(({ expression }) => expression.text)).toEqual(['target.labels.none', 'target.labels.missing'])
  expect(variant).toMatchObject({ repo: 'a', package: '', isWhole: false, values: [undefined, undefined, 'yes'] })
  expect(variant.spec).toMatchObject({ labels: { bad: '', good: 'yes' } })
})

test('a variant whose expression does not compile is not whole, and has no failure of its own', () => {
  const { variant } = rendered({ labelExprs: [{ key: 'x', valueExpr: 'target.' }] })
  expect(variant).toMatchObject({ failures: [], isWhole: false, values: [undefined] })
})

test('a failure beside an expression that does not compile makes no variant whole', () => {
  const exprs = ['target.', 'target.labels.none'].map((valueExpr, at) => ({ key: `${at}`, valueExpr }))
  expect(rendered({ labelExprs: exprs }).variant.isWhole).toBe(false)
})

test('a variant has the template of its overrides, and is not whole where a condition fails', () => {
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: {
      upstreams: [UPSTREAM],
      targets: [{ repositorySelector: {} }],
      overrides: [{ name: 'one', where: "target.labels.tier == 'gold'", template: { labels: { x: 'y' } } }],
    },
  }
  const { sets } = planOf([matrix, repository('a', { tier: 'gold' }), repository('b')])
  expect(sets[0]?.draft?.rendered.map(({ repo, failures, isWhole, spec }) => [repo, failures.length, isWhole, spec.labels])).toEqual([
    ['a', 0, true, { x: 'y' }],
    ['b', 1, false, undefined],
  ])
})

test('an error that is no fault of an expression is not taken for one', () => {
  const { variant, context } = rendered({ labelExprs: [{ key: 'x', valueExpr: "'y'" }] })
  const broken = (): never => {
    throw new TypeError('our own fault')
  }
  const compiler: ExpressionCompiler = {
    ...context.compiler,
    programsOf: (template, scope) => {
      const found = context.compiler.programsOf(template, scope)
      return { ...found, programs: new Map(found.order.map((expression) => [expression, { evaluate: broken, value: broken }])) }
    },
  }
  expect(() => renderVariant(variant.place, { ...context, compiler })).toThrow('our own fault')
})
