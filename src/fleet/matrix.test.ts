import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../testdata/random-runs.ts'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import type { VariantChange } from './change.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { planFanOut } from './plan-fan-out.ts'

const NAMES = ['r0', 'r1', 'r2', 'r3', 'r4']
const PACKAGES = ['p0', 'p1', 'p2']

/** Returns the changes of a matrix with these fields for five Repositories and three upstreams. */
function changesOf(spec: JsonRecord): readonly VariantChange[] {
  const repositories = NAMES.map((name, index) => ({
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'Repository',
    metadata: { name, labels: { name, half: index < 2 ? 'low' : 'high' } },
  }))
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'base' },
    spec: { upstreams: PACKAGES.map((name) => ({ repo: 'catalog', package: name, revision: 1 })), ...spec },
  }
  const objects = [...repositories, matrix].map((object, index) =>
    KrmObject.fromDocument(JSON.stringify(object), { path: 'all.yaml', index, line: 1 }),
  )
  const { sets, results } = planFanOut(ResourceList.of(objects), DEFAULT_OPTIONS)
  expect(results.filter(({ severity }) => severity === 'error')).toEqual([])
  return sets.flatMap(({ changes }) => changes)
}

/** Returns the variants of a plan as `REPOSITORY/PACKAGE` with their labels, sorted. */
function variantsOf(spec: JsonRecord): readonly string[] {
  return changesOf(spec)
    .map(({ why, after }) => `${why?.repo}/${why?.package} ${JSON.stringify(after?.labels ?? {})}`)
    .sort()
}

const SOME_NAMES = fc.subarray(NAMES, { minLength: 1 })
const EXCLUSION = fc.record(
  { repositories: SOME_NAMES.map((names) => names.map((name) => ({ name }))), packages: fc.subarray(PACKAGES, { minLength: 1 }) },
  { requiredKeys: ['repositories'] },
)

test('exclusion commutes with targets: it takes away the same of all targets as of each', () => {
  fc.assert(
    fc.property(SOME_NAMES, fc.array(EXCLUSION, { maxLength: 3 }), (names, exclude) => {
      const targets = names.map((name) => ({ repositorySelector: { matchLabels: { name } } }))
      const together = variantsOf({ targets, exclude })
      const each = targets.flatMap((target) => variantsOf({ targets: [target], exclude })).sort()
      const reversed = variantsOf({ targets: targets.toReversed(), exclude: exclude.toReversed() })
      const kept = variantsOf({ targets }).filter((variant) => !exclude.some((exclusion) => takesAway(exclusion, variant)))
      expect([each, reversed, kept]).toEqual([together, together, together])
    }),
    { numRuns: randomRuns(20) },
  )
})

function takesAway({ repositories, packages }: { repositories: { name: string }[]; packages?: string[] }, variant: string): boolean {
  const [repo = '', name = ''] = (variant.split(' ')[0] ?? '').split('/')
  return repositories.some((repository) => repository.name === repo) && (packages === undefined || packages.includes(name))
}

const LABELS = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2', '3'), { minKeys: 1 })
const OVERRIDE = fc.record(
  {
    where: fc.constantFrom("repository.labels.half == 'low'", "target.name != 'r3'", 'true'),
    packages: fc.subarray(PACKAGES, { minLength: 1 }),
    template: fc.record({ labels: LABELS }),
  },
  { requiredKeys: ['template'] },
)

test('of the overrides that hold for a variant, the last one with a label counts', () => {
  fc.assert(
    fc.property(fc.array(OVERRIDE, { maxLength: 4 }), (written) => {
      const overrides = written.map((override, index) => ({ name: `o${index}`, ...override }))
      const targets = [{ repositorySelector: {} }]
      const expected = NAMES.flatMap((repo, index) =>
        PACKAGES.map((name) => {
          const holding = written.filter(
            ({ where, packages }) => holds(where, repo, index) && (packages === undefined || packages.includes(name)),
          )
          const labels = Object.assign({}, ...holding.map(({ template }) => template.labels))
          return [`${repo}/${name}`, labels] as const
        }),
      )
      const found = variantsOf({ targets, overrides }).map((variant) => {
        const [place = '', labels = ''] = variant.split(' ')
        return [place, JSON.parse(labels)] as const
      })
      expect(new Map(found)).toEqual(new Map(expected))
    }),
    { numRuns: randomRuns(20) },
  )
})

function holds(where: string | undefined, repo: string, index: number): boolean {
  if (where?.includes('half')) return index < 2
  return where?.includes('r3') ? repo !== 'r3' : true
}

const CONDITION = fc.constantFrom("target.name < 'r2'", "repository.labels.half == 'high'", "repoDefault == 'r4'", 'false')
const RING = fc.record(
  { where: CONDITION, revisions: fc.dictionary(fc.constantFrom(...PACKAGES), fc.integer({ min: 2, max: 5 })) },
  { requiredKeys: ['where'] },
)

test('rings partition the targets: each is in the first ring that holds, and has the revision of that ring or of the next one', () => {
  fc.assert(
    fc.property(fc.array(RING, { maxLength: 4 }), (written) => {
      const rings = [...written.map((ring, index) => ({ name: `ring${index}`, ...ring })), { name: 'world' }]
      const found = changesOf({ targets: [{ repositorySelector: {} }], rings })
      expect(found).toHaveLength(NAMES.length * PACKAGES.length)
      for (const { why, after } of found) {
        if (why === undefined) throw new Error('a removal')
        const { repo, place } = why
        const first = written.findIndex(({ where }) => isInRing(where, repo))
        const at = first === -1 ? written.length : first
        expect(place.ring?.name).toBe(rings[at]?.name)
        const revision = written.slice(at).flatMap(({ revisions = {} }) => revisions[why.package] ?? [])[0] ?? 1
        expect(after?.upstream).toEqual({ repo: 'catalog', package: why.package, revision })
      }
    }),
    { numRuns: randomRuns(20) },
  )
})

function isInRing(where: string, repo: string): boolean {
  if (where.includes('<')) return repo < 'r2'
  if (where.includes('half')) return NAMES.indexOf(repo) >= 2
  return where.includes('r4') && repo === 'r4'
}

test('an override whose name is the names of two others gives its own template', () => {
  const override = (name: string, half: string, labels: JsonRecord) => ({
    name,
    where: `target.labels.half == '${half}'`,
    template: { labels },
  })
  const variants = variantsOf({
    upstreams: [{ repo: 'catalog', package: 'p0', revision: 1 }],
    targets: [{ repositorySelector: { matchExpressions: [{ key: 'name', operator: 'In', values: ['r0', 'r4'] }] } }],
    overrides: [override('a', 'low', { first: 'a' }), override('b', 'low', { second: 'b' }), override('a\nb', 'high', { both: 'ab' })],
  })
  expect(variants).toEqual(['r0/p0 {"first":"a","second":"b"}', 'r4/p0 {"both":"ab"}'])
})
