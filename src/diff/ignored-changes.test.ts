import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { IgnoredChanges } from './ignored-changes.ts'
import type { Danger } from './report.ts'

function ignoring(...ignore: readonly JsonRecord[]): IgnoredChanges {
  const options = {
    apiVersion: 'fn.krm-variants.dev/v1alpha1',
    kind: 'RenderVariants',
    metadata: { name: 'options' },
    spec: { diff: { ignore } },
  }
  return new IgnoredChanges([KrmObject.fromDocument(JSON.stringify(options))])
}

interface Change {
  readonly kind?: string
  readonly cluster?: string
  readonly dangers?: readonly Omit<Danger, 'rule' | 'text'>[]
}

/** Returns the paths of the fields of a change that are left; undefined if nothing of the change is. */
function left(changes: IgnoredChanges, paths: readonly string[], { kind = 'Deployment', cluster = 'ams', dangers = [] }: Change = {}) {
  const fields = paths.map((path) => ({ path, steps: [] }))
  const found = dangers.map((danger) => ({ rule: 'a', text: 'a', ...danger }))
  return changes.left({ kind, cluster, fields, dangers: found })?.map(({ path }) => path)
}

const STAMP = { fields: ['metadata.annotations'], reason: 'stamps' }

test('a field is ignored with what is below it, and no field with a longer name', () => {
  expect(left(ignoring(STAMP), ['metadata.annotations', 'metadata.annotations.a', 'metadata.annotationsOf', 'spec.replicas'])).toEqual([
    'metadata.annotationsOf',
    'spec.replicas',
  ])
  expect(left(ignoring(STAMP), ['metadata.annotations.a'])).toBeUndefined()
})

test('a rule with kinds ignores changes of these kinds alone', () => {
  const changes = ignoring({ ...STAMP, kinds: ['Service'] })
  expect(left(changes, ['metadata.annotations'])).toEqual(['metadata.annotations'])
  expect(left(changes, ['metadata.annotations'], { kind: 'Service' })).toBeUndefined()
})

test('a rule without fields ignores whole objects, also new ones, and a rule with fields none of these', () => {
  expect(left(ignoring({ kinds: ['Deployment'], reason: 'all' }), [])).toBeUndefined()
  expect(left(ignoring({ kinds: ['Deployment'], reason: 'all' }), ['spec.replicas'])).toBeUndefined()
  expect(left(ignoring(STAMP), [])).toEqual([])
})

test('nothing dangerous is ignored: a dangerous field, what is below or around it, and an object that is dangerous as a whole', () => {
  const of = (...dangers: readonly Omit<Danger, 'rule' | 'text'>[]) => left(ignoring({ reason: 'all' }), ['spec.a', 'spec.b'], { dangers })
  expect(of({ path: 'spec.a' })).toEqual(['spec.a'])
  expect(of({ path: 'spec.a.deep' })).toEqual(['spec.a'])
  expect(of({ path: 'spec' })).toEqual(['spec.a', 'spec.b'])
  expect(of({})).toEqual(['spec.a', 'spec.b'])
  expect(of({ path: '' })).toEqual(['spec.a', 'spec.b'])
  expect(left(ignoring({ reason: 'all' }), [], { dangers: [{}] })).toEqual([])
})

test('a notice keeps no change from being ignored', () => {
  expect(left(ignoring({ reason: 'all' }), ['spec.a'], { dangers: [{ path: 'spec.a', severity: 'notice' }] })).toBeUndefined()
})

test('what is ignored is counted by its reason, with its clusters', () => {
  const changes = ignoring(STAMP, { fields: ['spec.replicas'], reason: 'scaled' })
  left(changes, ['metadata.annotations', 'spec.replicas'])
  left(changes, ['metadata.annotations'], { cluster: 'ams' })
  left(changes, ['metadata.annotations'], { cluster: 'nyc' })
  expect(changes.counts()).toEqual([
    { reason: 'stamps', changes: 3, clusters: 2 },
    { reason: 'scaled', changes: 1, clusters: 1 },
  ])
})
