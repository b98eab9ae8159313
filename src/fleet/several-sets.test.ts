import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { formatResult } from '../result.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { planFanOutInSteps } from './plan-fan-out.ts'
import { list, planOf, repository, resourceListOf, setOf, variant, type Written } from './testing/fleet-of-objects.ts'

const named = (object: JsonRecord, metadata: JsonRecord): JsonRecord => ({
  ...object,
  metadata: { ...Object(object.metadata), ...metadata },
})
const other = (targets: readonly JsonRecord[], metadata: JsonRecord = {}) => named(setOf(targets), { name: 'other', ...metadata })

function messagesOf(objects: readonly Written[], rule: string): readonly string[] {
  return planOf(objects).results.flatMap(({ tags, message }) => (tags.rule === rule ? [message] : []))
}

test('a collision of two sets is a fault of the later one alone', () => {
  const different = { ...list('a'), template: { labels: { x: 'y' } } }
  const { sets } = planOf([setOf([list('a')]), other([different]), named(setOf([list('c')]), { name: 'third' })])
  expect(sets.map(({ results }) => results.map(({ tags }) => tags.rule))).toEqual([[], ['target-collision'], []])
  expect(sets.map(({ conditions }) => conditions.map(({ type, status }) => `${type} ${status}`))).toEqual([
    ['Stalled False', 'Ready True'],
    ['Stalled True', 'Ready False'],
    ['Stalled False', 'Ready True'],
  ])
})

test('a set with a fault changes nothing and gives no reasons, and the others are planned', () => {
  const broken = named({ ...setOf([list('b')]), spec: { upstream: { repo: 'catalog' }, targets: [list('b')] } }, { name: 'broken' })
  const objects = [broken, setOf([list('a')]), variant('b', 'b')]
  const { fleet, sets } = planOf(objects)
  const [existing] = fleet.allOf('config.porch.kpt.dev', 'PackageVariant')
  expect(sets.map(({ changes }) => changes.map(({ op, name }) => `${op} ${name}`))).toEqual([[], ['create fleet-a-app', 'remove b']])
  expect(existing && sets[0]?.whyNot(existing)).toBeUndefined()
})

test('the progress counts the variants of all sets', () => {
  const steps = planFanOutInSteps(resourceListOf([setOf([list('a', 'b')]), setOf([]), other([list('c')])]), DEFAULT_OPTIONS)
  expect([...steps]).toEqual([
    { done: 1, total: 3 },
    { done: 2, total: 3 },
    { done: 3, total: 3 },
  ])
})

const orphan = (name: string, repo: string, owner = 'default/old') =>
  named(variant(name, repo), { annotations: { 'krm-variants.dev/package-variant-set': owner } })

test('variants of a set that is gone name the set that wants most of their downstreams', () => {
  const hint = (...objects: readonly Written[]) => messagesOf(objects, 'orphaned').map((each) => /wants (.*?): if/.exec(each)?.[1])
  const set = (name: string, ...repos: string[]) => named(setOf([list(...repos)]), { name })
  const orphans = [orphan('x', 'a'), orphan('y', 'b')]
  expect(hint(set('new', 'a', 'b'), ...orphans)).toEqual(['2 of their downstreams'])
  expect(hint(set('new', 'a', 'c'), ...orphans)).toEqual(['the downstream of one of them'])
  expect(hint(set('new', 'c'), ...orphans)).toEqual([undefined])
  expect(hint(named(set('new', 'a', 'b'), { namespace: 'elsewhere' }), ...orphans)).toEqual([undefined])
  const [most] = messagesOf([set('one', 'a'), set('two', 'a', 'b'), set('three', 'b'), ...orphans], 'orphaned')
  expect(most).toContain('PackageVariantSet default/two wants 2 of their downstreams')
})

test('variants that a uid leads to a set which is gone get no proposal of a name', () => {
  const marked = named(variant('x', 'a'), { annotations: {}, labels: { 'config.porch.kpt.dev/packagevariantset': 'gone' } })
  const [message] = messagesOf([setOf([list('a')]), marked], 'orphaned')
  expect(message).toContain("'gone'; 1 variant stays as before: x")
  expect(message).not.toContain('wants')
})

test('a set in a List is named once, at the List, and a set of another group with its group', () => {
  const inList = { apiVersion: 'v1', kind: 'List', items: [setOf([list('a')])] }
  expect(messagesOf([inList], 'unknown-kind')).toEqual([expect.stringContaining("must be a document of its own behind '---'")])
  for (const other of [repository('a'), { ...inList, items: [] }]) expect(messagesOf([other], 'unknown-kind')).toEqual([])
  const foreign = { ...setOf([list('a')]), apiVersion: 'example.com/v1' }
  expect(messagesOf([foreign], 'no-set')).toEqual([expect.stringContaining("1 PackageVariantSet of 'example.com', no PackageVariantSet")])
})

test('sets of one uid would own the same variants; an empty uid is none', () => {
  const rules = (uid: string) =>
    planOf([named(setOf([list('a')]), { uid }), other([list('b')], { uid })]).results.map(({ tags }) => tags.rule)
  expect(rules('u')).toContain('duplicate-set')
  expect(rules('')).not.toContain('duplicate-set')
})

test('variants without a downstream do not collide with each other', () => {
  const bare = (name: string) => ({ ...variant(name, 'a'), spec: { upstream: {} } })
  expect(messagesOf([setOf([list('a')]), bare('x'), bare('y')], 'duplicate-variant')).toEqual([])
  expect(messagesOf([setOf([list('a')]), variant('x', 'a'), variant('y', 'a')], 'duplicate-variant')).toHaveLength(1)
})

test('a misspelt key is one fault: neither it nor what it holds is missing as well', () => {
  const rules = (spec: JsonRecord) =>
    planOf([{ ...setOf([]), spec }]).results.flatMap(({ severity, tags }) => (severity === 'error' ? [tags.rule] : []))
  const upstream = { repo: 'catalog', package: 'app', revision: 1 }
  expect(rules({ upstraem: upstream, targets: [list('a')] })).toEqual(['unknown-field'])
  expect(rules({ upstream: { repo: 'catalog', pakage: 'app', revision: 1 }, targets: [list('a')] })).toEqual(['unknown-field'])
  expect(rules({ upstream: { repo: 'catalog', package: 'app', revison: 1 }, targets: [list('a')] })).toEqual(['unknown-field'])
  expect(rules({ upstream, targets: [{ repositoris: [{ name: 'a' }] }] })).toEqual(['unknown-field'])
  expect(rules({ upstream: { repo: 'catalog', color: 'red', revision: 1 }, targets: [{ x: 1 }] })).toEqual(
    expect.arrayContaining(['unknown-field', 'required', 'target-criteria']),
  )
})

test('a variant whose names an expression leaves empty is not sound, and gives no change', () => {
  const target = { ...list('a'), template: { downstream: { repoExpr: "''" } } }
  const { sets, results } = planOf([setOf([target, list('b')])])
  expect(results.filter(({ severity }) => severity === 'error').map(formatResult)).toHaveLength(1)
  expect(sets[0]?.changes).toEqual([])
})

test('a rename counts as a removal against the limit of removals', () => {
  const objects = [setOf([list('a', 'b')]), variant('x', 'a', { downstream: { repo: 'a', package: 'old' } }), variant('b', 'b')]
  const refused = (maxDeletions: number) =>
    planOf(objects, { maxDeletions: { count: maxDeletions } }).results.some(({ tags }) => tags.rule === 'deletion-guard')
  expect([refused(0), refused(1)]).toEqual([true, false])
})
