import { expect, test } from 'vitest'
import { nearestNames } from './nearest-name.ts'

const MANY = Array.from({ length: 1000 }, (_, n) => `cluster-settings-${n}`)

test('each list has its own near names', () => {
  const among = nearestNames()
  expect(among(['north', 'south'])('nroth')).toBe('north')
  expect(among(['east', 'west'])('nroth')).toBeUndefined()
})

test('what was answered stays so, and new names are near none, when a run has compared enough', () => {
  const nearest = nearestNames()(MANY)
  const asked = Array.from({ length: 2000 }, (_, n) => `clustr-settings-${n}`)
  const first = asked.map(nearest)
  expect(first[0]).toBe('cluster-settings-0')
  expect(first.at(-1)).toBeUndefined()
  expect(asked.map(nearest)).toEqual(first)
})
