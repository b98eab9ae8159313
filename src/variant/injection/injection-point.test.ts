import { expect, test } from 'vitest'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { rootPackage } from '../list-packages.ts'
import { findInjectionPoints } from './injection-point.ts'

const KPTFILE =
  'apiVersion: kpt.dev/v1\n  kind: Kptfile\n  metadata:\n    name: a\n    annotations:\n      internal.config.kubernetes.io/path:'

/** A ConfigMap whose annotations stand behind a merge key, and speak of injection. */
function merging(path: string): string {
  const annotations = `<<: *common\n      kpt.dev/config-injection: required\n      internal.config.kubernetes.io/path: ${path}\n`
  return `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: b\n    labels: &common\n      x: y\n    annotations:\n      ${annotations}`
}

function points(path: string): number {
  const kptfiles = `- ${KPTFILE} Kptfile\n- ${KPTFILE} sub/Kptfile\n`
  const list = ResourceList.parse(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${kptfiles}${merging(path)}`)
  return findInjectionPoints(rootPackage(list)).length
}

test.each([
  { reason: 'a subpackage', path: 'sub/b.yaml' },
  { reason: 'a source folder', path: 'sources/b.yaml' },
])('a merge key in $reason is not looked into', ({ path }) => {
  expect(points(path)).toBe(0)
})

test('a point of the package may stand beside a merge key', () => {
  expect(points('b.yaml')).toBe(1)
})
