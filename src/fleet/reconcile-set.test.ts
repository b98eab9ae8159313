import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { formatResult } from '../result.ts'
import { DEFAULT_OPTIONS, type FleetOptions } from './options.ts'
import { namedClaims, reconcileSet } from './reconcile-set.ts'
import { list, planOf, revision, setOf, variant } from './testing/fleet-of-objects.ts'

/** Returns the findings of a plan about one rule, as lines without their places. */
function linesOf(objects: readonly JsonRecord[], rule: string, options: Partial<FleetOptions> = {}): readonly string[] {
  const results = planOf(objects, options).results.filter(({ tags }) => tags.rule === rule)
  return results.map((result) => formatResult(result).replace(/^fleet\/all\.yaml:\d+:\d+: /, ''))
}

function changesOf(objects: readonly JsonRecord[], options: Partial<FleetOptions> = {}): readonly string[] {
  return planOf(objects, options).sets.flatMap(({ changes }) => changes.map(({ op, name }) => `${op} ${name}`))
}

const repos = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`)
const existing = (count: number) => repos(count).map((name) => variant(name, name))

test.each([
  { removed: 2, of: 3, says: false },
  { removed: 2, of: 4, says: false },
  { removed: 3, of: 4, says: true },
  { removed: 3, of: 5, says: true },
])(
  'a set that loses $removed of $of variants has a warning if these are more than half of at least four: $says',
  ({ removed, of, says }) => {
    const names = repos(of).slice(of - removed)
    const message = `warning: \`spec.targets\` removes ${removed} of ${of} variants (${names.join(', ')}): the targets of the set match them no more [deletion-guard]`
    expect(linesOf([setOf([list(...repos(of - removed))]), ...existing(of)], 'deletion-guard')).toEqual(says ? [message] : [])
  },
)

test('the warning names at most five variants, and is not given where the limit says that the removals are meant', () => {
  const objects = [setOf([list('r0')]), ...existing(8)]
  const limit = (count: number) => ({ maxDeletions: { count } })
  expect(linesOf(objects, 'deletion-guard', limit(7))).toEqual([])
  const [refusal] = linesOf(objects, 'deletion-guard')
  expect(refusal).toMatch(/^error: `spec\.targets` must not remove more than 5 of 8 variants .*\[deletion-guard\]$/)
  const [warning] = linesOf([setOf([list('r0')]), ...existing(6)], 'deletion-guard')
  expect(warning).toContain('(r1, r2, r3, r4, r5): ')
})

test('more removals than the limit are an error, and the changes are kept for the reader of the plan', () => {
  const objects = [setOf([list('r0')]), ...existing(3)]
  const options = { maxDeletions: { count: 1 } }
  expect(linesOf(objects, 'deletion-guard', options)).toEqual([
    expect.stringMatching(/^error: `spec\.targets` must not remove more than 1 of 3 variants/),
  ])
  expect(changesOf(objects, options)).toEqual(['unchanged r0', 'remove r1', 'remove r2'])
})

test('a selector that matches nothing is refused where all variants go, and else a warning', () => {
  const nothing = { repositorySelector: { matchLabels: { a: 'b' } } }
  const objects = [setOf([nothing]), ...existing(1)]
  expect(linesOf(objects, 'deletion-guard')).toEqual([expect.stringContaining('must match something')])
  expect(linesOf(objects, 'no-match')).toEqual([])
  expect(linesOf([setOf([nothing, list('r0')]), ...existing(1)], 'no-match')).toHaveLength(1)
})

test('places that are excluded count as matches of the targets', () => {
  const spec = { upstreams: [{ repo: 'catalog', package: 'app', revision: 2 }], targets: [list(...repos(4))], exclude: [list(...repos(4))] }
  const matrix = { apiVersion: 'fleet.krm-variants.dev/v1alpha1', kind: 'PackageVariantMatrix', metadata: { name: 'fleet' }, spec }
  expect(linesOf([matrix, ...existing(4)], 'deletion-guard')).toEqual([expect.stringMatching(/^warning: .* removes 4 of 4 variants/)])
})

test('each further variant with one downstream is an error that names the first, and the set has no changes', () => {
  const objects = [setOf([list('r0')]), variant('a', 'r0'), variant('b', 'r0'), variant('c', 'r1'), variant('d', 'r0')]
  const message = 'error: `spec.downstream` must differ from that of PackageVariant a, which belongs to the same set [duplicate-variant]'
  expect(linesOf(objects, 'duplicate-variant')).toEqual([message, message])
  expect(changesOf(objects)).toEqual([])
  const [fault] = planOf(objects).results.filter(({ tags }) => tags.rule === 'duplicate-variant')
  expect([fault?.resourceRef?.name, fault?.tags.reason]).toEqual(['b', 'UnexpectedError'])
})

test('two places with one downstream and one spec have one variant, that of the first', () => {
  const [change] = planOf([setOf([list('a'), list('a')])]).sets[0]?.changes ?? []
  expect(change?.why?.place.path).toEqual(['spec', 'targets', 0, 'repositories', 0])
  expect(changesOf([setOf([list('a'), list('a')])])).toEqual(['create fleet-a-app'])
})

test('a variant is unchanged if its spec is equal, in whatever order its keys are', () => {
  const spec = { downstream: { package: 'app', repo: 'a' }, upstream: { revision: 2, package: 'app', repo: 'catalog' } }
  expect(changesOf([setOf([list('a')]), variant('mine', 'a', spec)])).toEqual(['unchanged mine'])
  expect(changesOf([setOf([list('a')]), variant('mine', 'a', { labels: { a: 'b' } })])).toEqual(['update mine'])
})

