import { expect, test } from 'vitest'
import { withoutSecretsInGroup } from './hidden-secrets.ts'
import type { ChangeGroup } from './report.ts'

const text = (password: string, note: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: db, annotations: {note: ${note}}}\ndata: {password: ${password}, same: c2FtZQ==}\n`

test('a group has no value of a Secret, neither in fields nor in texts, nor in those of a place', () => {
  const fields = [
    { path: 'data.password', steps: ['data', 'password'], before: 'b2xkLW9uZQ==', after: 'bmV3LW9uZQ==' },
    { path: 'metadata.annotations.note', steps: ['metadata', 'annotations', 'note'], before: 'old-one', after: 'is new-one' },
    { path: 'metadata.labels.app', steps: ['metadata', 'labels', 'app'], before: 'web', after: 'db' },
  ]
  const before = text('b2xkLW9uZQ==', 'old-one')
  const after = text('bmV3LW9uZQ==', 'is new-one')
  const secret = { apiVersion: 'v1', kind: 'Secret', name: 'db', before, after }
  const value = { kind: 'Secret', data: { password: 'bmV3LW9uZQ==' } }
  const group: Omit<ChangeGroup, 'id'> = {
    op: 'change',
    objects: [secret],
    fields,
    causes: [],
    dangers: [],
    clusters: 1,
    places: [{ cluster: 'north', package: 'north/web', fields, objects: [{ ...secret, value }] }],
  }
  const shown = withoutSecretsInGroup(group)
  expect(JSON.stringify(shown)).not.toMatch(/b2xk|bmV3|old-one|new-one|c2FtZQ/)
  expect(shown.fields.map((field) => [field.before, field.after])).toEqual([
    ['not-shown', 'other-not-shown'],
    ['not-shown', 'other-not-shown'],
    ['web', 'db'],
  ])
  const comments = { path: '#', steps: [], before: '# old-one', after: '# new-one', isComment: true } as const
  expect(withoutSecretsInGroup({ ...group, fields: [comments] }).fields).toMatchObject([{ before: 'not-shown', after: 'other-not-shown' }])
  expect(shown.objects[0]?.after).toContain('password: other-not-shown, same: not-shown')
})

/** Returns the values of fields of a ConfigMap as a group shows them. */
function shownOf(...fields: ChangeGroup['fields']): readonly (readonly unknown[])[] {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }
  const group: Omit<ChangeGroup, 'id'> = { op: 'change', objects: [object], fields, causes: [], dangers: [], clusters: 1, places: [] }
  return withoutSecretsInGroup(group).fields.map(({ before, after }) => [before, after])
}

const note = { path: 'metadata.annotations.note', steps: ['metadata', 'annotations', 'note'], before: 'x', after: 'y' }

test('the annotation of kubectl that repeats a whole Secret is hidden in any object, and other annotations are shown', () => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration'
  const applied = { path: `metadata.annotations[${key}]`, steps: ['metadata', 'annotations', key] }
  expect(shownOf({ ...applied, before: '{"kind":"Secret","data":{"a":"b"}}', after: '{"kind":"Secret","data":{"a":"c"}}' }, note)).toEqual([
    ['not-shown', 'other-not-shown'],
    ['x', 'y'],
  ])
  expect(shownOf({ ...applied, before: '{"kind":"ConfigMap"}', after: '{}' })).toEqual([['{"kind":"ConfigMap"}', '{}']])
})

test('fields of lists, comments, and fields that come or go keep their values beside an annotation', () => {
  const item = { path: 'spec.ports[0].port', steps: ['spec', 'ports', 0, 'port'], before: 80, after: 81 }
  const comment = { path: '#', steps: [], before: '# a', after: '# b', isComment: true } as const
  const added = { path: 'metadata.annotations.new', steps: ['metadata', 'annotations', 'new'], after: 'n' }
  const removed = { path: 'metadata.annotations.old', steps: ['metadata', 'annotations', 'old'], before: 'o' }
  expect(shownOf(note, item, comment, added, removed)).toEqual([
    ['x', 'y'],
    [80, 81],
    ['# a', '# b'],
    [undefined, 'n'],
    ['o', undefined],
  ])
})
