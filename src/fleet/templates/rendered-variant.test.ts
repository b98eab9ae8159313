import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { list, planOf, repository, setOf } from '../testing/fleet-of-objects.ts'
import { RenderedVariant } from './rendered-variant.ts'

/** Returns the variants of the repositories a and b, of one set with a template. */
function variantsOf(template?: JsonRecord): readonly RenderedVariant[] {
  const target = { ...list('a', 'b'), ...(template && { template }) }
  return planOf([setOf([target]), repository('a'), repository('b')]).sets[0]?.draft?.rendered ?? []
}

const UPSTREAM = { repo: 'catalog', package: 'app', revision: 2 }

test('the spec of a place without a template has the upstream and the downstream alone', () => {
  const [variant] = variantsOf()
  expect(variant?.spec).toEqual({ upstream: UPSTREAM, downstream: { repo: 'a', package: 'app' } })
  expect(variant?.filled).toEqual([])
})

test('the spec is made of the values that the expressions gave, each time anew', () => {
  const template = {
    downstream: { packageExpr: "'web'" },
    labelExprs: [{ keyExpr: "'k'", valueExpr: 'target.repo' }],
    deletionPolicy: 'orphan',
  }
  const [variant] = variantsOf(template)
  const spec = { upstream: UPSTREAM, downstream: { repo: 'a', package: 'web' }, deletionPolicy: 'orphan', labels: { k: 'a' } }
  expect([variant?.spec, variant?.spec]).toEqual([spec, spec])
  expect(variant?.filled.map(({ key, value }) => [key, value])).toEqual([
    ['package', 'web'],
    ['k', 'a'],
  ])
})

test('variants differ by their repository, their package and the values of expressions, and not by their place', () => {
  const [a, b] = variantsOf({ downstream: { repo: 'a' }, labelExprs: [{ key: 'k', valueExpr: "'v'" }] })
  if (a === undefined || b === undefined) throw new Error('must be two variants')
  expect(a.place).not.toBe(b.place)
  expect(a.hasSpecOf(b)).toBe(true)
  const of = (texts: { readonly package?: string; readonly repo?: string; readonly values?: readonly string[] }) =>
    new RenderedVariant(a.place, { repo: a.repo, package: a.package, values: a.values, ...texts }, a)
  expect([of({}), of({ repo: 'b' }), of({ package: 'web' }), of({ values: ['w'] })].map((other) => a.hasSpecOf(other))).toEqual([
    true,
    false,
    false,
    false,
  ])
})
