import { expect, test } from 'vitest'
import { list, planOf, setOf } from '../../fleet/testing/fleet-of-objects.ts'
import type { ChangeGroup, Danger, PackageEntry } from '../report.ts'
import { countDangers } from './danger-counts.ts'

const GONE: Danger = { rule: 'volume-claim-deleted', text: 't' }

function groupOf(id: string, names: readonly string[], packages: readonly string[], more: Partial<ChangeGroup> = {}): ChangeGroup {
  return {
    id,
    op: 'delete',
    objects: names.map((name) => ({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'n', name })),
    fields: [],
    causes: [],
    dangers: [GONE],
    clusters: packages.length,
    places: packages.map((each) => ({ cluster: each.split('/', 1)[0] ?? '', package: each })),
    ...more,
  }
}

const dangerTexts = (groups: readonly ChangeGroup[]) => countDangers(groups, [], []).map(({ text }) => text)

test('a danger is counted once for each object in each of its packages', () => {
  expect(dangerTexts([groupOf('a', ['x', 'y'], ['north/app', 'south/app'])])).toEqual(['4 volume claims deleted'])
  expect(dangerTexts([groupOf('a', ['x'], ['north/app'])])).toEqual(['1 volume claim deleted'])
})

test('the parts of an object are one danger, and several paths of one object too', () => {
  const parts = [groupOf('a', ['x'], ['north/app']), groupOf('b', ['x'], ['north/app'])]
  expect(dangerTexts(parts)).toEqual(['1 volume claim deleted'])
  expect(dangerTexts([groupOf('a', ['x'], ['north/app'], { dangers: [GONE, { ...GONE, path: 'spec.a' }] })])).toEqual([
    '1 volume claim deleted',
  ])
  expect(countDangers(parts, [], [])).toMatchObject([{ count: 1, groups: ['a', 'b'] }])
})

test('objects of which each place has its own name are counted by these names', () => {
  const places = ['north', 'south'].map((cluster) => ({
    cluster,
    package: `${cluster}/app`,
    objects: [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: `data-${cluster}` }],
  }))
  expect(dangerTexts([groupOf('a', ['data-${target.name}'], [], { places })])).toEqual(['2 volume claims deleted'])
})

test('a notice of a rule is counted apart from its dangers, and after all of them', () => {
  const notice = groupOf('a', ['x'], ['north/app'], { dangers: [{ ...GONE, severity: 'notice' }] })
  const other = groupOf('b', ['y'], ['north/app'], { dangers: [{ rule: 'volume-deleted', text: 't' }] })
  expect(dangerTexts([notice, groupOf('c', ['z'], ['north/app']), other])).toEqual([
    '1 volume claim deleted',
    '1 volume deleted',
    '1 volume claim deleted',
  ])
})

test('a danger of one group beside another danger is counted', () => {
  const both = groupOf('a', ['x'], ['north/app'], { dangers: [{ rule: 'volume-deleted', text: 't' }, GONE] })
  expect(dangerTexts([both])).toEqual(['1 volume claim deleted', '1 volume deleted'])
})

const NAMES = 'abcdefgh'.split('')

/** Returns a state whose set asks for a package in some of the clusters a to h. */
const stateOf = (...clusters: readonly string[]) => planOf([setOf([list(...clusters)])])

/** Returns the texts of the sets of which much changes, if the packages of some clusters change. */
function wide(changed: readonly string[], states = [stateOf(...NAMES)]) {
  const entries = changed.map((each): PackageEntry => {
    const [cluster = '', name = 'app'] = each.split('/')
    return { folder: `${cluster}/${name}`, cluster, fate: 'changed', groups: [], set: 'default/fleet' }
  })
  return countDangers([], entries, states).map(({ text }) => text)
}

test('more than a quarter of the clusters of a set is a wide change, and one cluster never is', () => {
  expect(wide(['a', 'b', 'c'])).toEqual(['3 of 8 clusters of set default/fleet change at once'])
  expect(wide(['a', 'b'])).toEqual([])
  expect(wide(['a'], [stateOf('a', 'b')])).toEqual([])
  expect(wide(['a', 'b'], [stateOf('a', 'b')])).toEqual(['2 of 2 clusters of set default/fleet change at once'])
})

test('a cluster with several packages counts once, and so does one that both states have', () => {
  expect(wide(['a/app', 'a/web', 'b'])).toEqual([])
  expect(wide(['a', 'b', 'c'], [stateOf(...NAMES.slice(0, 5)), stateOf(...NAMES.slice(3))])).toEqual([
    '3 of 8 clusters of set default/fleet change at once',
  ])
})

test('the packages of no set make no set change', () => {
  const entries = ['a', 'b'].map((cluster): PackageEntry => ({ folder: `${cluster}/app`, cluster, fate: 'changed', groups: [] }))
  expect(countDangers([], entries, [stateOf(...NAMES)])).toEqual([])
})

test('a wide change comes behind the dangers and before the notices', () => {
  const notice = groupOf('a', ['x'], ['a/app'], { dangers: [{ ...GONE, severity: 'notice' }] })
  const changed = NAMES.map(
    (cluster): PackageEntry => ({ folder: `${cluster}/app`, cluster, fate: 'changed', groups: [], set: 'default/fleet' }),
  )
  const counted = countDangers([notice, groupOf('b', ['y'], ['b/app'])], changed, [stateOf(...NAMES)])
  expect(counted.map(({ rule, severity }) => severity ?? rule)).toEqual(['volume-claim-deleted', 'wide-change', 'notice'])
  expect(counted[1]).toMatchObject({ count: 8, set: 'default/fleet', groups: [] })
})
