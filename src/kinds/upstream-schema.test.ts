import { expect, test } from 'vitest'
import { closedMap } from '../schema/schema.ts'
import { misfits } from './testing/misfits.ts'
import { ADOPTION_POLICY, DELETION_POLICY, UPSTREAM_SCHEMA } from './upstream-schema.ts'

test.each([
  { reason: 'a number as revision', text: '{repo: a, package: b, revision: 3, workspaceName: c}', expected: [] },
  { reason: 'a text as revision, an empty workspace', text: '{repo: a, package: b, revision: v3, workspaceName: ""}', expected: [] },
  { reason: 'repository and package must be set', text: '{revision: 3}', expected: ['repo required', 'package required'] },
  { reason: 'neither may be empty', text: '{repo: "", package: ""}', expected: ['repo minLength', 'package minLength'] },
  {
    reason: 'the type of each field',
    text: '{repo: 1, package: 2, revision: 1.5, workspaceName: 3}',
    expected: ['repo type', 'package type', 'revision type', 'workspaceName type'],
  },
  { reason: 'no other field', text: '{repo: a, package: b, tag: v1}', expected: ['tag additionalProperties'] },
])('an upstream: $reason', ({ text, expected }) => {
  expect(misfits(UPSTREAM_SCHEMA, text)).toEqual(expected)
})

test.each([
  { policies: '{adoptionPolicy: adoptNone, deletionPolicy: delete}', expected: [] },
  { policies: '{adoptionPolicy: adoptExisting, deletionPolicy: orphan}', expected: [] },
  { policies: '{adoptionPolicy: adopt, deletionPolicy: keep}', expected: ['adoptionPolicy enum', 'deletionPolicy enum'] },
])('the values of policies: $policies', ({ policies, expected }) => {
  expect(misfits(closedMap({ adoptionPolicy: ADOPTION_POLICY, deletionPolicy: DELETION_POLICY }), policies)).toEqual(expected)
})

test('without policies Porch adopts nothing and deletes the package', () => {
  expect([ADOPTION_POLICY.default, DELETION_POLICY.default]).toEqual(['adoptNone', 'delete'])
})
