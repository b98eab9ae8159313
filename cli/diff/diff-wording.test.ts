import { expect, test } from 'vitest'
import type { ChangedField, ChangeGroup, DiffCounts, DiffReport, PackageEntry } from '../../src/diff/report.ts'
import type { JsonValue } from '../../src/json.ts'
import {
  belowCause,
  describeOthers,
  fateOfObjects,
  nameClusters,
  nameObjects,
  placeOfCause,
  shownField,
  shownFields,
  shownImage,
  summarizeDiff,
  summarizeRings,
} from './diff-wording.ts'

const COUNTS: DiffCounts = { packages: 240, changed: 12, local: 0, clusters: 11, groups: 3 }
const entry = (folder: string, fate: PackageEntry['fate'], groups: readonly string[] = []): PackageEntry => ({
  folder,
  cluster: 'c',
  fate,
  groups,
})
const summary = (counts: Partial<DiffCounts>, packages: DiffReport['packages'] = [entry('a/b', 'changed')]) =>
  summarizeDiff({ counts: { ...COUNTS, ...counts }, packages })

test.each<[Partial<DiffCounts>, string]>([
  [{}, '12 of 240 packages change on 11 clusters, in 3 ways'],
  [{ changed: 1, packages: 1, clusters: 1, groups: 1 }, '1 of 1 package changes on 1 cluster, in 1 way'],
  [{ changed: 0 }, 'no object of a cluster changes'],
  [{ changed: 0, local: 1 }, 'no object of a cluster changes; 1 other package differs in nothing that a cluster gets'],
  [{ changed: 1, local: 2 }, '1 of 240 packages changes on 11 clusters, in 3 ways; 2 other packages differ in nothing that a cluster gets'],
  [{ failed: 1 }, '12 of 240 packages change on 11 clusters, in 3 ways; 1 package cannot be rendered, and is not compared'],
  [
    { changed: 0, local: 1, failed: 2 },
    'no object of a cluster changes; 1 other package differs in nothing that a cluster gets; 2 packages cannot be rendered, and are not compared',
  ],
])('the first line counts the packages of %j', (counts, line) => {
  expect(summary(counts)).toBe(line)
})

test('the first line says if packages without a change could be rendered', () => {
  expect(summary({}, [])).toBe('no package changes')
  expect(summary({ failed: 3 }, [])).toBe('no package that can be rendered changes; 3 packages cannot be rendered, and are not compared')
})

const named = (...names: readonly string[]) => names.map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'n' }))

test('one object has its name alone, more are counted, and five are named', () => {
  expect(nameObjects({ objects: named('a') })).toBe('ConfigMap n/a')
  expect(nameObjects({ objects: named('a', 'b') })).toBe('2 objects: ConfigMap n/a, ConfigMap n/b')
  const six = nameObjects({ objects: named('a', 'b', 'c', 'd', 'e', 'f') })
  expect(six).toMatch(/^6 objects: ConfigMap n\/a, .*, ConfigMap n\/e and 1 more$/)
})

test.each([
  ['r/tills:1.0', 'r/tills:1.1', 'r/tills: 1.0 → 1.1'],
  ['r/tills:1.0', 'r/tills', 'r/tills: 1.0 → no tag'],
  ['r/tills:1.0', 'other/tills:1.0', 'r/tills:1.0 → other/tills:1.0'],
  [`r/tills:1.0@sha256:${'a'.repeat(64)}`, 'r/tills:1.1', `r/tills: 1.0@sha256:${'a'.repeat(64)} → 1.1`],
])('the image %s that becomes %s is shown as what differs', (before, after, text) => {
  expect(shownImage({ before, after, clusters: 1 })).toBe(text)
})

test('the fate of objects agrees with their number, and a renamed object has its earlier name', () => {
  const [one, two] = [named('a'), named('a', 'b')]
  expect(fateOfObjects({ op: 'create', objects: one })).toBe('is created')
  expect(fateOfObjects({ op: 'create', objects: two })).toBe('are created')
  expect(fateOfObjects({ op: 'delete', objects: one })).toBe('is deleted')
  expect(fateOfObjects({ op: 'change', objects: one })).toBe('')
  const [was] = named('old')
  expect(fateOfObjects({ op: 'rename', objects: one.map((object) => ({ ...object, ...(was && { was }) })) })).toBe('was ConfigMap n/old')
  expect(fateOfObjects({ op: 'change', objects: one.map((object) => ({ ...object, ...(was && { was }) })) })).toBe('')
})

type Places = Pick<ChangeGroup, 'places' | 'rings'>
const place = (cluster: string, ring?: string, set = 'fleet/a') => ({
  cluster,
  package: `${cluster}/p`,
  set,
  ...(ring !== undefined && { ring }),
})
const ring = (name: string, set = 'fleet/a') => ({ set, ring: name, clusters: 1 })

test.each<[string, Places, readonly string[]]>([
  ['without rings, in one line, each cluster once', { places: [place('x'), place('y'), place('x')] }, ['x, y']],
  [
    'with a line for each ring, in the order of trust',
    { places: [place('x', 'world'), place('y', 'canary')], rings: [ring('canary'), ring('world')] },
    ['canary: y', 'world: x'],
  ],
  [
    'with the clusters of no ring last',
    { places: [place('x'), place('y', 'canary')], rings: [ring('canary')] },
    ['canary: y', 'in no ring: x'],
  ],
  [
    'with the set where rings of several sets have one name',
    { places: [place('x', 'canary'), place('y', 'canary', 'fleet/b')], rings: [ring('canary'), ring('canary', 'fleet/b')] },
    ['fleet/a canary: x', 'fleet/b canary: y'],
  ],
])('clusters are named %s', (_, places, lines) => {
  expect(nameClusters(places)).toEqual(lines)
})

