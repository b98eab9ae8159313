import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { formatResult } from '../../result.ts'
import { planOf, repository, type Written } from '../testing/fleet-of-objects.ts'

const upstreamOf = (name: string): JsonRecord => ({ repo: 'catalog', package: name, revision: 1 })

/** Returns a matrix of the packages `app` and `web`. */
function matrix(spec: JsonRecord): JsonRecord {
  return {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: { upstreams: [upstreamOf('app'), upstreamOf('web')], targets: [{ repositories: [{ name: 'a' }, { name: 'b' }] }], ...spec },
  }
}

const CLUSTERS = [repository('a', { env: 'prod' }), repository('b', { env: 'dev' })]

/** Returns the places of a matrix of two clusters, and its findings but for the summary, without what follows a semicolon. */
function planned(spec: JsonRecord, objects: readonly Written[] = CLUSTERS) {
  const { sets, results } = planOf([matrix(spec), ...objects])
  const places = sets.flatMap(({ changes }) => changes.map(({ why }) => `${why?.repo}/${why?.package}`)).sort()
  const told = results.filter(({ severity }) => severity !== 'info').map((result) => formatResult(result).replace(/^\S+ /, ''))
  return [places.join(' '), told] as const
}

test.each([
  ['a repository by name', [{ repositories: [{ name: 'a' }] }], 'b/app b/web'],
  ['repositories by their labels', [{ repositorySelector: { matchLabels: { env: 'dev' } } }], 'a/app a/web'],
  ['one package of a repository', [{ repositories: [{ name: 'a' }], packages: ['web'] }], 'a/app b/app b/web'],
  ['one package everywhere', [{ repositorySelector: {}, packages: ['app'] }], 'a/web b/web'],
  ['the first of two that hold', [{ repositories: [{ name: 'a' }] }, { repositorySelector: {}, packages: ['app'] }], 'b/web'],
])('an exclusion takes away %s', (_what, exclude, places) => {
  expect(planned({ exclude })).toEqual([places, []])
})

test('an exclusion of a package is judged by the name that upstream gives it, whatever its name in the target', () => {
  const targets = [{ repositories: [{ name: 'a', packageNames: ['shop'] }] }]
  const exclude = (name: string) => [{ repositories: [{ name: 'a' }], packages: [name] }]
  const upstreams = [upstreamOf('app')]
  expect(planned({ upstreams, targets, exclude: exclude('app') })[0]).toBe('')
  expect(planned({ upstreams, targets, exclude: exclude('shop') })[0]).toBe('a/shop')
})

test('an exclusion by object takes away the places of that object', () => {
  const config = (name: string, labels: JsonRecord): JsonRecord => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } })
  const objects = [config('one', { off: 'yes' }), config('two', {}), ...CLUSTERS]
  const selector = { apiVersion: 'v1', kind: 'ConfigMap' }
  const spec = {
    targets: [{ objectSelector: selector }],
    template: { downstream: { repoExpr: "'a'", packageExpr: "packageDefault + '-' + target.name" } },
    exclude: [{ objectSelector: { ...selector, matchLabels: { off: 'yes' } } }],
  }
  expect(planned(spec, objects)).toEqual(['a/app-two a/web-two', []])
})

test.each([
  ['a repository that no target gives', { repositories: [{ name: 'bb' }] }, "no target gives the repository 'bb'"],
  [
    'a package that no upstream has',
    { repositories: [{ name: 'a' }], packages: ['wep'] },
    "no upstream has the package 'wep'; did you mean 'web'?",
  ],
  ['labels that no target has', { repositorySelector: { matchLabels: { env: 'test' } } }, 'no target gives what it selects'],
])('an exclusion of %s takes nothing away, and is reported', (_what, exclusion, why) => {
  expect(planned({ exclude: [exclusion] })).toEqual(['a/app a/web b/app b/web', [expect.stringContaining(`takes nothing away: ${why}`)]])
})

test('a target of which everything is excluded matches something', () => {
  const [places, findings] = planned({ exclude: [{ repositorySelector: {} }] })
  expect(places).toBe('')
  expect(findings.filter((line) => line.includes('[no-match]'))).toEqual([])
})

const ALL_APPS = { repositorySelector: {}, packages: ['app'] }

test.each([
  [
    'of the same places by name and by labels',
    [{ repositories: [{ name: 'a' }] }, { repositorySelector: { matchLabels: { env: 'prod' } } }],
    'b/app b/web',
  ],
  [
    'of which the first takes all places of the second',
    [{ repositorySelector: {} }, { repositories: [{ name: 'b' }], packages: ['web'] }],
    '',
  ],
  ['of which the second takes all places of the first', [{ repositories: [{ name: 'b' }], packages: ['app'] }, ALL_APPS], 'a/web b/web'],
])('each of two exclusions %s takes something away', (_what, exclude, places) => {
  const [left, findings] = planned({ exclude })
  expect([left, findings.filter((line) => line.includes('[nothing-excluded]'))]).toEqual([places, []])
})
