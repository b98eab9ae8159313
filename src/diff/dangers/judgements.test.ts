import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { imageParts } from './judgements.ts'
import { dangerPaths, deletionOf, judgedChange, judgedObject } from './testing/judged-changes.ts'

const AT = 'spec.template.spec.containers[main]'
const podOf = (spec: JsonRecord) => judgedObject('apps/v1 Deployment', { spec: { template: { spec } } })
const container = (fields: JsonRecord) => podOf({ containers: [{ name: 'main', ...fields }] })

test.each([
  ['livenessProbe', { httpGet: { port: 80 } }, undefined, true],
  ['readinessProbe', { httpGet: { port: 80 } }, undefined, true],
  ['startupProbe', { httpGet: { port: 80 } }, undefined, true],
  ['livenessProbe', { httpGet: { port: 80 } }, { tcpSocket: { port: 80 } }, false],
  ['livenessProbe', undefined, { httpGet: { port: 80 } }, false],
])('the %s %j that becomes %j is gone: %s', (field, before, after, isGone) => {
  const change = judgedChange(container({ ...(before && { [field]: before }) }), container({ ...(after && { [field]: after }) }))
  expect(dangerPaths('probe-removed', change)).toEqual(isGone ? [`${AT}.${field}`] : [])
})

test('the probe and the limit of a container that goes are not removed', () => {
  const fields = { name: 'other', livenessProbe: { httpGet: {} }, resources: { limits: { cpu: 1 } } }
  const change = judgedChange(podOf({ containers: [{ name: 'main' }, fields] }), container({}))
  expect([dangerPaths('probe-removed', change), dangerPaths('limit-removed', change)]).toEqual([[], []])
})

test.each<[string, JsonRecord | undefined, JsonRecord | undefined, readonly string[]]>([
  ['one of two', { cpu: 1, memory: '1Gi' }, { cpu: 1 }, ['memory']],
  ['all', { cpu: 1, memory: '1Gi' }, undefined, ['cpu', 'memory']],
  ['none, of another amount', { cpu: 1 }, { cpu: 2 }, []],
  ['none, which comes', undefined, { cpu: 1 }, []],
])('of the limits of a container, %s is removed', (_, before, after, names) => {
  const limits = (each: JsonRecord | undefined) => container({ resources: { ...(each && { limits: each }) } })
  expect(dangerPaths('limit-removed', judgedChange(limits(before), limits(after)))).toEqual(
    names.map((name) => `${AT}.resources.limits.${name}`),
  )
})

test('the path of a limit with a slash in its name is quoted', () => {
  const limits = (each: JsonRecord) => container({ resources: { limits: each } })
  expect(dangerPaths('limit-removed', judgedChange(limits({ 'nvidia.com/gpu': 1 }), limits({})))).toEqual([
    `${AT}.resources.limits["nvidia.com/gpu"]`,
  ])
})

test.each([
  ['team/app', { name: 'team/app', tag: '', digest: '' }],
  ['team/app:v1', { name: 'team/app', tag: 'v1', digest: '' }],
  ['registry:5000/app', { name: 'registry:5000/app', tag: '', digest: '' }],
  ['registry:5000/app:v1@sha256:aa', { name: 'registry:5000/app', tag: 'v1', digest: 'sha256:aa' }],
  ['app@sha256:aa', { name: 'app', tag: '', digest: 'sha256:aa' }],
  ['', { name: '', tag: '', digest: '' }],
])('the image %j has the parts %j', (image, parts) => {
  expect(imageParts(image)).toEqual(parts)
})

test.each<[string, string, readonly string[]]>([
  ['app:v1@sha256:aa', 'app:v1', ['digest-replaced']],
  ['app@sha256:aa', 'app@sha256:bb', []],
  ['app:v1', 'app:v1@sha256:aa', []],
  ['app:v1', 'app:v2', ['other-major-version']],
  ['app:1.27-alpine', 'app:2.0', ['other-major-version']],
  ['app:16', 'app:17', ['other-major-version']],
  ['app:v1.2', 'app:v1.3', []],
  ['app:v1', 'app:1.9.3', []],
  ['app:v1', 'other:v2', []],
  ['registry:5000/app:v1', 'registry:5000/app:v2', ['other-major-version']],
  ['app:20240101', 'app:20250101', []],
  ['app:stable', 'app:v2', []],
  ['app:v1', 'app:stable', []],
  ['app:v1', 'app:v1', []],
])('an image %s that becomes %s is a notice: %j', (before, after, rules) => {
  const change = judgedChange(container({ image: before }), container({ image: after }))
  for (const rule of ['digest-replaced', 'other-major-version'])
    expect(dangerPaths(rule, change)).toEqual(rules.includes(rule) ? [`${AT}.image`] : [])
})

