import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { missingWorkspaces, otherWorkspaces } from './upstream-workspaces.ts'

const objectsOf = (values: readonly JsonRecord[]) => values.map((value) => KrmObject.fromDocument(JSON.stringify(value)))
const PORCH = 'config.porch.kpt.dev/v1alpha1'
const FLEET = 'fleet.krm-variants.dev/v1alpha1'

function holder(kind: string, spec: JsonRecord, apiVersion = PORCH): JsonRecord {
  return { apiVersion, kind, metadata: { name: 'a' }, spec }
}

function revision(
  number: number | string,
  workspaceName: string,
  more: JsonRecord = {},
  apiVersion = 'porch.kpt.dev/v1alpha1',
): JsonRecord {
  const spec = { repository: 'r', packageName: 'p', revision: number, workspaceName, ...more }
  return { apiVersion, kind: 'PackageRevision', metadata: { name: `p-${number}` }, spec }
}

const upstream = (more: JsonRecord = {}): JsonRecord => ({ repo: 'r', package: 'p', revision: 2, ...more })
const missing = (...values: readonly JsonRecord[]) =>
  missingWorkspaces(objectsOf(values)).map(({ rule, path, proposedValue }) => [rule, path.join('.'), proposedValue])

test('an upstream is found wherever a kind has it', () => {
  const place = (kind: string, spec: JsonRecord, apiVersion?: string) => missing(holder(kind, spec, apiVersion)).map(([, path]) => path)
  const list = { upstreams: [{ repo: 'r' }, upstream()] }
  expect(place('PackageVariant', { upstream: upstream() })).toEqual(['spec.upstream.workspaceName'])
  expect(place('PackageVariantSet', { upstream: upstream() })).toEqual(['spec.upstream.workspaceName'])
  expect(place('PackageVariantMatrix', list, FLEET)).toEqual(['spec.upstreams.1.workspaceName'])
  expect(place('PackageRevisionSet', list, FLEET)).toEqual(['spec.upstreams.1.workspaceName'])
  expect(place('PackageVariant', { upstream: upstream() }, FLEET)).toEqual([])
  expect(place('PackageVariantSet', { upstream: upstream() }, 'example.com/v1')).toEqual([])
  expect(place('PackageVariantMatrix', list)).toEqual([])
  expect(place('PackageRevisionSet', list)).toEqual([])
  expect(place('PackageVariant', list)).toEqual([])
})

test.each([
  [{ revision: 1 }, 'v1'],
  [{ revision: 'v3' }, 'v3'],
  [{ revision: 0 }, undefined],
  [{ revision: -1 }, undefined],
  [{ revision: 'main' }, undefined],
  [{ workspaceName: 'w' }, undefined],
])('an upstream with %j needs the workspace %s', (fields, proposed) => {
  const found = missing(holder('PackageVariant', { upstream: upstream(fields) }))
  expect(found.map(([, , value]) => value)).toEqual(proposed === undefined ? [] : [proposed])
})

const MUST = "must be set beside 'revision', which Porch ignores: it would wait for the placeholder of the main branch, and make no package"

test.each([
  // [the PackageRevisions, the rule, the proposal, the end of the message]
  [
    [],
    'porch-unknown-workspace',
    'v2',
    "; no PackageRevision of the package says which: the workspace of revision 2 is probably 'v2', but people choose the name",
  ],
  [[revision(1, 'one'), revision(2, 'two')], 'porch-needs-workspace', 'two', "; the workspace of revision 2 is 'two'"],
  [[revision('v2', 'two')], 'porch-needs-workspace', 'two', "; the workspace of revision 2 is 'two'"],
  [[revision(1, 'one')], 'porch-needs-workspace', undefined, ''],
  [[revision(2, '')], 'porch-needs-workspace', undefined, ''],
  [
    [revision(2, 'x', { packageName: 'q' }), revision(2, 'y', { repository: 's' }), revision(2, 'z', {}, 'other.dev/v1')],
    'porch-unknown-workspace',
    'v2',
    "; no PackageRevision of the package says which: the workspace of revision 2 is probably 'v2', but people choose the name",
  ],
])('beside the revisions %j the rule is %s and the proposal %s', (revisions: readonly JsonRecord[], rule, proposedValue, end) => {
  const [fault, ...others] = missingWorkspaces(objectsOf([holder('PackageVariant', { upstream: upstream() }), ...revisions]))
  expect(others).toEqual([])
  expect(fault).toMatchObject({ severity: 'error', rule, path: ['spec', 'upstream', 'workspaceName'], message: `${MUST}${end}` })
  expect(fault?.proposedValue).toBe(proposedValue)
})

test.each([
  ['two', []],
  ['', []],
  ['one', ["must be 'two', the workspace of revision 2, got 'one': Porch takes the workspace, krm-variants the revision"]],
  ['none', ["must be 'two', the workspace of revision 2, got 'none': Porch takes the workspace, krm-variants the revision"]],
])('the workspace %j beside revision 2 has the faults %j', (workspaceName, messages) => {
  const variant = holder('PackageVariant', { upstream: upstream({ workspaceName }) })
  const faults = otherWorkspaces(objectsOf([variant, revision(1, 'one'), revision(2, 'two')]))
  expect(faults.map(({ message }) => message)).toEqual(messages)
  for (const fault of faults)
    expect(fault).toMatchObject({
      severity: 'error',
      rule: 'other-workspace',
      path: ['spec', 'upstream', 'workspaceName'],
      proposedValue: 'two',
    })
  expect(otherWorkspaces(objectsOf([variant]))).toEqual([])
  expect(otherWorkspaces(objectsOf([variant, revision(1, 'one')]))).toEqual([])
})
