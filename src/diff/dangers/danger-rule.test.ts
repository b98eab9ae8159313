import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import {
  clusterOf,
  type DangerRule,
  deleted,
  immutable,
  isFieldOrBelow,
  type JudgedChange,
  ofContainers,
  ofPods,
  pathsBelow,
  without,
} from './danger-rule.ts'
import { judgedChange, judgedObject } from './testing/judged-changes.ts'

test.each([
  ['spec.a', true],
  ['spec.a.b', true],
  ['spec.a[0]', true],
  ['spec.ab', false],
  ['spec', false],
  ['spec.b.spec.a', false],
])('the path %s is the field spec.a or below: %s', (path, isBelow) => {
  expect(isFieldOrBelow(path, 'spec.a')).toBe(isBelow)
  expect(pathsBelow([{ path, steps: path.split('.'), before: 1, after: 2 }], 'spec.a')).toEqual(isBelow ? [path] : [])
})

test('what comes is what was not there before, in its order', () => {
  expect(without(['b', 'gone'], ['c', 'b', 'a'])).toEqual(['c', 'a'])
})

test('the objects of the cluster are those of the package where no other package is known, and none where no object is', () => {
  const [own, all] = [judgedObject('v1 ConfigMap'), judgedObject('v1 Secret')]
  const ofPackage = { before: [own], after: [] }
  const ofCluster = { before: [own, all], after: [all] }
  const change = { op: 'delete', fields: [] } as const
  expect(clusterOf({ ...change, objects: () => ofPackage, inCluster: () => ofCluster })).toEqual(ofCluster)
  expect(clusterOf({ ...change, objects: () => ofPackage })).toEqual(ofPackage)
  expect(clusterOf(change)).toEqual({ before: [], after: [] })
})

const judged = (before: JsonRecord, after: JsonRecord): JudgedChange => ({ ...judgedChange(before, after), stored: [] })
const workload = (pod: JsonRecord) => judgedObject('apps/v1 Deployment', { spec: { template: { spec: pod } } })
const POD = 'spec.template.spec'
const NOUNS = ['one', 'many'] as const
const findIn = (rule: DangerRule, before: JsonRecord, after: JsonRecord) => rule.find(judged(workload(before), workload(after)))

test.each<[what: string, before: readonly JsonRecord[], after: readonly JsonRecord[], found: readonly string[]]>([
  ['a container gets it', [{ name: 'a' }], [{ name: 'a', tty: true }], ['a']],
  ['a container keeps it', [{ name: 'a', tty: true }], [{ name: 'a', tty: true }], []],
  ['a container loses it', [{ name: 'a', tty: true }], [{ name: 'a' }], []],
  ['a container with it gets another name', [{ name: 'a', tty: true }], [{ name: 'b', tty: true }], []],
  [
    'one container with it becomes two under other names',
    [{ name: 'a', tty: true }],
    [
      { name: 'b', tty: true },
      { name: 'c', tty: true },
    ],
    ['c'],
  ],
  ['a container without it gets another name, and gets it', [{ name: 'a' }], [{ name: 'b', tty: true }], ['b']],
  [
    'another container comes with it',
    [{ name: 'a', tty: true }],
    [
      { name: 'a', tty: true },
      { name: 'b', tty: true },
    ],
    ['b'],
  ],
  ['a container gives it to another one', [{ name: 'a', tty: true }, { name: 'b' }], [{ name: 'a' }, { name: 'b', tty: true }], ['b']],
])('a rule of containers finds what no container had: %s', (_, before, after, found) => {
  const rule = ofContainers('weaker-pod', NOUNS, 'text', ({ tty }) => tty === true)
  expect(findIn(rule, { containers: before }, { containers: after })).toEqual(found.map((name) => `${POD}.containers[${name}]`))
})

test('a rule of pods finds what a pod did not have before, with its path in the object', () => {
  const rule = ofPods('weaker-pod', NOUNS, 'text', (pod) => ['hostPID', 'hostIPC'].filter((key) => pod[key] === true))
  expect(findIn(rule, { hostPID: true }, { hostPID: true, hostIPC: true })).toEqual([`${POD}.hostIPC`])
  expect(findIn(rule, { hostPID: true }, {})).toEqual([])
})

test('a rule of deleted objects is about deletions and renames of its kinds only', () => {
  const rule = deleted('weaker-pod', [' Secret'], NOUNS, 'text')
  const found = (kind: string) => {
    const object = judgedObject(kind)
    return (['create', 'change', 'delete', 'rename'] as const).filter((op) => rule.find({ ...judged(object, object), op }).length > 0)
  }
  expect(found('v1 Secret')).toEqual(['delete', 'rename'])
  expect(found('v1 ConfigMap')).toEqual([])
})

test('a rule of immutable fields is about changes of stored fields, in objects of its kinds', () => {
  const rule = immutable('immutable-field', 'field', [' Secret'], ({ path }) => path === 'type')
  const stored = [
    { path: 'type', steps: ['type'], before: 'a', after: 'b' },
    { path: 'data', steps: ['data'], before: 1, after: 2 },
  ]
  const found = (kind: string, op: JudgedChange['op'], fields = stored) => {
    const object = judgedObject(kind)
    return rule.find({ ...judged(object, object), op, stored: fields })
  }
  expect(found('v1 Secret', 'change')).toEqual(['type'])
  expect(found('v1 Secret', 'change', [])).toEqual([])
  expect(found('v1 Secret', 'rename')).toEqual([])
  expect(found('v1 ConfigMap', 'change')).toEqual([])
})
