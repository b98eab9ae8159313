import { expect, test } from 'vitest'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { probeNames, probesIn } from './probe-bases.ts'

test('each of eleven bases has its own ConfigMap, also where an overlay writes a prefix and a suffix', () => {
  const bases = Array.from({ length: 11 }, (_, at) => `base-${at}`)
  const names = probeNames(bases)
  const built = bases.map((base) =>
    KrmObject.fromDocument(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: prod-${names.get(base)}-eu, labels: {base: ${base}}}\n`),
  )
  const found = probesIn(built.toReversed(), names)
  expect(bases.map((base) => found.get(base)?.labels.get('base'))).toEqual(bases)
  expect(probesIn([], names).size).toBe(0)
})
