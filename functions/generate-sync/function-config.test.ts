import { expect, test } from 'vitest'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { formatResult } from '../../src/result.ts'
import { syncOptionFaults } from './function-config.ts'

const faultsOf = (spec: object) => {
  const config = {
    apiVersion: 'fn.krm-variants.dev/v1alpha1',
    kind: 'GenerateSync',
    metadata: { name: 's' },
    spec: { for: 'flux', ...spec },
  }
  return syncOptionFaults(KrmObject.fromDocument(JSON.stringify(config))).map(formatResult)
}

test.each(['interval', 'retryInterval', 'timeout'])('`%s` is a duration longer than 0', (name) => {
  for (const text of ['0s', '0.0h0m']) {
    expect(faultsOf({ [name]: text })).toEqual([
      expect.stringContaining(`error: \`spec.${name}\` must be longer than 0, got '${text}' [sync-value]`),
    ])
  }
  for (const text of ['10s', '0h0.5s']) expect(faultsOf({ [name]: text })).toEqual([])
})

test('a text that is no duration has one fault', () => {
  expect(faultsOf({ interval: 'soon' })).toHaveLength(1)
})
