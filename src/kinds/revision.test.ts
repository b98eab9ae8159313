import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { compareRevisions, revisionNumber, revisionVersion, writtenRevision } from './revision.ts'

test.each([
  { revision: 3, number: 3 },
  { revision: '3', number: 3 },
  { revision: 'v3', number: 3 },
  { revision: 'v0', number: 0 },
  { revision: 'v-1', number: -1 },
  { revision: 'v3v', number: undefined },
  { revision: 'vv3', number: undefined },
  { revision: 'v1.0.0', number: undefined },
  { revision: 'main', number: undefined },
  { revision: '', number: undefined },
  { revision: 'v', number: undefined },
  { revision: '9'.repeat(17), number: undefined },
  { revision: null, number: undefined },
  { revision: undefined, number: undefined },
])('$revision is $number', ({ revision, number }) => {
  expect(revisionNumber(revision)).toBe(number)
})

test.each([
  ['v3', '3.0.0'],
  ['3', '3.0.0'],
  ['v1.2', '1.2.0'],
  ['v1.2.0', '1.2.0'],
  ['v1.2.0-rc.1', '1.2.0-rc.1'],
  ['main', undefined],
  ['', undefined],
  ['v', undefined],
  ['v1.2.3.4', undefined],
  ['vv1', undefined],
  ['v1-', undefined],
  ['release-1', undefined],
  ['v1.x', undefined],
])('the revision %s stands for the version %s', (name, version) => {
  const { major, minor, patch, pre } = revisionVersion(name) ?? {}
  const text = major === undefined ? undefined : `${major}.${minor}.${patch}${pre?.length ? `-${pre.join('.')}` : ''}`
  expect(text).toBe(version)
})

test.each([
  ['v2', 'v10', -1],
  ['v10', 'v2', 1],
  ['v1', 'v1.0.0', 0],
  ['v1.2.0-rc.1', 'v1.2.0', -1],
])('%s is compared to %s as versions are: %i', (one, other, order) => {
  const [a, b] = [revisionVersion(one), revisionVersion(other)]
  expect(a && b && Math.sign(compareRevisions(a, b))).toBe(order)
})

test.each<[string, JsonRecord, number | string | undefined]>([
  ['of the spec, also beside another one of the status', { spec: { revision: 'v2' }, status: { revision: 3 } }, 'v2'],
  ['of the status, where the spec has none', { spec: {}, status: { revision: 3 } }, 3],
  ['of the status, where the spec has null', { spec: { revision: null }, status: { revision: 3 } }, 3],
  ['zero as it is written', { spec: { revision: 0 }, status: { revision: 3 } }, 0],
  ['none of a draft', { spec: { revision: null }, status: { revision: null } }, undefined],
])('the written revision of a PackageRevision is the one %s', (_, fields, revision) => {
  const object = { apiVersion: 'porch.kpt.dev/v1alpha1', kind: 'PackageRevision', metadata: { name: 'a' }, ...fields }
  expect(writtenRevision(KrmObject.fromDocument(JSON.stringify(object)))).toBe(revision)
})
