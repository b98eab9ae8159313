import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import {
  DELETION_LIMIT_TEXT,
  deletionLimit,
  describeOption,
  isMostOf,
  optionPath,
  readDeletionLimit,
  refuseDeletions,
} from './deletion-guard.ts'
import type { DeletionOptions } from './options.ts'

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `v${index + 1}`)
}

const byDefault = { allowEmpty: false }

test.each([
  { reason: 'nothing goes', existing: 0, matches: 0, removed: 0, options: byDefault, refused: undefined },
  { reason: 'five of five go, something matches', existing: 5, matches: 1, removed: 5, options: byDefault, refused: undefined },
  { reason: 'six go of few', existing: 25, matches: 1, removed: 6, options: byDefault, refused: 'more than 5 of 25' },
  { reason: 'a fifth goes of many', existing: 100, matches: 1, removed: 20, options: byDefault, refused: undefined },
  { reason: 'more than a fifth goes of many', existing: 100, matches: 1, removed: 21, options: byDefault, refused: 'more than 20 of 100' },
  { reason: 'the fifth is rounded up', existing: 31, matches: 1, removed: 7, options: byDefault, refused: undefined },
  { reason: 'nothing matches', existing: 1, matches: 0, removed: 1, options: byDefault, refused: 'nothing matches' },
  { reason: 'nothing matches, which is allowed', existing: 5, matches: 0, removed: 5, options: { allowEmpty: true }, refused: undefined },
  {
    reason: 'allowEmpty does not lift the limit',
    existing: 6,
    matches: 0,
    removed: 6,
    options: { allowEmpty: true },
    refused: 'more than 5 of 6',
  },
  { reason: 'a number replaces the limit', existing: 9, matches: 1, removed: 1, options: limit({ count: 0 }), refused: 'more than 0 of 9' },
  { reason: 'a number lets more through', existing: 9, matches: 1, removed: 9, options: limit({ count: 9 }), refused: undefined },
  { reason: 'a percentage, rounded up', existing: 7, matches: 1, removed: 3, options: limit({ percent: 30 }), refused: undefined },
  { reason: 'over a percentage', existing: 7, matches: 1, removed: 4, options: limit({ percent: 30 }), refused: 'more than 3 of 7' },
])('$reason', ({ existing, matches, removed, options, refused }) => {
  const message = refuseDeletions({ existing, matches, removed: names(removed), whyNone: [] }, options)
  if (refused === undefined) expect(message).toBeUndefined()
  else expect(message).toContain(refused)
})

function limit(maxDeletions: { count: number } | { percent: number }) {
  return { allowEmpty: false, maxDeletions }
}

test('the first thousand that would go are named, the others counted', () => {
  expect(refuseDeletions({ existing: 1010, matches: 0, removed: names(1010), whyNone: [] }, byDefault)).toContain(
    'v999, v1000 and 10 more)',
  )
})

test('half of the variants is not most of them, one more is', () => {
  expect(isMostOf(8, 4, byDefault)).toBe(false)
  expect(isMostOf(8, 5, byDefault)).toBe(true)
  expect(isMostOf(8, 5, { allowEmpty: true })).toBe(false)
})

test('a loss of most counts from four variants on, and not where an option says that it is meant', () => {
  expect(isMostOf(4, 3, byDefault)).toBe(true)
  expect(isMostOf(3, 3, byDefault)).toBe(false)
  expect(isMostOf(4, 3, limit({ count: 3 }))).toBe(false)
})

function configOf(kind: string, name = 'config', path?: string): KrmObject {
  const options = kind === 'ConfigMap' ? 'data:\n  maxDeletions: "1"\n' : 'spec:\n  maxDeletions: 1\n'
  const text = `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${options}`
  return KrmObject.fromDocument(text, path === undefined ? undefined : { path, index: 0, line: 1 })
}

