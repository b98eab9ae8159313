import { expect, test } from 'vitest'
import { formatFieldPath } from '../../field-path.ts'
import type { JsonRecord } from '../../json.ts'
import { list, planOf, repository, setOf, type Written } from '../testing/fleet-of-objects.ts'
import { verdictsOn } from './why-missing.ts'

const site = (name: string, labels: JsonRecord = {}, namespace?: string): JsonRecord => ({
  apiVersion: 'x.io/v1',
  kind: 'Site',
  metadata: { name, labels, ...(namespace !== undefined && { namespace }) },
})
const selects = (selector: JsonRecord = {}): JsonRecord => ({ objectSelector: { apiVersion: 'x.io/v1', kind: 'Site', ...selector } })

/** The answer of each target about an object of the fleet: its place, and what is missed. */
function asked(name: string, targets: readonly JsonRecord[], objects: readonly Written[], group = 'x.io', kind = 'Site') {
  const plan = planOf([setOf(targets), ...objects])
  const [only] = plan.sets
  const object = plan.fleet.allOf(group, kind).find((each) => each.name === name)
  if (only?.set === undefined || object === undefined) throw new Error('a set and an object')
  return verdictsOn(object, only.set, only.owner.namespace, plan.fleet).map(({ path, miss }) => [formatFieldPath(path), miss])
}

const repositoryAsked = (name: string, targets: readonly JsonRecord[], objects: readonly Written[]) =>
  asked(name, targets, objects, 'config.porch.kpt.dev', 'Repository')

test('a list is asked for the entry of a repository', () => {
  expect(repositoryAsked('b', [list('a', 'b'), list('a', 'c')], [repository('a'), repository('b')])).toEqual([
    ['spec.targets[0].repositories[1]', undefined],
    ['spec.targets[1].repositories', { type: 'list', wanted: 'a, c' }],
  ])
})

test('an object that is no Repository of Porch is in no list, whatever its name is', () => {
  const other = { ...repository('a'), apiVersion: 'source.example.com/v1' }
  const missed = [['spec.targets[0].repositories', { type: 'list', wanted: 'a' }]]
  expect(asked('a', [list('a')], [site('a')])).toEqual(missed)
  expect(asked('a', [list('a')], [other], 'source.example.com', 'Repository')).toEqual(missed)
})

test('every target answers for itself', () => {
  expect(asked('a', [selects({ name: 'b' }), selects({ name: 'a' }), { repositorySelector: {} }], [site('a')])).toEqual([
    ['spec.targets[0].objectSelector.name', { type: 'name', wanted: 'b' }],
    ['spec.targets[1].objectSelector', undefined],
    ['spec.targets[2].repositorySelector', { type: 'kind', wanted: "Repository of 'config.porch.kpt.dev/v1alpha1'" }],
  ])
})

test('the kind is missed before the version, the namespace, the name and the labels', () => {
  const wanted = { name: 'z', matchLabels: { env: 'prod' } }
  const at = (field: string) => `spec.targets[0].objectSelector${field}`
  const missed = (selector: JsonRecord) => asked('a', [selects({ ...wanted, ...selector })], [site('a', {}, 'other'), site('z')])
  expect(missed({ kind: 'Plant' })).toEqual([[at('.kind'), { type: 'kind', wanted: "Plant of 'x.io/v1'" }]])
  expect(missed({ apiVersion: 'x.io/v2' })).toEqual([[at('.apiVersion'), { type: 'kind', wanted: "Site of 'x.io/v2'" }]])
  expect(missed({})).toEqual([[at(''), { type: 'namespace', wanted: 'default' }]])
  expect(asked('a', [selects(wanted)], [site('a'), site('z')])).toEqual([[at('.name'), { type: 'name', wanted: 'z' }]])
  expect(asked('a', [selects({ matchLabels: { env: 'prod' } })], [site('a')])).toMatchObject([
    [at('.matchLabels.env'), { type: 'labels', clause: 'env=prod', key: 'env', change: [{ key: 'env', value: 'prod' }] }],
  ])
})

test('the first clause that is not met is named, the clauses of matchLabels first', () => {
  const selector = {
    matchLabels: { env: 'prod', zone: 'eu' },
    matchExpressions: [
      { key: 'tier', operator: 'Exists' },
      { key: 'old', operator: 'DoesNotExist' },
    ],
  }
  const missed = (labels: JsonRecord) => asked('a', [selects(selector)], [site('a', labels)]).map(([path]) => path)
  expect(missed({ zone: 'us' })).toEqual(['spec.targets[0].objectSelector.matchLabels.env'])
  expect(missed({ env: 'prod', zone: 'us' })).toEqual(['spec.targets[0].objectSelector.matchLabels.zone'])
  expect(missed({ env: 'prod', zone: 'eu', old: 'x' })).toEqual(['spec.targets[0].objectSelector.matchExpressions[0]'])
  expect(missed({ env: 'prod', zone: 'eu', tier: 'x', old: 'x' })).toEqual(['spec.targets[0].objectSelector.matchExpressions[1]'])
  expect(missed({ env: 'prod', zone: 'eu', tier: 'x' })).toEqual(['spec.targets[0].objectSelector'])
})

test('a label that may have any value gets the one that most objects of the kind have', () => {
  const target = selects({ matchExpressions: [{ key: 'tier', operator: 'Exists' }] })
  const others = [site('b', { tier: 'gold' }), site('c', { tier: 'tin' }), site('d', { tier: 'tin' })]
  const plants = ['e', 'f', 'g'].map((name) => ({ ...site(name, { tier: 'gold' }), kind: 'Plant' }))
  expect(asked('a', [target], [site('a'), ...others, ...plants])).toMatchObject([
    ['spec.targets[0].objectSelector.matchExpressions[0]', { change: [{ key: 'tier', value: 'tin' }] }],
  ])
})
