import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { formatResult } from '../result.ts'
import { list, planOf, repository, setOf, variant, type Written } from './testing/fleet-of-objects.ts'

const named = (name: string, set: JsonRecord): JsonRecord => ({ ...set, metadata: { name } })

/** A variant that belongs to no set. */
const foreign = (name: string, repo: string, spec: JsonRecord = {}): JsonRecord => {
  const { metadata: _, ...rest } = variant(name, repo, spec)
  return { ...rest, metadata: { name } }
}

/** Returns SEVERITY and RULE of each finding about variants that contradict each other. */
function collisions(...objects: readonly Written[]): readonly string[] {
  const rules = new Set(['target-collision', 'duplicate-target', 'name-taken', 'variant-name'])
  return planOf(objects).results.flatMap(({ severity, tags }) => (rules.has(tags.rule ?? '') ? [`${severity} ${tags.rule}`] : []))
}

const templated = (target: JsonRecord, template: JsonRecord): JsonRecord => ({ ...target, template })

test('variants of different downstreams do not collide', () => {
  expect(collisions(setOf([list('a', 'b')]))).toEqual([])
  expect(collisions(setOf([list('a')]), foreign('x', 'b'))).toEqual([])
})

test('two targets of one downstream are a warning if their specs are equal, else an error', () => {
  expect(collisions(setOf([list('a'), list('a')]))).toEqual(['warning duplicate-target'])
  expect(collisions(setOf([list('a'), templated(list('a'), { labels: { x: 'y' } })]))).toEqual(['error target-collision'])
})

test('two sets of one downstream collide in the same way', () => {
  const other = named('other', setOf([templated(list('a'), { labels: { x: 'y' } })]))
  expect(collisions(setOf([list('a')]), other)).toEqual(['error target-collision'])
  expect(collisions(setOf([list('a')]), named('other', setOf([list('a')])))).toEqual(['warning duplicate-target'])
})

test('a variant that belongs to no set has its downstream for itself', () => {
  expect(collisions(setOf([list('a')]), foreign('x', 'a'))).toEqual(['warning duplicate-target'])
  expect(collisions(setOf([list('a')]), foreign('x', 'a', { labels: { x: 'y' } }))).toEqual(['error target-collision'])
})

test('a new variant must not have the name of a variant that belongs to no set', () => {
  expect(collisions(setOf([list('a')]), foreign('fleet-a-app', 'z'))).toEqual(['error name-taken'])
  expect(collisions(setOf([list('a')]), variant('fleet-a-app', 'a'))).toEqual([])
})

test('two downstreams whose joined names are equal are an error', () => {
  const target = (name: string, ...packageNames: readonly string[]) => ({ repositories: [{ name, packageNames }] })
  expect(collisions(setOf([target('b-c', 'd'), target('b', 'c-d')]))).toEqual(['error target-collision'])
})

test('a name that an API server refuses is an error', () => {
  expect(collisions(setOf([list('A_b')]))).toContain('error variant-name')
})

test('collisions of the same two fields are one finding, which names some of the others', () => {
  const every: JsonRecord = { repositorySelector: {} }
  const set = setOf([every, templated(every, { labels: { x: 'y' } })])
  const found = planOf([set, repository('a'), repository('b')]).results
  const lines = found.map(formatResult).filter((line) => line.includes('[target-collision]'))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('; the same with ')
})

