import { expect, test } from 'vitest'
import type { ChangeGroup, PackageEntry } from './report.ts'
import { countRings, withRings } from './ring-counts.ts'
import { configText, type Files, KPTFILE_TEXT, stateOfFiles } from './testing/states-of-files.ts'

/** Returns a fleet whose matrix `fleet/NAME` has rings. */
const matrix = (name: string, ...rings: readonly string[]): Files => ({
  'catalog/web@1/Kptfile': KPTFILE_TEXT,
  'catalog/web@1/a.yaml': configText('a', 'one'),
  [`fleet/${name}.yaml`]: `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: ${name}, namespace: fleet}
spec:
  upstreams: [{repo: catalog, package: web, revision: 1}]
  targets: [{repositorySelector: {matchLabels: {in: ${name}}}}]
  rings:
${rings.map((ring, index) => `  - {name: ${ring}${index < rings.length - 1 ? `, where: "target.name == '${ring}'"` : ''}}\n`).join('')}`,
})

const entry = (cluster: string, ring?: string, set = 'fleet/web'): PackageEntry => ({
  ...{ folder: `${cluster}/web`, cluster, package: `${cluster}/web`, fate: 'changed', groups: ['g'], set },
  ...(ring !== undefined && { ring }),
})

test('the rings of the sets that change are counted by their clusters, in the order of trust, also those without a change', () => {
  const to = stateOfFiles({ ...matrix('web', 'canary', 'europe', 'world'), ...matrix('other', 'first', 'last') })
  const from = stateOfFiles(matrix('web', 'canary', 'former', 'world'))
  expect(countRings([entry('a', 'world'), entry('b', 'canary'), entry('b', 'canary'), entry('c', 'world')], [to, from])).toEqual([
    { set: 'fleet/web', ring: 'canary', clusters: 1 },
    { set: 'fleet/web', ring: 'europe', clusters: 0 },
    { set: 'fleet/web', ring: 'world', clusters: 2 },
    { set: 'fleet/web', ring: 'former', clusters: 0 },
  ])
  expect(countRings([entry('a'), entry('b')], [to, from])).toEqual([])
  expect(countRings([entry('a', 'first', 'fleet/other')], [to]).map(({ ring }) => ring)).toEqual(['first', 'last'])
})

const groupOf = (...places: readonly PackageEntry[]): ChangeGroup => ({
  ...{ id: 'g', op: 'change', objects: [], fields: [], causes: [], dangers: [], clusters: places.length },
  places: places.map(({ cluster, folder, set, ring }) => ({ cluster, package: folder, ...(set && { set }), ...(ring && { ring }) })),
})

test('a group has the rings that it changes, a group outside of all rings none', () => {
  const rings = ['canary', 'europe', 'world'].map((ring) => ({ set: 'fleet/web', ring, clusters: 5 }))
  const [inRings, without] = withRings(
    [groupOf(entry('a', 'world'), entry('b', 'canary'), entry('c', 'world')), groupOf(entry('a'))],
    rings,
  )
  expect(inRings?.rings).toEqual([
    { set: 'fleet/web', ring: 'canary', clusters: 1 },
    { set: 'fleet/web', ring: 'world', clusters: 2 },
  ])
  expect(without !== undefined && 'rings' in without).toBe(false)
  expect(withRings([groupOf(entry('a', 'world'))], [])[0]?.rings).toBeUndefined()
})
