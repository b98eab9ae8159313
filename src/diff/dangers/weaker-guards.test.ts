import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { dangerPaths, deletionOf, judgedChange, judgedObject } from './testing/judged-changes.ts'

const KEY = 'pod-security.kubernetes.io/enforce'
const namespace = (level: string) => judgedObject('v1 Namespace', {}, level === '' ? {} : { labels: { [KEY]: level } })

test.each([
  ['restricted', ['baseline', 'privileged', '', 'unknown']],
  ['baseline', ['privileged', '', 'unknown']],
  ['privileged', []],
  ['', []],
])('a Namespace that enforced %s enforces less with each of %j', (before, weaker) => {
  const levels = ['restricted', 'baseline', 'privileged', '', 'unknown']
  const paths = (level: string) => dangerPaths('weaker-pod-security', judgedChange(namespace(before), namespace(level)))
  expect(levels.filter((level) => paths(level).length > 0)).toEqual(weaker)
  expect(weaker.flatMap(paths)).toEqual(weaker.map(() => `metadata.labels["${KEY}"]`))
})

const ADMISSION = 'admissionregistration.k8s.io/v1'
const webhooks = (text: string, kind = 'ValidatingWebhookConfiguration') => judgedObject(`${ADMISSION} ${kind}`, { webhooks: parse(text) })

test.each([
  ['[{name: a}]', '[{name: a, failurePolicy: Ignore}]', ['webhooks[a].failurePolicy']],
  ['[{name: a, failurePolicy: Ignore}]', '[{name: a}]', []],
  ['[{name: a, failurePolicy: Ignore}]', '[{name: a, failurePolicy: Ignore}]', []],
  ['[]', '[{name: a, failurePolicy: Ignore}]', []],
  ['[{name: a}, {name: b}]', '[{name: b}]', ['webhooks[a]']],
  ['[{name: a}]', '[{name: a}, {name: b}]', []],
  ['[{name: a}]', '[{name: a, objectSelector: {matchLabels: {a: b}}}]', ['webhooks[a].objectSelector']],
  ['[{name: a, objectSelector: {matchLabels: {a: b}}}]', '[{name: a}]', []],
])('webhooks that were %s and are %s guard less at %j', (before, after, paths) => {
  expect(dangerPaths('guard-removed', judgedChange(webhooks(before), webhooks(after)))).toEqual(paths)
})

test('a webhook that changes objects is a danger when the webhook goes, not when it comes', () => {
  const [two, one] = ['[{name: a}, {name: b}]', '[{name: b}]'].map((text) => webhooks(text, 'MutatingWebhookConfiguration'))
  if (!two || !one) throw new Error('must have two states')
  expect(dangerPaths('mutation-removed', judgedChange(two, one))).toEqual(['webhooks[a]'])
  expect(dangerPaths('mutation-removed', judgedChange(one, two))).toEqual([])
  expect(dangerPaths('mutation-removed', deletionOf(two))).toEqual([''])
  // Another package of the cluster has the same object.
  expect(dangerPaths('mutation-removed', deletionOf(two, one))).toEqual([])
})