/** Returns the set, the field and the message of each finding of a rule, without the field at the begin of the message. */
function found(rule: string, ...objects: readonly Written[]): readonly (readonly [string | undefined, string | undefined, string])[] {
  const results = planOf(objects).results.filter(({ tags }) => tags.rule === rule)
  return results.map(({ resourceRef, field, message }) => [resourceRef?.name, field?.path.join('.'), message.replace(/^`[^`]*` /, '')])
}

test('a collision of two targets is at the second one and names the first, with the reason of the controller if it is an error', () => {
  const other = templated(list('a'), { labels: { x: 'y' } })
  const at = 'spec.targets.1.repositories.0'
  const first = '`spec.targets[0].repositories[0]`'
  expect(found('duplicate-target', setOf([list('a'), list('a')]))).toEqual([['fleet', at, `gives a/app with the same spec as ${first}`]])
  expect(found('target-collision', setOf([list('a'), other]))).toEqual([
    ['fleet', at, `must not give a/app with another spec than ${first}`],
  ])
  const reasons = (target: JsonRecord) => planOf([setOf([list('a'), target])]).results.map(({ tags }) => [tags.rule, tags.reason])
  expect(reasons(other)).toContainEqual(['target-collision', 'UnexpectedError'])
  expect(reasons(list('a'))).toContainEqual(['duplicate-target', undefined])
})

test('a collision with another set or with a variant of no set names that', () => {
  const [, second] = [setOf([list('a')]), named('other', setOf([list('a')]))]
  expect(found('duplicate-target', setOf([list('a')]), second)).toEqual([
    [
      'other',
      'spec.targets.0.repositories.0',
      'gives a/app with the same spec as `spec.targets[0].repositories[0]` of PackageVariantSet fleet',
    ],
  ])
  expect(found('duplicate-target', setOf([list('a')]), foreign('x', 'a'))).toEqual([
    ['fleet', 'spec.targets.0.repositories.0', 'gives a/app with the same spec as PackageVariant x, which belongs to no set of the list'],
  ])
})

test('of three variants with one downstream, each later one collides with the first', () => {
  const lines = found('duplicate-target', setOf([list('a'), list('a'), list('a')]))
  expect(lines.map(([, field]) => field)).toEqual(['spec.targets.1.repositories.0', 'spec.targets.2.repositories.0'])
  expect(lines.every(([, , message]) => message.endsWith('as `spec.targets[0].repositories[0]`'))).toBe(true)
})

test('variants of one downstream in two namespaces do not collide', () => {
  const elsewhere = { ...setOf([list('a')]), metadata: { name: 'fleet', namespace: 'other' } }
  const alone = { ...foreign('fleet-a-app', 'a'), metadata: { name: 'fleet-a-app', namespace: 'other' } }
  expect(collisions(setOf([list('a')]), elsewhere, alone).filter((each) => each.includes('name-taken'))).toEqual(['error name-taken'])
  expect(collisions(setOf([list('a')]), alone)).toEqual([])
})

test('a collision of matched objects names the objects, and at most three of the others', () => {
  const every: JsonRecord = { repositorySelector: {} }
  const repositories = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => repository(name))
  const [[, field, message] = []] = found('target-collision', setOf([every, templated(every, { labels: { x: 'y' } })]), ...repositories)
  expect([field, message]).toEqual([
    'spec.targets.1.repositorySelector',
    'must not give a/app for Repository a with another spec than `spec.targets[0].repositorySelector` for Repository a; the same with b/app for Repository b, c/app for Repository c, d/app for Repository d and 2 more',
  ])
})

const matrixOf = (upstreams: readonly JsonRecord[], spec: JsonRecord): JsonRecord => ({
  apiVersion: 'fleet.krm-variants.dev/v1alpha1',
  kind: 'PackageVariantMatrix',
  metadata: { name: 'm' },
  spec: { upstreams, ...spec },
})

test('a collision of two upstreams for one target is at the second upstream, and names both revisions', () => {
  const upstream = (revision: number): JsonRecord => ({ repo: 'catalog', package: 'app', revision })
  expect(found('target-collision', matrixOf([upstream(1), upstream(2)], { targets: [list('a')] }))).toEqual([
    [
      'm',
      'spec.upstreams.1',
      'must not give a/app from upstream catalog/app@2 with another spec than `spec.upstreams[0]` from upstream catalog/app@1',
    ],
  ])
})

test('a collision because of the name in an override is at the override', () => {
  const override = { name: 'gold', where: "target.labels.tier == 'gold'", template: { downstream: { repo: 'a' } } }
  const spec = { targets: [{ repositorySelector: {} }], overrides: [override] }
  const matrix = matrixOf([{ repo: 'catalog', package: 'app', revision: 1 }], spec)
  const { results } = planOf([matrix, repository('a', { tier: 'none' }), repository('b', { tier: 'gold' })])
  const found = results.filter(({ tags }) => tags.rule === 'duplicate-target')
  expect(found.map(({ field }) => field?.path.join('.'))).toEqual(['spec.overrides.0.template.downstream.repo'])
})

test('two variants of one name are an error that names both, and so is a name that a variant of no set has', () => {
  const target = (name: string, ...packageNames: readonly string[]) => ({ repositories: [{ name, packageNames }] })
  expect(found('target-collision', setOf([target('b-c', 'd'), target('b', 'c-d')]))).toEqual([
    [
      'fleet',
      'spec.targets.1.repositories.0.packageNames.0',
      "must not name the variant of b/c-d 'fleet-b-c-d': `spec.targets[0].repositories[0].packageNames[0]` gives that name to the variant of b-c/d",
    ],
  ])
  expect(found('name-taken', setOf([list('a')]), foreign('fleet-a-app', 'z'))).toEqual([
    [
      'fleet',
      'spec.targets.0.repositories.0',
      "must not name the variant of a/app 'fleet-a-app': PackageVariant fleet-a-app has that name and belongs to no set of the list",
    ],
  ])
})

test('an illegal name is at the target, or at the package of the upstream whose characters make it illegal', () => {
  expect(found('variant-name', setOf([list('A_b')]))[0]?.[1]).toBe('spec.targets.0.repositories.0')
  const upstream = { repo: 'catalog', package: 'a:b', revision: 2 }
  expect(found('variant-name', setOf([list('a')], upstream))[0]).toEqual([
    'fleet',
    'spec.upstream.package',
    "must not name the variant of a/a:b 'fleet-a-a:b': a name has only a-z, 0-9, '-' and '.', and begins and ends with a letter or digit",
  ])
})
