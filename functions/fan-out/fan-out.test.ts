import { expect, test } from 'vitest'
import type { JsonRecord } from '../../src/json.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError } from '../../src/result.ts'
import { fanOut, planAsConfigured } from './fan-out.ts'

/** A set with these targets, and variants of it by name and downstream; JSON is YAML. */
function listOf(targets: readonly JsonRecord[], variants: readonly { name: string; repo: string; package: string }[]): ResourceList {
  const upstream = { repo: 'catalog', package: 'app', revision: 1 }
  const set = { apiVersion: 'config.porch.kpt.dev/v1alpha2', kind: 'PackageVariantSet', metadata: { name: 'fleet' } }
  const annotations = { 'krm-variants.dev/package-variant-set': 'default/fleet' }
  const objects = [
    { ...set, spec: { upstream, targets } },
    ...variants.map(({ name, ...downstream }) => ({
      apiVersion: 'config.porch.kpt.dev/v1alpha1',
      kind: 'PackageVariant',
      metadata: { name, annotations },
      spec: { upstream, downstream },
    })),
  ]
  return ResourceList.of(
    objects.map((object, index) => KrmObject.fromDocument(JSON.stringify(object), { path: 'fleet/all.yaml', index, line: 1 })),
  )
}

test('the function does what the plan says, and a second plan finds nothing to do', () => {
  const list = listOf(
    [{ repositories: [{ name: 'a' }, { name: 'b' }] }],
    [
      { name: 'fleet-b-app', repo: 'b', package: 'old' },
      { name: 'c', repo: 'c', package: 'app' },
    ],
  )
  fanOut(list)
  expect(list.items.filter(({ kind }) => kind === 'PackageVariant').map(({ name }) => name)).toEqual(['fleet-a-app', 'fleet-b-app'])
  const { sets } = planAsConfigured(ResourceList.of(list.items))
  expect(sets.flatMap(({ changes }) => changes).map(({ op, name }) => `${op} ${name}`)).toEqual([
    'unchanged fleet-a-app',
    'unchanged fleet-b-app',
  ])
})

test('a run that fails changes nothing', () => {
  const list = listOf([{ objectSelector: { apiVersion: 'v1', kind: 'ConfigMap' } }], [{ name: 'b', repo: 'b', package: 'app' }])
  expect(() => fanOut(list)).toThrow(FunctionError)
  expect(list.items.some(({ changed }) => changed)).toBe(false)
  expect(list.items).toHaveLength(2)
})
