import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

const HEAD = 'apiVersion: v1\nkind: A\nmetadata:\n  name: a\n'
const UNUSUAL = [
  'spec:\n  k: 1\n  k: 1\n',
  'spec:\n  a: &x 1\n  b: 2\n',
  'spec: !t\n  a: 1\n',
  'spec:\n  a: [b # c\n  ]\n',
  'spec: &x\n  a: 1\nother: *x\n',
]

const LOOKS: readonly (readonly [string, (object: KrmObject) => unknown])[] = [
  ['nothing', () => undefined],
  ['the head', (object) => object.get(['metadata', 'name'])],
  ['another part', (object) => object.get(['spec'])],
  ['keys that stand twice', (object) => object.duplicateKeys()],
  ['the place of another part', (object) => object.positionOf(['spec', 'a'])],
]

test.each(UNUSUAL.flatMap((part) => LOOKS.map(([what, look]) => ({ part, what, look }))))(
  'metadata beside $part can be edited after a look at $what',
  ({ part, look }) => {
    const object = KrmObject.fromDocument(HEAD + part)
    look(object)
    object.set(['metadata', 'labels', 'l'], 'v')
    object.set(['metadata', 'name'], 'b')
    expect(object.toText()).toBe(`${HEAD.replace('name: a', 'name: b')}  labels:\n    l: v\n${part}`)
  },
)

test.each(['null', 'Null', 'NULL'])('%s is neither a kind nor an apiVersion', (nothing) => {
  const text = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ${nothing}
  metadata: {name: a}
- apiVersion: ${nothing}
  kind: A
  metadata: {name: b}
- apiVersion: v1
  kind: nulls
  metadata: {name: c}
`
  const found = ResourceList.parse(text).items.map(({ apiVersion, kind }) => [apiVersion, kind])
  expect(found).toEqual([
    ['v1', undefined],
    [undefined, 'A'],
    ['v1', 'nulls'],
  ])
})
