import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { formatResult } from '../result.ts'
import { upstreamInRings } from './rings.ts'
import { planOf, repository, revision, type Written } from './testing/fleet-of-objects.ts'

interface Matrix {
  readonly rings: readonly JsonRecord[]
  readonly upstream?: JsonRecord
  readonly spec?: JsonRecord
}

function matrixOf({ rings, upstream = { revision: 3 }, spec = {} }: Matrix): JsonRecord {
  return {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: { upstreams: [{ repo: 'catalog', package: 'app', ...upstream }], targets: [{ repositorySelector: {} }], rings, ...spec },
  }
}

const REPOSITORIES = ['a', 'b', 'c'].map((name) => repository(name, { ring: name }))

/** Returns the ring and the upstream's revision of each repository after a plan, and the findings without their places. */
function planned(matrix: Matrix, objects: readonly Written[] = REPOSITORIES) {
  const { sets, results } = planOf([matrixOf(matrix), ...objects])
  const places = (sets[0]?.draft?.rendered ?? []).map(({ place }) => {
    const { revision: number, workspaceName } = place.upstream.upstream
    return `${place.repoDefault} ${place.ring?.name} ${number}${workspaceName === undefined ? '' : ` ${workspaceName}`}`
  })
  const lines = results.filter(({ severity }) => severity !== 'info').map((result) => formatResult(result).replace(/^fleet\S+ /, ''))
  return { places, lines }
}

const named = (...names: readonly string[]) => `target.name in [${names.map((name) => `'${name}'`).join(', ')}]`

test.each([
  {
    rule: 'a target is in the first ring that holds for it, the last ring without a condition has the others',
    rings: [{ name: 'one', where: named('b') }, { name: 'two', where: named('a', 'b') }, { name: 'three' }],
    places: ['a two 3', 'b one 3', 'c three 3'],
  },
  {
    rule: 'a ring without a revision has the revision of the next ring, and the last ring the revision of the upstream',
    rings: [
      { name: 'one', where: named('a'), revisions: { app: 5 } },
      { name: 'two', where: named('b') },
      { name: 'three', revisions: { app: 4 } },
    ],
    places: ['a one 5', 'b two 4', 'c three 4'],
  },
  {
    rule: 'the revision of another package does not count',
    rings: [{ name: 'one', where: named('a'), revisions: { app: 5 } }, { name: 'two' }],
    spec: {
      upstreams: [
        { repo: 'catalog', package: 'app', revision: 3 },
        { repo: 'catalog', package: 'web', revision: 7 },
      ],
    },
    places: ['a one 5', 'b two 3', 'c two 3', 'a one 7', 'b two 7', 'c two 7'],
  },
])('$rule', ({ rings, places, spec = {} }) => {
  expect(planned({ rings, spec })).toEqual({ places, lines: [] })
})

test('a set without rings has no ring, and no finding about rings', () => {
  expect(planned({ rings: [] }).places).toEqual(['a undefined 3', 'b undefined 3', 'c undefined 3'])
})

test('the workspace of an upstream that names one beside its revision is that of the ring’s revision', () => {
  const rings = [
    { name: 'one', where: named('a'), revisions: { app: 2 } },
    { name: 'two', where: named('b'), revisions: { app: 9 } },
    { name: 'three' },
  ]
  const revisions = [2, 3].map((number) => revision('catalog', 'app', number))
  const both = { revision: 3, workspaceName: 'own' }
  expect(planned({ rings, upstream: both }).places).toEqual(['a one 2 v2', 'b two 9 v9', 'c three 3 own'])
  expect(planned({ rings: [...rings.slice(0, 1), { name: 'last' }], upstream: both }, [...REPOSITORIES, ...revisions]).places).toEqual([
    'a one 2 w2',
    'b last 3 own',
    'c last 3 own',
  ])
  expect(planned({ rings, upstream: { workspaceName: 'own' } }).places).toEqual(['a one 2', 'b two 9', 'c three undefined own'])
})

test('a revision of a ring that the list does not have is an error at the ring', () => {
  const rings = [{ name: 'one', where: named('a'), revisions: { app: 4 } }, { name: 'two' }]
  const { lines } = planned({ rings }, [...REPOSITORIES, revision('catalog', 'app', 3)])
  expect(lines).toEqual([
    expect.stringMatching(
      /^error: `spec\.rings\[0\]\.revisions\.app` must name a PackageRevision .* has no revision 4.*\[upstream-not-found\]$/,
    ),
  ])
})

