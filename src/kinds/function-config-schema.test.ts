import { expect, test } from 'vitest'
import { FUNCTION_CONFIG_SCHEMA } from './function-config-schema.ts'
import { misfits, UNSET_PARTS, WRONG_PARTS } from './testing/misfits.ts'

test('the parts of a FunctionConfig must be set', () => {
  expect(misfits(FUNCTION_CONFIG_SCHEMA, '{}')).toEqual(UNSET_PARTS)
})

test('a FunctionConfig has its apiVersion and kind, a status that is a map, and no other field', () => {
  const text = 'apiVersion: config.porch.kpt.dev/v1\nkind: Function\nmetadata: {}\nspec: []\nstatus: []\ndata: {}\n'
  expect(misfits(FUNCTION_CONFIG_SCHEMA, text)).toEqual(WRONG_PARTS)
})

test.each([
  {
    reason: 'every field',
    spec: '{image: a, prefixes: [""], goExecutor: {id: b, tags: [v1]}, binaryExecutor: {path: c, tags: [v1]}, podExecutor: {tags: [], timeToLive: 1h, maxParallelExecutions: 1, preferredMaxQueueLength: 2, templateOverrides: {a: b}}}',
    expected: [],
  },
  { reason: 'a pod needs no tags', spec: '{image: a, podExecutor: {}}', expected: [] },
  { reason: 'an image must be set', spec: '{}', expected: ['spec.image required'] },
  { reason: 'an image must not be empty', spec: '{image: ""}', expected: ['spec.image minLength'] },
  {
    reason: 'tags of the function runner must be set',
    spec: '{image: a, goExecutor: {}, binaryExecutor: {}}',
    expected: ['goExecutor.tags', 'binaryExecutor.path', 'binaryExecutor.tags'].map((field) => `spec.${field} required`),
  },
  {
    reason: 'neither tags nor path may be empty',
    spec: '{image: a, goExecutor: {tags: []}, binaryExecutor: {path: "", tags: [""]}}',
    expected: ['spec.goExecutor.tags minItems', 'spec.binaryExecutor.path minLength', 'spec.binaryExecutor.tags[0] minLength'],
  },
  {
    reason: 'the type of each field',
    spec: '{image: 1, prefixes: a, goExecutor: [], binaryExecutor: [], podExecutor: []}',
    expected: ['image', 'prefixes', 'goExecutor', 'binaryExecutor', 'podExecutor'].map((field) => `spec.${field} type`),
  },
  {
    reason: 'the type of each field below',
    spec: '{image: a, prefixes: [1], goExecutor: {id: 2, tags: [3]}, binaryExecutor: {path: 4, tags: v1}, podExecutor: {tags: [5], timeToLive: 6, maxParallelExecutions: 1.5, preferredMaxQueueLength: a, templateOverrides: []}}',
    expected: [
      'prefixes[0]',
      'goExecutor.id',
      'goExecutor.tags[0]',
      'binaryExecutor.path',
      'binaryExecutor.tags',
      'podExecutor.tags[0]',
      'podExecutor.timeToLive',
      'podExecutor.maxParallelExecutions',
      'podExecutor.preferredMaxQueueLength',
      'podExecutor.templateOverrides',
    ].map((field) => `spec.${field} type`),
  },
  {
    reason: 'no other field',
    spec: '{image: a, tag: b, goExecutor: {tags: [v1], path: c}, binaryExecutor: {path: d, tags: [v1], id: e}, podExecutor: {replicas: 1}}',
    expected: ['tag', 'goExecutor.path', 'binaryExecutor.id', 'podExecutor.replicas'].map((field) => `spec.${field} additionalProperties`),
  },
])('the spec of a FunctionConfig: $reason', ({ spec, expected }) => {
  const head = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: FunctionConfig\nmetadata: {name: a}\n'
  expect(misfits(FUNCTION_CONFIG_SCHEMA, `${head}spec: ${spec}\n`)).toEqual(expected)
})
