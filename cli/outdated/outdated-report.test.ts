import { expect, test } from 'vitest'
import type { Result } from '../../src/result.ts'
import { stylesFor } from '../print/styles.ts'
import { outdatedJson, outdatedText } from './outdated-report.ts'
import type { OutdatedView } from './outdated-view.ts'

const PLAIN = stylesFor({ environment: {}, isTerminal: false }, {})
const finding = (message: string, rule: Result['tags']['rule'] = 'required', severity: Result['severity'] = 'error'): Result => ({
  severity,
  message,
  tags: { rule },
})

type Outdated = OutdatedView['outdated'][number]
const APP: Outdated = { set: 's', namespace: 'n', upstream: 'catalog/app', from: '1', to: '2', variants: 1, clusters: 1, held: [] }
const NONE: OutdatedView = { current: 0, behind: 0, unknown: 0, following: 0, outdated: [], results: [] }
const text = (view: Partial<OutdatedView>) => outdatedText({ ...NONE, ...view }, PLAIN)
const linesOf = (more: Partial<Outdated>) =>
  text({ behind: 1, outdated: [{ ...APP, ...more }] })
    .trimEnd()
    .split('\n')
    .slice(2)

test.each<[Partial<OutdatedView>, string]>([
  [{}, '0 of 0 upstreams outdated\n'],
  [{ current: 1 }, '0 of 1 upstream outdated\n'],
  [{ current: 1, following: 1 }, '0 of 2 upstreams outdated; 1 follows the package of another variant\n'],
  [{ following: 2, unknown: 3, current: 4 }, '0 of 9 upstreams outdated; 2 follow the package of another variant; 3 more with a warning\n'],
  [
    { results: [finding('a', 'subpackage-behind', 'warning'), finding('b', 'required', 'warning')] },
    '0 of 0 upstreams outdated; 1 subpackage outdated\n',
  ],
])('the first line counts the upstreams of %j', (view, line) => {
  expect(text(view)).toBe(line)
})

test.each<[Partial<Outdated>, string]>([
  [{}, 'n/s: catalog/app 1 → 2, 1 cluster'],
  [{ ring: 'canary', clusters: 3 }, 'n/s: catalog/app 1 → 2, ring canary, 3 clusters'],
  [{ followers: 1 }, 'n/s: catalog/app 1 → 2, 1 cluster, and 1 package that follows'],
  [{ followers: 2 }, 'n/s: catalog/app 1 → 2, 1 cluster, and 2 packages that follow'],
  [{ place: 'a.yaml:3' }, 'n/s: catalog/app 1 → 2, 1 cluster  a.yaml:3'],
])('the upstream with %j is one line', (more, line) => {
  expect(linesOf(more)).toEqual([line])
})

test('what holds a revision back is named, but for the ring before, which has a line of its own', () => {
  const held = [finding('waits', 'ring-skipped', 'warning'), finding('of ring', 'revision-of-ring', 'warning')]
  expect(linesOf({ held }).slice(1)).toEqual(['  held: warning: waits [ring-skipped]'])
})

const UPDATE = { clean: 0, created: 0, losing: [], passedOver: [], failing: [] }

test('the update of packages is counted by what becomes of them, and each finding is printed once', () => {
  expect(linesOf({ update: UPDATE }).slice(1)).toEqual(['  the update: no package'])
  const [lost, failed] = [finding('lost', 'edit-lost', 'warning'), finding('failed')]
  const passed = finding('passed', 'change-passed-over', 'warning')
  const update = {
    clean: 2,
    created: 1,
    losing: [{ folder: 'a/app', results: [lost] }],
    passedOver: [{ folder: 'c/app', results: [passed] }],
    failing: [{ folder: 'b/app', results: [failed] }],
  }
  expect(linesOf({ update })[1]).toBe(
    '  the update: 2 packages clean, 1 package to create, 1 package with edits that lose, 1 package with changes passed over, 1 package failing',
  )
  expect(
    linesOf({ update })
      .slice(2)
      .map((line) => line.trim()),
  ).toEqual(['error: failed [required]', 'warning: lost [edit-lost]', 'warning: passed [change-passed-over]'])
})

test('six findings of an update are printed, and the number of the others', () => {
  const failing = (count: number) => [{ folder: 'a/app', results: Array.from({ length: count }, (_, i) => finding(`failed ${i}`)) }]
  expect(linesOf({ update: { ...UPDATE, failing: failing(6) } })).toHaveLength(2 + 6)
  const lines = linesOf({ update: { ...UPDATE, failing: failing(8) } })
  expect([lines.length, lines.at(-1)]).toEqual([2 + 6 + 1, '    and 2 more findings'])
})

test('for programs an upstream has what holds the revision back, and what the update does, only where that is known', () => {
  const shown = (more: Partial<Outdated>) => JSON.parse(outdatedJson({ ...NONE, outdated: [{ ...APP, ...more }] })).outdated[0]
  const { held: _, ...plain } = APP
  expect(shown({})).toEqual(plain)
  const waits = finding('waits', 'ring-skipped', 'warning')
  expect(shown({ held: [waits] }).held).toEqual([waits])
  const [losing, passedOver] = [[{ folder: 'a/app', results: [waits] }], [{ folder: 'b/app', results: [waits] }]]
  expect(shown({ update: { ...UPDATE, clean: 1, losing, passedOver } }).update).toEqual({
    clean: 1,
    created: 0,
    losing,
    passedOver,
    failing: [],
  })
})
