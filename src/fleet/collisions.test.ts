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
