import { expect, test } from 'vitest'
import { list, planOf, repository, setOf } from '../testing/fleet-of-objects.ts'
import { unknownRepositories } from './unknown-repositories.ts'

test.each([
  { reason: 'a misspelt one', repositories: ['brr', 'ham'], known: ['ber', 'ham'], fields: ["spec.targets[0].repositories[0].name 'ber'"] },
  { reason: 'one that is not near', repositories: ['xyzzy'], known: ['ber'], fields: [] },
  { reason: 'another number', repositories: ['edge-01'], known: ['edge-02'], fields: [] },
  { reason: 'no Repository', repositories: ['brr'], known: [], fields: [] },
])('a listed repository without a template that is nearly a Repository: $reason', ({ repositories, known, fields }) => {
  const results = unknownRepositories(planOf([setOf([list(...repositories)]), ...known.map((name) => repository(name))]))
  expect(results.map(({ message }) => message.replace(/^`(.*?)` .* mean (.*)\?$/, '$1 $2'))).toEqual(fields)
})

test('a repository of a target with a template is an error of the plan, and no warning', () => {
  const target = { ...list('brr'), template: { downstream: { package: 'x' } } }
  expect(unknownRepositories(planOf([setOf([target]), repository('ber')]))).toEqual([])
})
