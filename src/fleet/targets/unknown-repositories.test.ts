import { expect, test } from 'vitest'
import { list, planOf, repository, setOf } from '../testing/fleet-of-objects.ts'
import { unknownRepositories } from './unknown-repositories.ts'

test.each([
  { reason: 'a misspelt one', repositories: ['brr', 'ham'], known: ['ber', 'ham'], fields: ["spec.targets[0].repositories[0].name 'ber'"] },
  { reason: 'one that is not near', repositories: ['xyzzy'], known: ['ber'], fields: [] },
  { reason: 'another number', repositories: ['edge-01'], known: ['edge-02'], fields: [] },
  { reason: 'another word between dashes', repositories: ['prod-us'], known: ['prod-eu'], fields: [] },
  { reason: 'another letter between dashes', repositories: ['team-b-prod', 'az-1b'], known: ['team-a-prod', 'az-1a'], fields: [] },
  { reason: 'another long word', repositories: ['us-west', 'eu.west'], known: ['us-east', 'eu.east'], fields: [] },
  { reason: 'an added part', repositories: ['eu-central-2'], known: ['eu-central'], fields: [] },
  { reason: 'nearly a listed one', repositories: ['store-ber', 'store-bern'], known: ['store-ber'], fields: [] },
  {
    reason: 'a misspelt part',
    repositories: ['egde-north', 'edgesouth'],
    known: ['edge-north', 'edge-south'],
    fields: ["spec.targets[0].repositories[0].name 'edge-north'", "spec.targets[0].repositories[1].name 'edge-south'"],
  },
  { reason: 'no Repository', repositories: ['brr'], known: [], fields: [] },
])('a listed repository without a template that is nearly a Repository: $reason', ({ repositories, known, fields }) => {
  const results = unknownRepositories(planOf([setOf([list(...repositories)]), ...known.map((name) => repository(name))]))
  expect(results.map(({ message }) => message.replace(/^`(.*?)` .* mean (.*)\?$/, '$1 $2'))).toEqual(fields)
})

test('a repository of a target with a template is an error of the plan, and no warning', () => {
  const target = { ...list('brr'), template: { downstream: { package: 'x' } } }
  expect(unknownRepositories(planOf([setOf([target]), repository('ber')]))).toEqual([])
})