test('the revision of an upstream that every ring replaces is not looked up', () => {
  const rings = [{ name: 'one', revisions: { app: 4 } }]
  expect(planned({ rings }, [...REPOSITORIES, revision('catalog', 'app', 4)]).lines).toEqual([])
})

test('a condition that does not compile is one error, and no other ring is said to be wrong', () => {
  const rings = [
    { name: 'one', where: 'target.name ==' },
    { name: 'two', where: named('z') },
  ]
  expect(planned({ rings }).lines).toEqual([expect.stringMatching(/^error: `spec\.rings\[0\]\.where` /)])
})

test('a condition without a value is one error for all targets with the same failure, in no later ring', () => {
  const rings = [
    { name: 'one', where: "target.labels.tier == 'x'" },
    { name: 'two', where: named('a') },
  ]
  const { places, lines } = planned({ rings }, [repository('a', { tier: 'x' }), repository('b'), repository('c')])
  expect(lines).toEqual([
    expect.stringMatching(
      /^error: `spec\.rings\[0\]\.where` must have a value for 2 targets \(Repository b, Repository c\): .*tier.*\[expression-eval\]$/s,
    ),
  ])
  expect(places[0]).toBe('a one 3')
})

test('targets in no ring are one error that names them', () => {
  const rings = [{ name: 'one', where: named('a') }]
  expect(planned({ rings }).lines).toEqual([
    'error: `spec.rings` must have a ring for every target: none holds for 2 targets (Repository b, Repository c); a last ring without `where` holds for the others [no-ring]',
  ])
})

test('a ring of no target is a warning, unless it is the last one or a target has no ring', () => {
  const empty = (index: number, which: string) =>
    `warning: \`spec.rings[${index}].where\` holds for none of 3 targets${which}: ring '${index}' is empty, so no package tries a revision there before the next ring [empty-ring]`
  const lines = (...conditions: readonly (string | undefined)[]) =>
    planned({ rings: conditions.map((where, index) => ({ name: String(index), ...(where !== undefined && { where }) })) }).lines
  expect(lines(named('z'), named('a'), named('a'), undefined)).toEqual([empty(0, ''), empty(2, ' that is in no earlier ring')])
  expect(lines(named('a', 'b', 'c'), undefined)).toEqual([])
  expect(lines(named('z'), named('a'))).toEqual([expect.stringContaining('[no-ring]')])
  expect(planned({ rings: [{ name: 'one', where: named('z') }] }, []).lines.some((line) => line.includes('[empty-ring]'))).toBe(false)
})

test('each package of a ring that no upstream has is an error with the nearest package', () => {
  const rings = [
    { name: 'one', where: named('a'), revisions: { appp: 4, app: 4 } },
    { name: 'two', revisions: { else: 4 } },
  ]
  const { lines } = planned({ rings })
  expect(lines).toEqual([
    "error: `spec.rings[0].revisions.appp` must be the package of an upstream; did you mean 'app'? [ring-package]",
    'error: `spec.rings[1].revisions.else` must be the package of an upstream [ring-package]',
  ])
})

test('a target without its input has no ring, and the missing input is the only error', () => {
  const inputs = [{ name: 'site', object: { apiVersion: 'x.org/v1', kind: 'Site', nameExpr: 'target.name' } }]
  const site = { apiVersion: 'x.org/v1', kind: 'Site', metadata: { name: 'a' } }
  const rings = [{ name: 'one', where: "inputs.site.metadata.name == 'a'" }]
  const { lines } = planned({ rings, spec: { inputs } }, [...REPOSITORIES.slice(0, 2), site])
  expect(lines).toEqual([expect.any(String)])
  expect(lines[0]).toContain('[input-missing]')
})

test('the revision of a ring replaces revision and workspace of the upstream, and names its field', () => {
  const { sets } = planOf([matrixOf({ rings: [{ name: 'one', revisions: { app: 4 } }], upstream: { revision: 3, workspaceName: 'own' } })])
  const set = sets[0]?.set
  const [upstream] = set?.upstreams ?? []
  const [asked] = set && upstream ? upstreamInRings(set, upstream) : []
  expect(asked).toMatchObject({ repo: 'catalog', package: 'app', revision: 4, written: { repo: 'catalog', package: 'app', revision: 4 } })
  expect([asked?.workspaceName, asked?.written.workspaceName]).toEqual([undefined, undefined])
  expect(asked?.revisionAt?.path).toEqual(['spec', 'rings', 0, 'revisions', 'app'])
})