test('a variant that was made before its set had a uid gets the marks of Porch', () => {
  const set = setOf([list('a')])
  const withUid = { ...set, metadata: { name: 'fleet', uid: 'u' } }
  const marksOf = (...objects: readonly JsonRecord[]) => planOf(objects).sets[0]?.changes.map(({ op, addsMarks }) => [op, addsMarks])
  const own = variant('mine', 'a')
  const marked = { ...own, metadata: { name: 'mine', labels: { 'config.porch.kpt.dev/packagevariantset': 'u' } } }
  expect(marksOf(withUid, own)).toEqual([['update', true]])
  expect(marksOf(withUid, marked)).toEqual([['unchanged', false]])
  expect(marksOf(set, own)).toEqual([['unchanged', false]])
})

test('a new variant is named for its set, repository and package, with slashes in a matrix as dashes, in 63 bytes', () => {
  const long = 'r'.repeat(60)
  const [cut = ''] = changesOf([setOf([list(long)])])
  expect(cut).toHaveLength('create '.length + 63)
  expect(cut.startsWith(`create fleet-${'r'.repeat(40)}`)).toBe(true)
  const spec = { upstreams: [{ repo: 'catalog', package: 'web/app/one', revision: 2 }], targets: [list('a')] }
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm', namespace: 'n' },
    spec,
  }
  const [change] = planOf([matrix]).sets[0]?.changes ?? []
  expect([change?.name, change?.namespace]).toEqual(['m-a-web-app-one', 'n'])
})

test('a warning about the form of a value is dropped if the value itself is refused', () => {
  const rules = (...revisions: readonly JsonRecord[]) =>
    planOf([setOf([list('a')], { repo: 'catalog', package: 'app', revision: '2' }), ...revisions]).results.map(({ tags }) => tags.rule)
  expect(rules()).toEqual(['string-revision', 'fan-out'])
  expect(rules(revision('catalog', 'app', 2))).toEqual(['string-revision', 'fan-out'])
  expect(rules(revision('catalog', 'app', 3))).toEqual(['upstream-not-found'])
  // The error of another field leaves the warning.
  expect(rules(revision('catalog', 'web', 2))).toEqual(expect.arrayContaining(['string-revision', 'upstream-not-found']))
})

test.each([
  ['whose repository has no name', { downstream: { repoExpr: "''" } }],
  ['whose package is no path', { downstream: { packageExpr: "'../x'" } }],
  ['whose label has no value', { labelExprs: [{ key: 'x', valueExpr: 'target.labels.none' }] }],
])('a variant %s is not sound, and the others are', (_, template) => {
  const targets = [{ ...list('a'), template }, list('b')]
  const [found] = planOf([setOf(targets)]).sets
  const settled = found && reconcileSet(found, found.draft, [], DEFAULT_OPTIONS)
  expect([settled?.sound.map(({ repo }) => repo), settled?.isWhole]).toEqual([['b'], false])
  expect(settled?.changes.map(({ name }) => name)).toEqual(['fleet-b-app'])
})

test('a rename counts against the limit of removals, and not as a variant that the targets match no more', () => {
  const old = (name: string) => variant(name, name, { downstream: { repo: name, package: 'old' } })
  const objects = [setOf([list(...repos(4))]), ...repos(4).map(old)]
  expect(linesOf(objects, 'deletion-guard')).toEqual([])
  expect(linesOf(objects, 'deletion-guard', { maxDeletions: { count: 3 } })).toEqual([
    expect.stringContaining('must not remove more than 3 of 4 variants'),
  ])
})

test('the claims of a set have the name of each variant that stays or comes, and say which names are new', () => {
  const old = variant('old', 'b', { downstream: { repo: 'b', package: 'old' } })
  const [found] = planOf([setOf([list('a', 'b', 'c')]), variant('mine', 'a'), old, variant('gone', 'd')]).sets
  const claims = found?.set ? namedClaims(found.set, found.changes) : []
  expect(claims.map(({ name, isNew }) => [name, isNew])).toEqual([
    ['mine', false],
    ['fleet-b-app', true],
    ['fleet-c-app', true],
  ])
})

test('a removal has the namespace and the content of the variant', () => {
  const inNamespace = (object: JsonRecord) => ({ ...object, metadata: { ...Object(object.metadata), namespace: 'sites' } })
  const gone = variant('gone', 'b')
  const owned = { ...gone, metadata: { name: 'gone', annotations: { 'krm-variants.dev/package-variant-set': 'sites/fleet' } } }
  const [found] = planOf([inNamespace(setOf([list('a')])), inNamespace(owned)]).sets
  const removal = found?.changes.find(({ op }) => op === 'remove')
  expect([removal?.namespace, removal?.before]).toEqual(['sites', gone.spec])
})

test('a key that is misspelt hides the missing one alone: not the one of another map, and no other choice', () => {
  const rules = (spec: JsonRecord) =>
    planOf([{ ...setOf([]), spec }]).results.flatMap(({ severity, tags, field }) =>
      severity === 'error' ? [`${tags.rule} ${field?.path.join('.')}`] : [],
    )
  const upstream = { repo: 'catalog', package: 'app', revision: 1 }
  expect(rules({ upstream: { repo: 'catalog', pakage: 'app' }, targets: [list('a')] })).toEqual([
    'upstream-revision spec.upstream',
    'unknown-field spec.upstream.pakage',
  ])
  expect(rules({ upstream, targets: [{ repositories: [{ nmae: 'a' }] }, { repositories: [{}] }] })).toEqual([
    'unknown-field spec.targets.0.repositories.0.nmae',
    'required spec.targets.1.repositories.0.name',
  ])
})
