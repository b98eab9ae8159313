import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { FunctionError, findingsOf } from '../result.ts'
import { editItems, Growth, lacksMetadata, mapItems, refuseTwins } from './edit-items.ts'

const object = (name: string, more = '') => writtenObject(`apiVersion: v1\nkind: A\nmetadata:\n  name: ${name}\n${more}`)

const messages = (act: () => unknown) =>
  findingsOf(() => {
    act()
    return []
  }).map(({ message, tags }) => `${message} [${tags.rule}]`)

test('every item that is no map is an error', () => {
  const list = ResourceList.parse('apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- a\n- {kind: A}\n- [b]\n')
  expect(messages(() => mapItems(list))).toEqual([
    "`items[0]` must be a map, got 'a' [wrong-type]",
    '`items[2]` must be a map, got a list [wrong-type]',
  ])
  expect(mapItems(ResourceList.of([object('a')], undefined))).toHaveLength(1)
})

test('only an item of a list can lack metadata', () => {
  const { items } = ResourceList.parse(
    'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {kind: A}\n- {kind: A, metadata: {}}\n',
  )
  expect(items.map(lacksMetadata)).toEqual([true, false])
  expect(lacksMetadata(KrmObject.fromDocument('kind: A\n'))).toBe(false)
})

test('the faults of all objects are reported together, and an error of the program at once', () => {
  const refuse = (item: KrmObject) => {
    throw new FunctionError([{ severity: 'error', message: `no ${item.name}`, tags: { rule: 'required' } }])
  }
  expect(messages(() => editItems([object('a'), object('b')], refuse))).toEqual(['no a [required]', 'no b [required]'])
  expect(() =>
    editItems([object('a')], () => {
      throw new TypeError('bug')
    }),
  ).toThrow(TypeError)
})

test('an edit is settled into the text', () => {
  const item = object('a')
  editItems([item], (each) => each.set(['spec'], { x: 1 }))
  expect(item.toText()).toContain('spec:\n  x: 1\n')
})

test('a function must not make a list longer by more than its limit, and what becomes shorter does not count', () => {
  const growth = new Growth()
  growth.take(-1000)
  growth.take(64 * 1024 * 1024)
  expect(growth.isSpent).toBe(false)
  expect(messages(() => growth.take(1))).toEqual([
    'the objects must not become longer by more than 67108864 characters: the functionConfig writes a long text into many fields [output-size]',
  ])
  expect(growth.isSpent).toBe(true)
  expect(messages(() => editItems([object('a'), object('b')], (_, texts) => texts.take(40 * 1024 * 1024)))).toHaveLength(1)
})

test('objects of one group, version, kind, namespace and name are refused, but for the first', () => {
  const others = [
    object('b'),
    object('a', '  namespace: x\n'),
    writtenObject('apiVersion: v1\nkind: B\nmetadata:\n  name: a\n'),
    writtenObject('apiVersion: v2\nkind: A\nmetadata:\n  name: a\n'),
  ]
  expect(() => refuseTwins([object('a'), ...others])).not.toThrow()
  expect(messages(() => refuseTwins([object('a'), ...others, object('a'), object('a')]))).toEqual([
    "`metadata.name` must differ from that of another A of the list, got 'a' for both [duplicate-object]",
    "`metadata.name` must differ from that of another A of the list, got 'a' for both [duplicate-object]",
  ])
})

test('no namespace and the namespace `default` are one, and kinds without namespaces have none', () => {
  const role = (rest: string) => writtenObject(`apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: r\n${rest}`)
  const twins = [object('a', '  namespace: default\n'), object('a', '  namespace: ""\n'), role('  namespace: y\n')]
  expect(messages(() => refuseTwins([object('a'), role('  namespace: x\n'), ...twins]))).toHaveLength(3)
})
