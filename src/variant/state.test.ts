import { expect, test } from 'vitest'
import { configMapText, writtenObject } from '../../testdata/written-objects.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { isState, stateOf } from './state.ts'

test('the state at the end of a run is an info at the edited object, and has no file where the object has none', () => {
  expect(stateOf(writtenObject(configMapText('a'), 'x.yaml'), 'set-context', 'done')).toEqual({
    severity: 'info',
    message: 'done',
    resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' },
    file: { path: 'x.yaml', index: 0 },
    tags: { rule: 'set-context' },
  })
  expect(stateOf(KrmObject.fromDocument(configMapText('a')), 'set-context', 'done')).not.toHaveProperty('file')
})

test.each<[Result['tags']['rule'], boolean]>([
  ['set-context', true],
  ['prepend-pipeline', true],
  ['inject-config', true],
  ['injection-stale', false],
  ['edit-lost', false],
])('a result of the rule %s is the state at the end of a run: %s', (rule, expected) => {
  expect(isState({ severity: 'info', message: '', tags: { rule } })).toBe(expected)
})