test('the image of a container that comes replaces none', () => {
  const [before, after] = [podOf({ containers: [] }), container({ image: 'app:v2' })]
  expect(dangerPaths('other-major-version', judgedChange(before, after))).toEqual([])
  expect(dangerPaths('digest-replaced', judgedChange(container({}), after))).toEqual([])
})

test('a Deployment that is recreated from now on stops before it starts anew', () => {
  const of = (type: string | undefined, kind = 'apps/v1 Deployment') =>
    judgedObject(kind, { spec: { strategy: { ...(type !== undefined && { type }) } } })
  const paths = (before: JsonRecord, after: JsonRecord) => dangerPaths('recreate-strategy', judgedChange(before, after))
  expect(paths(of('RollingUpdate'), of('Recreate'))).toEqual(['spec.strategy.type'])
  expect(paths(of(undefined), of('Recreate'))).toEqual(['spec.strategy.type'])
  expect(paths(of('Recreate'), of('Recreate'))).toEqual([])
  expect(paths(of('Recreate'), of('RollingUpdate'))).toEqual([])
  expect(paths(of('a', 'example.com/v1 Deployment'), of('Recreate', 'example.com/v1 Deployment'))).toEqual([])
  expect(dangerPaths('recreate-strategy', { op: 'create', after: of('Recreate'), fields: [] })).toEqual([])
})

test.each<[string, JsonRecord, JsonRecord, readonly string[]]>([
  ['less of one', { cpu: 4, pods: 10 }, { cpu: 2, pods: 10 }, ['spec.hard.cpu']],
  ['more', { cpu: '500m' }, { cpu: 1 }, []],
  ['as much in other words', { memory: '1Gi' }, { memory: '1024Mi' }, []],
  ['what was without a limit', {}, { pods: 10 }, ['spec.hard.pods']],
  ['no limit any more', { pods: 10 }, {}, []],
  ['less of a name with dots', { 'requests.storage': '2Gi' }, { 'requests.storage': '1Gi' }, ['spec.hard["requests.storage"]']],
])('a quota that allows %s is smaller: case %#', (_, before, after, paths) => {
  const quota = (hard: JsonRecord, kind = 'v1 ResourceQuota') => judgedObject(kind, { spec: { hard } })
  expect(dangerPaths('smaller-quota', judgedChange(quota(before), quota(after)))).toEqual(paths)
  expect(
    dangerPaths('smaller-quota', judgedChange(quota(before, 'example.com/v1 ResourceQuota'), quota(after, 'example.com/v1 ResourceQuota'))),
  ).toEqual([])
})

test('pods with another node selector run on other nodes', () => {
  const of = (nodeSelector?: JsonRecord) => podOf({ containers: [], ...(nodeSelector && { nodeSelector }) })
  const paths = (before: JsonRecord, after: JsonRecord) => dangerPaths('other-nodes', judgedChange(before, after))
  expect(paths(of(), of({ a: 'b' }))).toEqual(['spec.template.spec.nodeSelector'])
  expect(paths(of({ a: 'b' }), of())).toEqual(['spec.template.spec.nodeSelector'])
  expect(paths(of({ a: 'b' }), of({ a: 'c' }))).toEqual(['spec.template.spec.nodeSelector'])
  expect([paths(of(), of({})), paths(of({ a: 'b' }), of({ a: 'b' })), dangerPaths('other-nodes', deletionOf(of({ a: 'b' })))]).toEqual([
    [],
    [],
    [],
  ])
  expect(dangerPaths('other-nodes', { op: 'create', after: of({ a: 'b' }), fields: [] })).toEqual([])
})

test.each<[string, JsonRecord, JsonRecord, boolean]>([
  [
    'a load balancer',
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
    { type: 'LoadBalancer', externalTrafficPolicy: 'Cluster' },
    true,
  ],
  ['ports of nodes', { type: 'NodePort', externalTrafficPolicy: 'Local' }, { type: 'NodePort' }, true],
  ['an inner address', { externalTrafficPolicy: 'Local' }, { externalTrafficPolicy: 'Cluster' }, false],
  ['the same policy', { type: 'NodePort', externalTrafficPolicy: 'Local' }, { type: 'NodePort', externalTrafficPolicy: 'Local' }, false],
  [
    'the better policy',
    { type: 'NodePort', externalTrafficPolicy: 'Cluster' },
    { type: 'NodePort', externalTrafficPolicy: 'Local' },
    false,
  ],
])('a Service with %s hides the addresses of its clients: case %#', (_, before, after, isHidden) => {
  const service = (spec: JsonRecord) => judgedObject('v1 Service', { spec })
  expect(dangerPaths('source-address-lost', judgedChange(service(before), service(after)))).toEqual(
    isHidden ? ['spec.externalTrafficPolicy'] : [],
  )
})
