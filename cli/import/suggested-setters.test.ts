import { expect, test } from 'vitest'
import { readVendorObjects } from '../../src/intake/vendor-objects.ts'
import type { JsonRecord } from '../../src/json.ts'
import { suggestedSetters } from './suggested-setters.ts'

const objectsOf = (...values: readonly JsonRecord[]) =>
  readVendorObjects(values.map((value, at) => ({ name: `${at}.yaml`, bytes: Buffer.from(JSON.stringify(value)) }))).objects

/** Returns the setters that two renderings of an object suggest, each with both values. */
function suggested(before: JsonRecord, after: JsonRecord): readonly string[] {
  return suggestedSetters(objectsOf(before), objectsOf(after)).setters.map(
    ({ setter, before: was, after: is }) => `${setter}: ${was} ${is}`,
  )
}

const deployment = (spec: JsonRecord): JsonRecord => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec })
const withEnv = (name: string, value: string) => deployment({ containers: [{ name: 'web', env: [{ name, value }] }] })

test('a scalar that differs is a setter, by the names of the entries on its way', () => {
  expect(
    suggested(
      deployment({ replicas: 1, containers: [{ name: 'web', image: 'a:1' }] }),
      deployment({ replicas: 3, containers: [{ name: 'web', image: 'a:2' }] }),
    ),
  ).toEqual(['replicas=spec.replicas@Deployment/web: 1 3', 'image=spec.containers[web].image@Deployment/web: a:1 a:2'])
})

test('two setters of one key have two names', () => {
  const both = (a: number, b: number) => deployment({ first: { port: a }, second: { port: b }, third: { port: a } })
  const names = suggested(both(1, 2), both(3, 4)).map((each) => each.replace(/=.*/, ''))
  expect(names).toEqual(['port', 'web-port', 'port-2'])
})

test.each([
  { reason: 'a field that the second lacks', after: deployment({}), others: ['spec.a@Deployment/web: one rendering lacks the field'] },
  {
    reason: 'a field that the first lacks',
    after: deployment({ a: 1, 'b.c': 2 }),
    others: ['spec["b.c"]@Deployment/web: one rendering lacks the field'],
  },
  { reason: 'a map', after: deployment({ a: {} }), others: ['spec.a@Deployment/web: it is a map or list'] },
  {
    reason: 'another object',
    after: { ...deployment({ a: 2 }), metadata: { name: 'other' } },
    others: ['Deployment/web: only the first rendering has the object', 'Deployment/other: only the second rendering has the object'],
  },
])('no setter, but named: $reason', ({ after, others }) => {
  expect(suggestedSetters(objectsOf(deployment({ a: 1 })), objectsOf(after))).toEqual({ setters: [], others })
})

test('a field within several brackets is no setter, since --setters refuses it', () => {
  const web = (size: string) =>
    readVendorObjects([
      { name: 'a.yaml', bytes: Buffer.from(`apiVersion: v1\nkind: A\nmetadata:\n  name: web\nspec: {storage: {size: ${size}}}\n`) },
    ]).objects
  expect(suggestedSetters(web('1Gi'), web('2Gi'))).toEqual({
    setters: [],
    others: ['spec.storage.size@A/web: the chart writes it within several brackets, where no comment has a place'],
  })
})

test('an object has its namespace in front if another namespace has one of its name', () => {
  const both = (a: number, b: number) =>
    objectsOf(
      { ...deployment({ a }), metadata: { name: 'web', namespace: 'one' } },
      { ...deployment({ a: b }), metadata: { name: 'web', namespace: 'two' } },
    )
  const { setters } = suggestedSetters(both(1, 1), both(1, 2))
  expect(setters.map(({ setter }) => setter)).toEqual(['a=spec.a@Deployment/two/web'])
})

test.each(['DB_PASSWORD', 'dbPass', 'API_TOKEN', 'clientSecret', 'CREDENTIALS', 'aws-cred'])('the value of %s is not shown', (name) => {
  const [line = ''] = suggested(withEnv(name, 'opensesame'), withEnv(name, 'abracadabra'))
  expect(line).toBe(`value=spec.containers[web].env[${name}].value@Deployment/web: not-shown other-not-shown`)
})

test('a value of a Secret is not shown', () => {
  const secret = (value: string): JsonRecord => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'db' },
    stringData: { user: value },
  })
  expect(suggested(secret('opensesame'), secret('abracadabra'))).toEqual(['user=stringData.user@Secret/db: not-shown other-not-shown'])
})
