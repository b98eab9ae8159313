import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { formatResult } from '../../result.ts'
import { resultsOf } from '../../run.ts'
import { REMOVE_LOCAL_CONFIG_RESOURCES } from './remove-local-config-resources.ts'

/** Returns the names of the objects that stay, and the findings. */
function pruned(...texts: readonly string[]) {
  const list = ResourceList.of(texts.map((text, index) => writtenObject(text, `${index}.yaml`)))
  const results = resultsOf(REMOVE_LOCAL_CONFIG_RESOURCES.at('v0.1.0'), list)
  return { stay: list.items.map(({ name }) => name), results: results.map((each) => [formatResult(each), each.resourceRef?.name]) }
}

const map = (name: string, annotations = '{}') =>
  `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, annotations: ${annotations}}}\n`
const LOCAL = '{config.kubernetes.io/local-config: "true"}'

test('objects for tools on disk are removed, and each is named after their number', () => {
  expect(pruned(map('a', LOCAL), map('b'), map('c', LOCAL), map('d', '{config.kubernetes.io/local-config: "false"}'))).toEqual({
    stay: ['b', 'd'],
    results: [
      ['info: Number of resources pruned: 2 [local-config-removed]', undefined],
      ['0.yaml: info: Resource name: [a] [local-config-removed]', 'a'],
      ['2.yaml: info: Resource name: [c] [local-config-removed]', 'c'],
    ],
  })
})

test('an object without a name is removed too', () => {
  const { stay, results } = pruned('{kind: ConfigMap, metadata: {annotations: {config.kubernetes.io/local-config: "true"}}}\n', map('b'))
  expect(stay).toEqual(['b'])
  expect(results[1]?.[0]).toBe('0.yaml: info: Resource name: [] [local-config-removed]')
})

test('a list without objects for tools, and an item that is no map, are left alone with a warning', () => {
  expect(pruned('[config.kubernetes.io/local-config]\n', map('b'))).toEqual({
    stay: [undefined, 'b'],
    results: [['warning: Found no resources to prune with the local config annotation [no-local-config]', undefined]],
  })
})

test('one version is built in', () => {
  expect([REMOVE_LOCAL_CONFIG_RESOURCES.name, ...REMOVE_LOCAL_CONFIG_RESOURCES.versions]).toEqual([
    'remove-local-config-resources',
    'v0.1.0',
  ])
})
