import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { describeLabel, reasonByHand, reasonOf, type Why } from './change-reason.ts'
import { list, planOf, repository, setOf, variant, type Written } from './testing/fleet-of-objects.ts'

/** The reasons for the changes of all sets, as data, by the operation and the name of the variant. */
function reasons(objects: readonly Written[], earlier?: readonly Written[]): Readonly<Record<string, Why | undefined>> {
  const { sets } = planOf(objects, { allowEmpty: true })
  const before = earlier && { ref: 'v1', fleet: planOf(earlier).fleet }
  return Object.fromEntries(
    sets.flatMap((each) => each.changes.map((change) => [`${change.op} ${change.name}`, reasonOf(change, each, before).why])),
  )
}

const SITES = { apiVersion: 'x.io/v1', kind: 'Site' }
const site = (name: string, labels: JsonRecord = {}): JsonRecord => ({ ...SITES, metadata: { name, labels } })
const at = (field: string, target = 0) => `spec.targets[${target}].${field}`

test('a listed variant is asked for by its entry', () => {
  expect(reasons([setOf([list('a', 'b')]), variant('b', 'b')])).toEqual({
    'create fleet-a-app': { asked: { path: at('repositories[0]') } },
    'unchanged b': { asked: { path: at('repositories[1]') } },
  })
})

