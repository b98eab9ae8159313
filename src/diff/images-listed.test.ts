import { expect, test } from 'vitest'
import { imageChanges } from './images-listed.ts'
import type { ChangeGroup } from './report.ts'

/** Returns a group of changes of one field in clusters. */
const imageGroup = (path: string, before: string | undefined, after: string | undefined, ...clusters: readonly string[]): ChangeGroup => ({
  ...{ id: 'g', op: 'change', objects: [], causes: [], dangers: [], clusters: clusters.length },
  places: clusters.map((cluster) => ({ cluster, package: `${cluster}/web` })),
  fields: [{ path, steps: [], ...(before !== undefined && { before }), ...(after !== undefined && { after }) }],
})

test('changed images are listed with their clusters, each once: those of the most clusters first, then by name', () => {
  const main = 'spec.template.spec.containers[main].image'
  const groups = [
    imageGroup(main, 'b:1', 'b:2', 'x'),
    imageGroup('spec.containers[0].image', 'b:1', 'b:2', 'x'),
    imageGroup('spec.initContainers[i].image', 'c:1', 'c:2', 'x', 'y'),
    imageGroup('spec.ephemeralContainers[e].image', 'a:1', 'a:2', 'x'),
    imageGroup('data.image', 'd:1', 'd:2', 'x', 'y', 'z'),
    imageGroup('spec.containers[a].imagePullPolicy', 'Always', 'Never', 'x'),
    imageGroup(main, undefined, 'e:1', 'x'),
    imageGroup(main, 'f:1', undefined, 'x'),
  ]
  expect(imageChanges(groups)).toEqual([
    { before: 'c:1', after: 'c:2', clusters: 2 },
    { before: 'a:1', after: 'a:2', clusters: 1 },
    { before: 'b:1', after: 'b:2', clusters: 1 },
  ])
})

test('a place with fields of its own has its own images', () => {
  const group = imageGroup('spec.containers[a].image', 'a:1', 'a:${x}', 'x')
  const fields = [{ path: 'spec.containers[a].image', steps: [], before: 'a:1', after: 'a:2' }]
  expect(imageChanges([{ ...group, places: group.places.map((place) => ({ ...place, fields })) }])).toEqual([
    { before: 'a:1', after: 'a:2', clusters: 1 },
  ])
})
