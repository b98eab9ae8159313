import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { formatResult } from '../../result.ts'
import type { Lookups } from '../options.ts'
import { list, planOf, repository, setOf, type Written } from '../testing/fleet-of-objects.ts'

const config = (name: string, kind = 'ConfigMap', annotations: JsonRecord = {}): JsonRecord => ({
  apiVersion: kind === 'ConfigMap' ? 'v1' : 'example.com/v1',
  kind,
  metadata: { name, annotations },
})

const selectorOf = (kind: string, apiVersion = 'v1', more: JsonRecord = {}): JsonRecord => ({
  objectSelector: { apiVersion, kind, ...(more.selector as JsonRecord) },
  ...(more.beside as JsonRecord),
})
const names = { repoExpr: "'fleet'", packageExpr: 'target.name' }

/** Returns the places of a set, REPOSITORY/PACKAGE, and the errors and notes about its targets. */
function unrolled(objects: readonly Written[], lookups: Lookups = 'optional') {
  const { sets, results } = planOf(objects, { lookups })
  const places = sets.flatMap(({ changes }) => changes.map(({ why }) => `${why?.repo}/${why?.package}`))
  return { places, findings: results.map(formatResult).filter((line) => /\[(no-such-kind|placeholder-object|max-variants)\]/.test(line)) }
}

const withTemplate = (target: JsonRecord): JsonRecord => ({ ...target, template: { downstream: names } })

test('a listed repository has a place for each of its package names, else one for the package of the upstream', () => {
  const targets = [{ repositories: [{ name: 'a', packageNames: ['x', 'y'] }, { name: 'b' }] }]
  expect(unrolled([setOf(targets)]).places).toEqual(['a/x', 'a/y', 'b/app'])
})

test('a selector has a place for each object that it matches, by name, and each package name', () => {
  const objects = [repository('b', { env: 'prod' }), repository('a', { env: 'prod' }), repository('c', { env: 'dev' })]
  const target = { repositorySelector: { matchLabels: { env: 'prod' } } }
  expect(unrolled([setOf([target]), ...objects]).places).toEqual(['a/app', 'b/app'])
  const named = { repositorySelector: { matchLabels: { env: 'dev' } }, packageNames: ['x', 'y'] }
  expect(unrolled([setOf([named]), ...objects]).places).toEqual(['c/x', 'c/y'])
})

test('a kind that the list does not have is an error only where lookups are required', () => {
  const set = setOf([withTemplate(selectorOf('Cluster', 'example.com/v1'))])
  expect(unrolled([set], 'required').findings).toEqual([
    expect.stringContaining("must be a kind that exists: 'Cluster' of 'example.com/v1'"),
  ])
  expect(unrolled([set], 'optional').findings).toEqual([])
})

test('a kind that the list has, or that is built in, is found where lookups are required', () => {
  const set = setOf([withTemplate(selectorOf('Cluster', 'example.com/v1'))])
  expect(unrolled([set, config('one', 'Cluster')], 'required').findings).toEqual([])
  expect(unrolled([setOf([withTemplate(selectorOf('ConfigMap'))])], 'required').findings).toEqual([])
})

test('a placeholder inside a package is no target, and is named', () => {
  const placeholder = config('hole', 'ConfigMap', { 'kpt.dev/config-injection': 'required' })
  const { places, findings } = unrolled([setOf([withTemplate(selectorOf('ConfigMap'))]), config('one'), placeholder])
  expect(places).toEqual(['fleet/one'])
  expect(findings).toEqual([expect.stringContaining('leaves out 1 placeholder inside packages (kpt.dev/config-injection): ConfigMap hole')])
  expect(unrolled([setOf([withTemplate(selectorOf('ConfigMap'))]), config('one')]).findings).toEqual([])
})

function matrix(maxVariants: number): JsonRecord {
  const upstreams = ['app', 'web'].map((name) => ({ repo: 'catalog', package: name, revision: 1 }))
  return {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: { upstreams, targets: [list('a', 'b'), list('c')], maxVariants },
  }
}

test('a matrix may have as many variants as its limit, and no more', () => {
  expect(unrolled([matrix(6)])).toEqual({ places: ['a/app', 'b/app', 'a/web', 'b/web', 'c/app', 'c/web'], findings: [] })
  const { places, findings } = unrolled([matrix(5)])
  expect(places).toEqual([])
  expect(findings).toEqual([expect.stringContaining('must be at least 6, the variants of 2 upstreams for 3 places of 2 targets, got 5')])
})
