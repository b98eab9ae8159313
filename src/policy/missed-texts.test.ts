import { expect, test } from 'vitest'
import { celValue } from '../cel/variables.ts'
import type { JsonRecord } from '../json.ts'
import { missedTexts } from './missed-texts.ts'

/** Returns what a condition misses among items with some values. */
function missed(where: string, ...values: readonly JsonRecord[]) {
  return missedTexts(
    where,
    values.map((value) => ({ value: celValue(value) ?? null })),
    'target',
  )
}

/** Returns the end of the message, and if a name is misspelt. */
function outcome(where: string, ...values: readonly JsonRecord[]) {
  const { why, slips } = missed(where, ...values)
  return { why, isMisspelt: slips !== '' }
}

const STORES = [
  { ring: 'canary', labels: { tier: 'a-1' } },
  { ring: 'world', labels: {} },
  { ring: '', labels: {} },
]

test.each([
  // [the condition, the end of the message, whether a name is misspelt]
  ["item.ring == 'canary'", '', false],
  ["item.ring == 'canry'", "; no target has the ring 'canry'; did you mean 'canary'?", true],
  ["'canry' == item.ring", "; no target has the ring 'canry'; did you mean 'canary'?", true],
  ["item.ring == 'zzzzzz'", "; no target has the ring 'zzzzzz', but 'canary', 'world'", false],
  ["item.labels.tier == 'a-1' && item.ring == 'wrld'", "; no target has the ring 'wrld'; did you mean 'world'?", true],
  ["item.labels.tier == 'b-1'", "; no target has the labels.tier 'b-1'; did you mean 'a-1'?", false],
  ["item.labels.ring == 'x'", "; no target has the labels.ring 'x'", false],
  ["item.ring in ['canary', 'wrld']", "; no target has the ring 'wrld'; did you mean 'world'?", true],
  ['item.labels.size() == 2', '', false],
  ["variables.ring == 'canry'", '', false],
  ["item.ring == 'canry", '', false],
])('%s misses %j', (where, why, isMisspelt) => {
  expect(outcome(where, ...STORES)).toEqual({ why, isMisspelt })
})

test('of many missed texts three are named, each with at most five values', () => {
  const rings = ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee', 'ffff'].map((ring) => ({ ring }))
  const { why, isMisspelt } = outcome("item.ring in ['1111', '2222', '3333', 'aaax']", ...rings)
  const others = "but 'aaaa', 'bbbb', 'cccc', 'dddd', 'eeee' and 1 more"
  expect(why).toBe(['1111', '2222', '3333'].map((text) => `; no target has the ring '${text}', ${others}`).join(''))
  // The fourth is misspelt, although the message does not name it.
  expect(isMisspelt).toBe(true)
})

test.each([
  ['ring', true],
  ['labels.ring', true],
  ['kind', true],
  ['apiVersion', true],
  ['name', false],
  ['labels.team', false],
])('a near value of the field %s is misspelt: %s', (field, isMisspelt) => {
  const [last = '', first] = field.split('.').toReversed()
  const value = first === undefined ? { [last]: 'canary' } : { [first]: { [last]: 'canary' } }
  expect(outcome(`item.${field} == 'canry'`, value)).toEqual({
    why: `; no target has the ${field} 'canry'; did you mean 'canary'?`,
    isMisspelt,
  })
})

test('a name that differs in its number alone is another name', () => {
  expect(missed("item.ring == 'eu-2'", { ring: 'eu-1' }).slips !== '').toBe(false)
  expect(missed("item.ring == 'eu-12'", { ring: 'eu-1' }).slips !== '').toBe(false)
  expect(missed("item.ring == 'ev-1'", { ring: 'eu-1' }).slips !== '').toBe(true)
})

test.each([
  ["item.kind == 'Service'", ['ServiceAccount'], "; no target has the kind 'Service', but 'ServiceAccount'", ''],
  ["item.kind == 'Ingress'", ['IngressClass'], "; no target has the kind 'Ingress', but 'IngressClass'", ''],
  ["item.kind == 'UDPRoute'", ['TCPRoute'], "; no target has the kind 'UDPRoute'; did you mean 'TCPRoute'?", ''],
  [
    "item.kind in ['Servce', 'Gateway']",
    ['Service'],
    "; no target has the kind 'Servce'; did you mean 'Service'?; no target has the kind 'Gateway', but 'Service'",
    "; no target has the kind 'Servce'; did you mean 'Service'?",
  ],
  ["item.kind == 'Widget' || item.kind == 'Widgets'", ['Widget'], "; no target has the kind 'Widgets'; did you mean 'Widget'?", ''],
])('a kind that a cluster may have is no slip: %s among %j', (where, kinds, why, slips) => {
  expect(missed(where, ...kinds.map((kind) => ({ kind })))).toEqual({ why, slips })
})

test('an older version of a group is no slip', () => {
  const { slips } = missed("item.apiVersion == 'networking.k8s.io/v1beta1'", { apiVersion: 'networking.k8s.io/v1' })
  expect(slips).toBe('')
})
