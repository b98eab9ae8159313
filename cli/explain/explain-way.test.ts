import { expect, test } from 'vitest'
import { plannedVariants } from '../../src/fleet/planned-variants.ts'
import { list, planOf, repository, setOf } from '../../src/fleet/testing/fleet-of-objects.ts'
import { wayText, wayTo } from './explain-way.ts'

test.each([
  [[{ package: 'edge/web' }], 'edge/web'],
  [[{ package: 'a/b', revision: '1', state: 'published' }, { package: 'edge/web' }], 'a/b (1) -> edge/web'],
  [[{ package: 'a/b', revision: 'main', state: 'unpublished' }, { package: 'edge/web' }], 'a/b (main, unpublished) -> edge/web'],
  [[{ package: 'a/b', state: 'unknown' }, { package: 'edge/web' }], 'a/b (not known if published) -> edge/web'],
] as const)('the way %j is one line', (way, line) => {
  expect(wayText(way)).toBe(line)
})

test('a package that is made from the package of no variant has no way, and opens no upstream', () => {
  const plan = planOf([repository('a'), setOf([list('a')])])
  const planned = plannedVariants(plan)
  const open = () => {
    throw new Error('must not be opened')
  }
  expect(planned.map((variant) => wayTo(variant, planned, plan.fleet, open))).toEqual([[]])
})
