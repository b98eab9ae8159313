import { expect, test } from 'vitest'
import { objectText, run, valuesAfter } from '../testing/run-function.ts'

const NOTE = { note: 'p' }

/** Returns the paths of the maps that have the annotation behind a run. */
function annotated(text: string): readonly string[] {
  return pathsOf(valuesAfter('set-annotations', NOTE, text)[0])
}

function pathsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'note' && member === 'p' ? ['.'] : pathsOf(member).map((path) => (path === '.' ? key : `${key}.${path}`)),
  )
}

const OWN = 'metadata.annotations'
const TEMPLATE = 'spec.template.metadata.annotations'

test.each([
  ['ConfigMap', 'v1', [OWN]],
  ['Deployment', 'apps/v1', [OWN, TEMPLATE]],
  ['ReplicaSet', 'apps/v1', [OWN, TEMPLATE]],
  ['DaemonSet', 'apps/v1', [OWN, TEMPLATE]],
  ['StatefulSet', 'apps/v1', [OWN, TEMPLATE]],
  ['StatefulSet', 'example.com/v1', [OWN, TEMPLATE]],
  ['ReplicationController', 'v1', [OWN, TEMPLATE]],
  ['ReplicationController', 'v2', [OWN]],
  ['Job', 'batch/v1', [OWN, TEMPLATE]],
  ['Job', 'example.com/v1', [OWN]],
  ['CronJob', 'batch/v1', [OWN, 'spec.jobTemplate.metadata.annotations', 'spec.jobTemplate.spec.template.metadata.annotations']],
  ['CronJob', 'example.com/v1', [OWN]],
])('a %s of %s has the annotation at %j', (kind, apiVersion, expected) => {
  expect(annotated(objectText(kind, '', apiVersion))).toEqual(expected)
})

const config = (kind: string, fields: object) => ({ apiVersion: 'fn.kpt.dev/v1alpha1', kind, metadata: { name: 'c' }, ...fields })

test.each([
  ['a value that is there', NOTE, '  annotations: {note: p}\n', []],
  ['another value', NOTE, '  annotations: {note: q}\n', ['annotations: {note: p}']],
  ['annotations that are null', NOTE, '  annotations: ~\n', ['annotations:', 'note: p']],
  ['annotations that are no map', NOTE, '  annotations: x\n', [expect.stringContaining('must be a map')]],
  ['nothing to write', {}, '', ['error: `data` must have an annotation']],
  ['nothing to write in the own kind', config('SetAnnotations', {}), '', ['error: `annotations` must have an annotation']],
  ['the own kind', config('SetAnnotations', { annotations: NOTE }), '', ['annotations:', 'note: p']],
  ['the own kind under its old name', config('SetAnnotationConfig', { annotations: NOTE }), '', ['annotations:', 'note: p']],
  [
    'more fields',
    config('SetAnnotations', { annotations: NOTE, additionalAnnotationFields: [{ path: 'spec/notes', create: true }] }),
    '',
    ['annotations:', 'note: p', 'spec:', 'notes:', 'note: p'],
  ],
  [
    'more fields in a list, and below null',
    config('SetAnnotations', {
      annotations: NOTE,
      additionalAnnotationFields: [
        { path: 'metadata/list/notes', create: true },
        { path: 'metadata/none/notes' },
        { path: 'metadata/gap/notes', create: true },
      ],
    }),
    '  list: [{}]\n  none: ~\n  gap: ~\n  annotations: {note: p}\n',
    ['list: [{notes: {note: p}}]', 'gap:', 'notes:', 'note: p'],
  ],
  [
    'more fields of another kind',
    config('SetAnnotations', { annotations: NOTE, fieldSpecs: [{ path: 'spec/notes', kind: 'Pod', create: true }] }),
    '',
    ['annotations:', 'note: p'],
  ],
])('%s', (_what, given, rest, expected) => {
  expect(run('set-annotations', given, objectText('ConfigMap', rest))).toEqual(expected)
})

test('two objects of one name are refused, and objects that differ in one part are not', () => {
  const a = objectText('ConfigMap', '')
  expect(run('set-annotations', NOTE, a, a)).toEqual([expect.stringContaining("another ConfigMap of the list, got 'web' for both")])
  for (const other of [
    objectText('Secret', ''),
    objectText('ConfigMap', '', 'v2'),
    objectText('ConfigMap', '', 'v1', 'b'),
    objectText('ConfigMap', '  namespace: n\n'),
  ])
    expect(run('set-annotations', NOTE, a, other)).toHaveLength(4)
})