test.each<{ rule: string; options: DeletionOptions; limit: string; how: string }>([
  {
    rule: 'the default without a functionConfig',
    options: byDefault,
    limit: 'the default of `maxDeletions`',
    how: '`maxDeletions: "6"` in the `configMap` of fan-out in the Kptfile',
  },
  {
    rule: 'the limit of a functionConfig with a file',
    options: { ...limit({ count: 1 }), config: configOf('FanOut', 'own', 'fan-out.yaml') },
    limit: '`maxDeletions` at fan-out.yaml:6:17',
    how: '`spec.maxDeletions: 6` in the functionConfig, FanOut own in fan-out.yaml',
  },
  {
    rule: 'the limit of a ConfigMap with a file',
    options: { ...limit({ count: 1 }), config: configOf('ConfigMap', 'own', 'fan-out.yaml') },
    limit: '`maxDeletions` at fan-out.yaml:6:17',
    how: '`data.maxDeletions: "6"` in the functionConfig, ConfigMap own in fan-out.yaml',
  },
  {
    rule: 'the limit of a functionConfig without a file',
    options: { ...limit({ count: 1 }), config: configOf('FanOut', 'own') },
    limit: '`maxDeletions` of the functionConfig',
    how: '`spec.maxDeletions: 6` in the functionConfig, FanOut own',
  },
  {
    rule: 'the limit of the configMap in a Kptfile',
    options: { ...limit({ count: 1 }), config: configOf('ConfigMap', 'function-input') },
    limit: '`maxDeletions` in the Kptfile',
    how: '`maxDeletions: "6"` in the `configMap` of fan-out in the Kptfile',
  },
])('a refusal says the place of $rule, and how to allow the removals', ({ options, limit: place, how }) => {
  const most = options.maxDeletions === undefined ? 5 : 1
  expect(refuseDeletions({ existing: 9, matches: 3, removed: names(6), whyNone: [] }, options)).toBe(
    `must not remove more than ${most} of 9 variants (${place}), but would remove 6 (v1, v2, v3, v4, v5, v6); if that is meant, set ${how}`,
  )
})

test('a refusal says why nothing matches', () => {
  const refused = (...whyNone: readonly string[]) => refuseDeletions({ existing: 1, matches: 0, removed: ['a'], whyNone }, byDefault)
  const end =
    'all variants of the set would be removed (a); if that is meant, set `allowEmpty: "true"` in the `configMap` of fan-out in the Kptfile'
  expect(refused()).toBe(`must match something: nothing matches; ${end}`)
  expect(refused('one', 'two')).toBe(`must match something: one; two; ${end}`)
})

test('a limit is read as a number or as a percentage', () => {
  expect([readDeletionLimit(10), readDeletionLimit('30%')]).toEqual([{ count: 10 }, { percent: 30 }])
  expect(['30%', '10', '-1', '1.5', '%', 'x10'].map((text) => DELETION_LIMIT_TEXT.read(text))).toEqual([
    '30%',
    10,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test.each<[existing: number, maxDeletions: DeletionOptions['maxDeletions'], allowed: number]>([
  [0, undefined, 5],
  [25, undefined, 5],
  [26, undefined, 6],
  [101, undefined, 21],
  [100, { count: 0 }, 0],
  [3, { count: 9 }, 9],
  [0, { percent: 50 }, 0],
  [3, { percent: 1 }, 1],
  [10, { percent: 0 }, 0],
  [10, { percent: 100 }, 10],
])('of %i variants with the limit %j at most %i may go', (existing, maxDeletions, allowed) => {
  expect(deletionLimit(existing, maxDeletions)).toBe(allowed)
})

test('an option is below data in a ConfigMap, else below spec', () => {
  expect([optionPath(configOf('ConfigMap'), 'allowEmpty'), optionPath(configOf('FanOut'), 'allowEmpty')]).toEqual([
    ['data', 'allowEmpty'],
    ['spec', 'allowEmpty'],
  ])
})

test.each<[string, KrmObject | undefined, string]>([
  ['FanOut', configOf('FanOut', 'function-input'), '`spec.allowEmpty: true` in the functionConfig, FanOut function-input'],
  ['ConfigMap', configOf('ConfigMap', 'own'), '`data.allowEmpty: "true"` in the functionConfig, ConfigMap own'],
  ['Kptfile', configOf('ConfigMap', 'function-input'), '`allowEmpty: "true"` in the `configMap` of fan-out in the Kptfile'],
  ['Kptfile, without a functionConfig', undefined, '`allowEmpty: "true"` in the `configMap` of fan-out in the Kptfile'],
  ['Kptfile, for another kind', configOf('Other', 'own'), '`allowEmpty: "true"` in the `configMap` of fan-out in the Kptfile'],
])('an option is described as it is written in a %s', (_, config, text) => {
  expect(describeOption('allowEmpty', 'true', { ...byDefault, ...(config && { config }) })).toBe(text)
})
