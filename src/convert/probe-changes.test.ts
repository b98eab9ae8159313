import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { findSetters } from './find-setters.ts'
import { pairObjects } from './pair-objects.ts'
import { fieldsThatStay, probeTransformers } from './probe-changes.ts'

const deployment = (name: string, replicas: number, image: string) =>
  KrmObject.fromDocument(`apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, labels: {app: web}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    spec:
      containers:
        - name: web
          image: ${image}
          args: [--serve]
          ports:
            - containerPort: 8080
              hostPort: 80
`)

test('the changed base has other values, and keeps names, labels and the keys by which patches are merged', () => {
  const [{ patch, target } = {}] = probeTransformers([deployment('web.a', 1, 'web:1')])
  expect(target).toEqual({ group: 'apps', kind: 'Deployment', name: 'web\\.a' })
  expect(JSON.parse(String(patch))).toEqual([
    { op: 'replace', path: '/spec/replicas', value: 2 },
    { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'krm-variants-probe-web:1' },
    { op: 'replace', path: '/spec/template/spec/containers/0/args', value: ['--serve', 'krm-variants-probe'] },
    { op: 'replace', path: '/spec/template/spec/containers/0/ports/0/hostPort', value: 81 },
  ])
})

test('objects that a transformer cannot distinguish, Secrets and definitions are not changed', () => {
  const of = (kind: string, namespace: string) =>
    KrmObject.fromDocument(`apiVersion: v1\nkind: ${kind}\nmetadata: {name: a, namespace: ${namespace}}\ndata: {a: b}\n`)
  expect(probeTransformers([of('ConfigMap', 'one'), of('ConfigMap', 'two'), of('Secret', 'one')])).toEqual([])
})

test('a field that stays when the base changes is one of the overlay, also if it repeats the value of the base', () => {
  const [base, overlay] = [deployment('web', 1, 'web:1'), deployment('prod-web', 1, 'web:1')]
  const pairs = pairObjects([base], [overlay])
  const changed = deployment('web', 2, 'krm-variants-probe-web:1')
  const kept = fieldsThatStay(pairs, { base: [changed], overlay: [deployment('prod-web', 1, 'krm-variants-probe-web:1')] })
  expect(kept.get(base)).toEqual([['spec', 'replicas']])
  // A base that the transformer did not reach says nothing about the overlay.
  expect(fieldsThatStay(pairs, { base: [base], overlay: [overlay] }).get(base)).toEqual([])
  const values = findSetters([{ object: base, head: '' }], [{ target: 'prod', pairs, calls: [], kept }])
  expect(values.get('prod')).toMatchObject({ replicas: '1' })
  expect(base.toText()).toContain('replicas: 1 # kpt-set: ${replicas}')
})
