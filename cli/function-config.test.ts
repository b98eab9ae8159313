import { expect, test } from 'vitest'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import { withFunctionConfig } from './function-config.ts'

const config = KrmObject.fromDocument('apiVersion: fn.krm-variants.dev/v1alpha1\nkind: FanOut\nmetadata: {name: c}\n', {
  path: 'config.yaml',
  index: 0,
  line: 1,
})

function listWith(pipeline: string, path = 'Kptfile'): ResourceList {
  const text = `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline: ${pipeline}\n`
  return ResourceList.of([KrmObject.fromDocument(text, { path, index: 0, line: 1 }), config])
}

test.each([
  {
    reason: 'the file that configPath names',
    pipeline: '{mutators: [{image: "example.com/fan-out:v1", configPath: ./config.yaml}]}',
    kind: 'FanOut',
  },
  {
    reason: 'a configMap, as kpt sends it',
    pipeline: '{mutators: [{image: fan-out@sha256:0, configMap: {allowEmpty: "true"}}]}',
    kind: 'ConfigMap',
  },
  { reason: 'of a program', pipeline: '{mutators: [{exec: node dist/fan-out.mjs, configPath: config.yaml}]}', kind: 'FanOut' },
  { reason: 'also among the validators', pipeline: '{validators: [{exec: fan-out, configPath: config.yaml}]}', kind: 'FanOut' },
  { reason: 'not of another function', pipeline: '{mutators: [{image: "fan-out-2:v1", configPath: config.yaml}]}', kind: undefined },
  { reason: 'none when the entry names none', pipeline: '{mutators: [{image: fan-out}]}', kind: undefined },
  { reason: 'no pipeline at all', pipeline: '{}', kind: undefined },
  {
    reason: 'not of a subpackage',
    pipeline: '{mutators: [{image: fan-out, configPath: config.yaml}]}',
    path: 'sub/Kptfile',
    kind: undefined,
  },
])('$reason', ({ pipeline, path, kind }) => {
  expect(withFunctionConfig(listWith(pipeline, path), 'fan-out').functionConfig?.kind).toBe(kind)
})

test('data of a configMap arrives as it is written', () => {
  const list = withFunctionConfig(listWith('{mutators: [{image: fan-out, configMap: {maxDeletions: "30%"}}]}'), 'fan-out')
  expect(list.functionConfig?.get(['data'])).toEqual({ maxDeletions: '30%' })
})

test('a list that has a functionConfig keeps it', () => {
  const list = ResourceList.of([], config)
  expect(withFunctionConfig(list, 'fan-out')).toBe(list)
})
