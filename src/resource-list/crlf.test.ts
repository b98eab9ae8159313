import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

const crlf = (text: string) => text.replaceAll('\n', '\r\n')

test('an entry that moves takes its comment lines and its CRLF with it', () => {
  const object = KrmObject.fromDocument(crlf('list:\n# of a\n- a # 1\n- b\n# of c\n- c: 1\n  d: 2\n'))
  object.move(['list'], 2, 0)
  expect(object.toText()).toBe(crlf('list:\n# of c\n- c: 1\n  d: 2\n# of a\n- a # 1\n- b\n'))
})

test('the last entry moves though no line break ends it', () => {
  const object = KrmObject.fromDocument(crlf('list:\n- a\n- b'))
  object.move(['list'], 1, 0)
  expect(object.toText().split('\r\n').slice(0, 3)).toEqual(['list:', '- b', '- a'])
})

const LIST = crlf(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap # first
  metadata:
    name: a
    annotations:
      internal.config.kubernetes.io/path: 'a.yaml'
  data:
    k: v
`)

test('new entries, keys and items end their lines as the list does', () => {
  const list = ResourceList.parse(LIST)
  list.items[0]?.set(['data', 'new'], { list: ['x', 'y'], text: 'one\ntwo\n' })
  list.upsert({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { k: 'v' } }, 'b.yaml', list.items[0])
  const text = list.toString([{ severity: 'info', message: 'done', tags: { rule: 'fan-out' } }])
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(text.startsWith(LIST)).toBe(true)
  expect(ResourceList.parse(text).items.map((item) => item.get(['data']))).toEqual([
    { k: 'v', new: { list: ['x', 'y'], text: 'one\ntwo\n' } },
    { k: 'v' },
  ])
})

test('an item of another list moves into one with CRLF', () => {
  const list = ResourceList.parse(LIST)
  list.insert(KrmObject.fromDocument('apiVersion: v1\nkind: Secret\nmetadata:\n  name: s # theirs\n'), { path: 's.yaml', index: 0 })
  const text = list.toString()
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(text).toContain('    name: s # theirs\r\n')
})
