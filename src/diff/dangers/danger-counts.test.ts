import { expect, test } from 'vitest'
import type { ChangeGroup, Danger } from '../report.ts'
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
