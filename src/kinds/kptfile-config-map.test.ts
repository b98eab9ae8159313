import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import type { Result } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { faultToResult } from '../schema/fault.ts'
import { placeInKptfile, placeOptions } from './kptfile-config-map.ts'

/** A list with a Kptfile in which the third line of the pipeline is an option, and the ConfigMap that kpt would make of it. */
function listWith(functions: string, data = '{optoin: "1"}', head = ''): ResourceList {
  return ResourceList.parse(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: kpt.dev/v1
  kind: Kptfile
  metadata:
    name: fleet
    annotations: {config.kubernetes.io/path: 'Kptfile', config.kubernetes.io/index: '0'}${head}
  pipeline:
    mutators:
${functions}
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: function-input}
  data: ${data}
`)
}

function placeOf(list: ResourceList, atKey: boolean, rule: RuleId = 'unknown-field') {
  const { functionConfig } = list
  if (functionConfig === undefined) throw new Error('there is one')
  const fault = { severity: 'error', rule, path: ['data', 'optoin'], message: 'is not an option', atKey } as const
  const [result] = placeInKptfile([faultToResult(functionConfig, fault)], () => list)
  return { file: result?.file?.path, field: result?.field?.path.join('/'), message: result?.message, position: result?.position }
}

const ENTRY = '    - image: fan-out:v1\n      configMap:\n        optoin: "1"'
const THERE = {
  file: 'Kptfile',
  field: 'pipeline/mutators/0/configMap/optoin',
  message: '`pipeline.mutators[0].configMap.optoin` is not an option',
}

test.each([
  { reason: 'its key', list: listWith(ENTRY), atKey: true, expected: { ...THERE, position: { line: 10, column: 7 } } },
  { reason: 'its value', list: listWith(ENTRY), atKey: false, expected: { ...THERE, position: { line: 10, column: 15 } } },
  { reason: 'a number as kpt reads it', list: listWith(ENTRY.replace('"1"', '1')), atKey: true, expected: THERE },
  {
    reason: 'the second function',
    list: listWith(`    - image: a\n      configMap: {optoin: "2"}\n${ENTRY}`),
    atKey: true,
    expected: { file: 'Kptfile', field: 'pipeline/mutators/1/configMap/optoin' },
  },
  {
    reason: 'not that of a function with more options',
    list: listWith(`${ENTRY}\n        more: x`),
    atKey: true,
    expected: { file: undefined },
  },
  {
    reason: 'not below an alias',
    list: listWith(ENTRY, undefined, '\n    labels: {a: &a b, c: *a}'),
    atKey: true,
    expected: { file: undefined },
  },
])('an option is placed in the Kptfile: $reason', ({ list, atKey, expected }) => {
  expect(placeOf(list, atKey)).toMatchObject(expected)
})

test('a ConfigMap with an alias without a value is not made by kpt', () => {
  const list = listWith(ENTRY, '*gone')
  const resourceRef = { apiVersion: 'v1', kind: 'ConfigMap', name: 'function-input' }
  const result: Result = { severity: 'error', message: 'is gone', resourceRef, field: { path: ['data'] }, tags: { rule: 'alias' } }
  expect(placeInKptfile([result], () => list)).toEqual([result])
})

test('results about anything else are as they were, and the input is not read for them', () => {
  const result = { severity: 'info', message: 'm', tags: { rule: 'fan-out' } } as const
  const results = [result]
  expect(placeInKptfile(results, () => ResourceList.parse(''))).toBe(results)
})

test.each<[string, kind: string, path: readonly string[], file: string | undefined, isPlaced: boolean]>([
  ['the data of a ConfigMap without a file', 'ConfigMap', ['data', 'optoin'], undefined, true],
  ['the data of a ConfigMap with a file', 'ConfigMap', ['data', 'optoin'], 'config.yaml', false],
  ['another part of a ConfigMap', 'ConfigMap', ['metadata', 'name'], undefined, false],
  ['the data of another kind', 'FanOut', ['data', 'optoin'], undefined, false],
])('a result about %s is placed in the Kptfile: %s', (_, kind, path, file, isPlaced) => {
  const [kptfile] = listWith(ENTRY).items
  const text = `apiVersion: v1\nkind: ${kind}\nmetadata: {name: a}\ndata: {optoin: "1"}\n`
  const config = KrmObject.fromDocument(text, file === undefined ? undefined : { path: file, index: 0, line: 1 })
  const result = faultToResult(config, { severity: 'error', rule: 'unknown-field', path, message: 'is not an option' })
  if (kptfile === undefined) throw new Error('there is one')
  const placed = placeOptions(result, config, { kptfile, path: ['pipeline', 'mutators', 0, 'configMap'] })
  expect(placed.resourceRef?.kind).toBe(isPlaced ? 'Kptfile' : kind)
  if (isPlaced) expect(placed).toMatchObject({ message: THERE.message, file: { path: 'Kptfile' }, position: { line: 10, column: 15 } })
  else expect(placed).toBe(result)
})
