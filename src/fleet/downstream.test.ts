import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { downstreamFrom, downstreamKey, downstreamOf } from './downstream.ts'
import { readFleet } from './fleet.ts'
import { resourceListOf, variant } from './testing/fleet-of-objects.ts'

test.each<[JsonValue | undefined, JsonValue | undefined, boolean]>([
  ['edge', 'app', true],
  ['', '', true],
  ['edge', undefined, false],
  [undefined, 'app', false],
  [7, 'app', false],
  ['edge', 7, false],
])('the fields %j and %j name a downstream: %s', (repo, packageName, isNamed) => {
  expect(downstreamFrom(repo, packageName)).toEqual(isNamed ? { repo, package: packageName } : undefined)
})

test('the downstream of a variant is that of its spec', () => {
  const [object] = readFleet(resourceListOf([variant('v', 'edge')]).items).allOf('config.porch.kpt.dev', 'PackageVariant')
  expect(object && downstreamOf(object)).toEqual({ repo: 'edge', package: 'app' })
})

test('two downstreams have one key only if repository and package are equal, whatever characters they have', () => {
  const keys = [
    ['a b', 'c'],
    ['a', 'b c'],
    ['a', 'b'],
    ['', 'a b'],
    ['3 a b', 'c'],
  ].map(([repo = '', name = '']) => downstreamKey({ repo, package: name }))
  expect(new Set(keys).size).toBe(keys.length)
  expect(downstreamKey({ repo: 'a', package: 'b' })).toBe(downstreamKey({ repo: 'a', package: 'b' }))
  expect(downstreamKey(undefined)).toBe('')
})