test('each matrix has a line that counts the clusters of its rings', () => {
  const rings = [
    { set: 'fleet/a', ring: 'canary', clusters: 2 },
    { set: 'fleet/b', ring: 'one', clusters: 1 },
    { set: 'fleet/a', ring: 'world', clusters: 0 },
  ]
  expect(summarizeRings({ rings })).toEqual(['Rings of fleet/a: canary 2 clusters, world none', 'Rings of fleet/b: one 1 cluster'])
  expect(summarizeRings({})).toEqual([])
})

const field = (before: JsonValue | undefined, after: JsonValue | undefined, more: Partial<ChangedField> = {}): ChangedField => ({
  path: 'spec.x',
  steps: ['spec', 'x'],
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
  ...more,
})

test.each<[string, ChangedField, string]>([
  ['a changed value', field('a', 'b'), 'spec.x: a → b'],
  ['a value that becomes null', field('a', null), 'spec.x: a → null'],
  ['a new field', field(undefined, 3), '+ spec.x: 3'],
  ['a field that goes', field(3, undefined), '- spec.x: 3'],
  ['the order of entries', field('a', 'b', { isOrder: true }), 'spec.x: the entries have another order'],
  ['comments', field('a', 'b', { isComment: true }), 'comments'],
  ['the entries that a list loses and gets', field(['--old', '--kept'], ['--kept', '--new']), 'spec.x: - "--old", + "--new"'],
  ['entries at the end that stay', field(['old', 'kept'], ['kept', 'kept']), 'spec.x: - old, + kept'],
  ['an entry that a list has once more', field(['a'], ['a', 'a']), 'spec.x: + a'],
  ['a list in another order', field(['a', 'b'], ['b', 'a']), 'spec.x: ["a","b"] → ["b","a"]'],
  ['a list that becomes a text', field(['a'], 'a'), 'spec.x: ["a"] → a'],
])('%s is shown', (_, changed, text) => {
  expect(shownField(changed)).toBe(text)
})

test('ten entries of a list are shown one by one, and eleven as whole lists', () => {
  const entries = (count: number) => Array.from({ length: count }, (_, at) => at)
  expect(shownField(field([], entries(10)))).toBe('spec.x: + 0, + 1, + 2, + 3, + 4, + 5, + 6, + 7, + 8, + 9')
  expect(shownField(field([], entries(11)))).toBe('spec.x: [] → [0,1,2,3,4,5,6,7,8,9,10]')
})

test('the name and namespace of a renamed object are no fields of their own', () => {
  const fields = ['metadata.name', 'metadata.namespace', 'metadata.labels'].map((path) => field('a', 'b', { path }))
  expect(shownFields({ op: 'rename', fields }).map(({ path }) => path)).toEqual(['metadata.labels'])
  expect(shownFields({ op: 'change', fields })).toEqual(fields)
})

test('a cause has its file, and its line where it is known', () => {
  expect(placeOfCause({ file: 'a.yaml', line: 3 })).toBe('a.yaml:3')
  expect(placeOfCause({ file: 'a.yaml' })).toBe('a.yaml')
  expect(placeOfCause({ line: 3 })).toBeUndefined()
})

test('below a cause are its details before its inputs, five at most', () => {
  const [detail, input] = [{ text: 'd', file: 'u.yaml', line: 1 }, { text: 'i' }]
  expect(belowCause({ kind: 'set', text: 't', details: [detail], inputs: [input] })).toEqual([
    { text: 'd', place: 'u.yaml:1' },
    { text: 'i', place: undefined },
  ])
  expect(belowCause({ kind: 'set', text: 't', inputs: Array.from({ length: 6 }, () => input) })).toHaveLength(5)
  expect(belowCause({ kind: 'set', text: 't' })).toEqual([])
})

test('packages whose objects do not change have a sentence for each reason', () => {
  expect(
    describeOthers({
      packages: [
        entry('c/local', 'local'),
        entry('c/left', 'left'),
        entry('c/left-2', 'left'),
        entry('c/removed', 'left', ['g']),
        entry('c/x', 'changed'),
      ],
      ignored: [{ reason: 'of no interest', changes: 1, clusters: 2 }],
      notFollowed: [
        { upstream: 'catalog/a v1', packages: 1 },
        { upstream: 'catalog/b v1', packages: 2 },
      ],
    }),
  ).toEqual([
    '1 change on 2 clusters ignored by the fleet: of no interest',
    'catalog/a v1 has other content, and 1 package does not follow: render takes another revision only',
    'catalog/b v1 has other content, and 2 packages do not follow: render takes another revision only',
    '1 package differs only in what no cluster gets (Kptfile, local configuration, other files): c/local',
    '2 packages stay without a variant (deletionPolicy orphan): c/left, c/left-2',
  ])
  expect(describeOthers({ packages: [entry('c/x', 'changed')] })).toEqual([])
  expect(describeOthers({ packages: [entry('c/a', 'local'), entry('c/b', 'local'), entry('c/left', 'left')] })).toEqual([
    '2 packages differ only in what no cluster gets (Kptfile, local configuration, other files): c/a, c/b',
    '1 package stays without a variant (deletionPolicy orphan): c/left',
  ])
})
