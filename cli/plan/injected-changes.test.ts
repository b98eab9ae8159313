import { expect, test } from 'vitest'
import { list, planOf, repository, setOf } from '../../src/fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { injectingOf } from './injected-changes.ts'

const item = (object: JsonRecord) => KrmObject.fromDocument(JSON.stringify(object))
const endpoints = (fields: JsonRecord, name = 'north', kind = 'Endpoints') =>
  item({ apiVersion: 'retail.example.com/v1', kind, metadata: { name }, ...fields })

/** Returns the number of variants that inject what changed; their injector names the object `north`. */
function injecting(before: readonly KrmObject[], now: readonly KrmObject[], injector: JsonRecord = { name: 'north' }): number | undefined {
  const set = setOf([{ ...list('a', 'b'), template: { injectors: [injector] } }])
  const { sets } = planOf([repository('a'), repository('b'), set])
  const variants = sets.flatMap(({ changes }) => changes)
  return injectingOf({ variants, items: now, earlier: { items: before } }).injecting
}

test('variants that inject an object count when its configuration changes, comes or goes', () => {
  const [one, two] = [endpoints({ spec: { host: 'one' } }), endpoints({ spec: { host: 'two' } })]
  expect(injecting([one], [two])).toBe(2)
  expect(injecting([], [one])).toBe(2)
  expect(injecting([one], [])).toBe(2)
  expect(injecting([one], [one])).toBeUndefined()
})

test('of a ConfigMap data is injected, of any other object spec', () => {
  expect(injecting([endpoints({ data: { a: '1' } })], [endpoints({ data: { a: '2' } })])).toBeUndefined()
  const map = (a: string) => item({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'north' }, data: { a } })
  expect(injecting([map('1')], [map('2')])).toBe(2)
})

test('an injector that names a kind or a group injects no object of another one', () => {
  const [one, two] = [endpoints({ spec: { host: 'one' } }), endpoints({ spec: { host: 'two' } })]
  expect(injecting([one], [two], { name: 'north', kind: 'Endpoints', group: 'retail.example.com' })).toBe(2)
  expect(injecting([one], [two], { name: 'north', kind: 'Store' })).toBeUndefined()
  expect(injecting([one], [two], { name: 'north', group: 'apps' })).toBeUndefined()
  expect(injecting([one], [two], { name: 'south' })).toBeUndefined()
})
