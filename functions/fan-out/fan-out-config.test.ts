import { expect, test } from 'vitest'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { decodeFanOutConfig } from './fan-out.ts'

const DEFAULTS = { allowEmpty: false, lookups: 'optional', status: false }

test.each([
  { reason: 'none', config: undefined, options: {} },
  {
    reason: 'the empty ConfigMap that kpt sends',
    config: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: function-input}\ndata: {}',
    options: {},
  },
  { reason: 'a ConfigMap without data', config: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}', options: {} },
  {
    reason: 'a ConfigMap of texts, quoted or not',
    config:
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {status: "true", allowEmpty: true, maxDeletions: 30%, lookups: required}',
    options: { status: true, allowEmpty: true, maxDeletions: { percent: 30 }, lookups: 'required' },
  },
  {
    reason: 'a number in a ConfigMap',
    config: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {maxDeletions: "0"}',
    options: { maxDeletions: { count: 0 } },
  },
  {
    reason: 'a FanOut',
    config: 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: FanOut\nmetadata: {name: a}\nspec: {maxDeletions: 10, status: true}',
    options: { maxDeletions: { count: 10 }, status: true },
  },
  { reason: 'a FanOut without spec', config: 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: FanOut\nmetadata: {name: a}', options: {} },
  {
    reason: 'a set has no options',
    config: 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: a}',
    options: {},
  },
])('options of $reason', ({ config, options }) => {
  const { config: from, ...decoded } = decodeFanOutConfig(config === undefined ? undefined : KrmObject.fromDocument(config))
  expect(decoded).toEqual({ ...DEFAULTS, ...options })
  expect(from?.kind).toBe(config && /kind: (\w+)/.exec(config)?.[1])
})
