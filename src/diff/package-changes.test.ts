import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../testdata/package-of-texts.ts'
import { configMapText, kptfileText } from '../../testdata/written-objects.ts'
import { revisionChanges } from './package-changes.ts'

const config = (name: string, data: string) => configMapText(name, `data: {${data}}\n`)
const secret = (password: string) => `apiVersion: v1\nkind: Secret\nmetadata: {name: db}\nstringData: {password: ${password}, same: x}\n`
const claim = (name: string) =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: ${name}}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n`

const changes = (before: Texts, after: Texts) => revisionChanges(packageOfTexts(before), packageOfTexts(after))

test('each object that differs is a change with its name, operation and fields', () => {
  const found = changes(
    {
      Kptfile: kptfileText('web'),
      'a.yaml': config('a', 'x: 1, y: 2'),
      'gone.yaml': config('gone', 'u: 1, v: 2, w: 3'),
      'same.yaml': config('same', 'x: 1'),
    },
    {
      Kptfile: kptfileText('web', 'info: {}\n'),
      'a.yaml': config('a', 'x: 2, y: 2'),
      'new.yaml': config('new', 'k: 1, l: 2, m: 3'),
      'same.yaml': `# text\n${config('same', 'x: 1')}`,
    },
  )
  expect(found).toEqual([
    {
      op: 'change',
      objects: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }],
      fields: [{ path: 'data.x', steps: ['data', 'x'], before: 1, after: 2 }],
      dangers: [],
    },
    { op: 'delete', objects: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone' }], fields: [], dangers: expect.anything() },
    { op: 'create', objects: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'new' }], fields: [], dangers: [] },
  ])
})

test('a renamed object has its former name, any other object none', () => {
  const [renamed] = changes({ 'a.yaml': config('old', 'x: 1, y: 2, z: 3') }, { 'a.yaml': config('new', 'x: 1, y: 2, z: 3') })
  expect(renamed).toMatchObject({ op: 'rename', objects: [{ name: 'new', was: { apiVersion: 'v1', kind: 'ConfigMap', name: 'old' } }] })
  expect(renamed?.fields.map(({ path }) => path)).toEqual(['metadata.name'])
  const [changed] = changes({ 'a.yaml': config('a', 'x: 1') }, { 'a.yaml': config('a', 'x: 2') })
  expect(changed?.objects).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }])
})

test('the values of a Secret are hidden in both states, so that a reader sees that they differ', () => {
  const [changed] = changes({ 'a.yaml': secret('one') }, { 'a.yaml': secret('two') })
  expect(changed?.fields.map(({ path, before, after }) => [path, before, after])).toEqual([
    ['stringData.password', 'not-shown', 'other-not-shown'],
  ])
})

test('dangerous changes come first, and changes of one kind keep their order', () => {
  const before = { 'a.yaml': config('a', 'x: 1'), 'b.yaml': claim('b'), 'c.yaml': config('c', 'x: 1'), 'd.yaml': claim('d') }
  const after = { 'a.yaml': config('a', 'x: 2'), 'c.yaml': config('c', 'x: 2') }
  expect(changes(before, after).map(({ op, objects: [{ name }], dangers }) => `${op} ${name} ${dangers.length > 0}`)).toEqual([
    'delete b true',
    'delete d true',
    'change a false',
    'change c false',
  ])
  const shrunk = changes({ 'b.yaml': claim('b') }, { 'b.yaml': claim('b').replace('1Gi', '500Mi') })
  expect(shrunk.map(({ dangers }) => dangers.map(({ path }) => path))).toEqual([['spec.resources.requests.storage']])
})