test('a selected variant is asked for by the object and the selector that matched', () => {
  const target = { objectSelector: { ...SITES, matchLabels: { env: 'prod' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }
  expect(reasons([setOf([target]), site('a', { env: 'prod', tier: 'x' })])).toEqual({
    'create fleet-a-app': {
      asked: { path: at('objectSelector'), object: { ...SITES, namespace: 'default', name: 'a' }, selector: 'env=prod,tier' },
    },
  })
})

test('a match names the labels that its expressions read, and every clause', () => {
  const target = {
    objectSelector: {
      ...SITES,
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['x', 'y'] },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    },
  }
  const { sets } = planOf([setOf([target]), site('a', { tier: 'x', more: 'z' })])
  const [only] = sets
  const [change] = only?.changes ?? []
  expect(only && change && reasonOf(change, only)).toMatchObject({
    text: `${at('objectSelector')} matches Site a: tier in (x,y), !old (has tier=x)`,
    cause: `${at('objectSelector')} matches its Site: tier in (x,y), !old`,
  })
})

test('a removed variant is lost to the clause that leaves its object out', () => {
  const target = { repositorySelector: { matchLabels: { env: 'prod' } } }
  expect(reasons([setOf([target]), repository('a', { env: 'dev' }), variant('a', 'a')])).toEqual({
    'remove a': {
      lost: {
        type: 'left-out',
        path: at('repositorySelector'),
        object: { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', namespace: 'default', name: 'a' },
        clause: 'env=prod',
      },
      package: 'deleted',
    },
  })
})

test('a removed variant is lost with the object that is gone, and the file in which the object was is named', () => {
  const objects = [setOf([{ objectSelector: SITES }]), site('b'), variant('a', 'a'), variant('b', 'b')]
  const lost = { type: 'gone', path: at('objectSelector'), object: { ...SITES, namespace: 'default', name: 'a' } }
  expect(reasons(objects)).toMatchObject({ 'remove a': { lost } })
  expect(reasons(objects)['remove a']?.lost).not.toHaveProperty('wasIn')
  const earlier: readonly Written[] = [
    ['sites/b.yaml', site('b')],
    ['sites/a.yaml', site('a')],
  ]
  expect(reasons(objects, earlier)).toMatchObject({ 'remove a': { lost: { ...lost, wasIn: 'sites/a.yaml' } } })
  expect(reasons(objects, earlier.slice(0, 1))['remove a']?.lost).not.toHaveProperty('wasIn')
})

test('a removed variant that nothing asked for is lost without an object, and a kept package stays', () => {
  const objects = [setOf([list('a')]), variant('a', 'a'), variant('b', 'b', { deletionPolicy: 'orphan' }), variant('c', 'c')]
  expect(reasons(objects)).toMatchObject({
    'remove b': { lost: { type: 'unasked' }, package: 'stays' },
    'remove c': { lost: { type: 'unasked' }, package: 'deleted' },
  })
})

test('a removed variant of a package that the set has no more names the package', () => {
  const plan = planOf([
    setOf([list('a')]),
    variant('a', 'a'),
    variant('b', 'b', { upstream: { repo: 'catalog', package: 'old', revision: 1 } }),
  ])
  const texts = plan.sets.flatMap((each) => each.changes.filter(({ op }) => op === 'remove').map((change) => reasonOf(change, each).text))
  expect(texts).toEqual(['no upstream of the set is catalog/old any more; its package is deleted too (deletionPolicy delete)'])
})

test('a renamed variant is asked for, and its old package is lost', () => {
  const old = variant('fleet-a-old', 'a', { downstream: { repo: 'a', package: 'old' }, deletionPolicy: 'orphan' })
  expect(reasons([setOf([list('a')]), old])).toEqual({
    'rename fleet-a-app': { asked: { path: at('repositories[0]') }, lost: { type: 'unasked' }, package: 'stays' },
  })
})

test('a package that another set takes over stays, and both sets say so', () => {
  const other = { ...setOf([list('b')]), metadata: { name: 'other' } }
  const plan = planOf([setOf([list('a')]), other, variant('a', 'a'), variant('b', 'b')])
  const changes = plan.sets.flatMap((each) => each.changes.map((change) => ({ change, reason: reasonOf(change, each) })))
  expect(changes.map(({ change: { op, name, takenFrom, handedTo } }) => ({ op, name, takenFrom, handedTo }))).toEqual([
    { op: 'unchanged', name: 'a', takenFrom: undefined, handedTo: undefined },
    { op: 'remove', name: 'b', takenFrom: undefined, handedTo: 'default/other-b-app' },
    { op: 'create', name: 'other-b-app', takenFrom: 'default/b', handedTo: undefined },
  ])
  expect(changes[1]?.reason.why).toMatchObject({ package: 'stays' })
  expect(changes[1]?.reason.text).toContain('default/other-b-app takes over its package')
  expect(changes[2]?.reason.text).toContain('it takes over the package of default/b')
  expect(changes[0]?.reason.text).not.toContain('takes over')
})

test('a variant that gets the marks of its set says so', () => {
  const withUid = { ...setOf([list('a', 'b')]), metadata: { name: 'fleet', uid: 'u' } }
  const { sets } = planOf([withUid, variant('a', 'a')])
  const texts = sets.flatMap((each) => each.changes.map((change) => reasonOf(change, each).text.includes('it gets the marks')))
  expect(texts).toEqual([true, false])
})

test('an object of a kind without namespaces, and one of the own namespace, is named without a namespace', () => {
  const cluster = { ...SITES, kind: 'Node', apiVersion: 'v1' }
  const { sets } = planOf([setOf([{ objectSelector: cluster }]), { ...cluster, metadata: { name: 'n' } }])
  const texts = sets.flatMap((each) => each.changes.map((change) => reasonOf(change, each).text))
  expect(texts).toEqual([`${at('objectSelector')} matches Node n: everything`])
})

test('a variant that no set asks for was written or removed by hand', () => {
  const change = { name: 'a', namespace: 'default' }
  expect(reasonByHand({ ...change, op: 'create' }).why).toEqual({ byHand: true })
  expect(reasonByHand({ ...change, op: 'remove', before: { deletionPolicy: 'orphan' } }).why).toEqual({
    lost: { type: 'unwritten' },
    package: 'stays',
    byHand: true,
  })
  expect(reasonByHand({ ...change, op: 'remove', before: { deletionPolicy: 'delete' } }).why).toMatchObject({ package: 'deleted' })
  expect(reasonByHand({ ...change, op: 'remove' }).why).toMatchObject({ package: 'deleted' })
})

test('a label that a clause reads is named with its value, or as missing', () => {
  expect(describeLabel('env', new Map([['env', 'prod']]))).toBe('for env=prod')
  expect(describeLabel('env', new Map())).toBe('without label env')
})
