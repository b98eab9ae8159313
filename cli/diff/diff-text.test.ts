import { expect, test } from 'vitest'
import type { ChangeGroup } from '../../src/diff/report.ts'
import type { PackageFiles } from '../../src/merge/package-files.ts'
import { stylesFor } from '../print/styles.ts'
import { causeText, groupText, imagesText, unifiedDiff } from './diff-text.ts'

const PLAIN = stylesFor({ environment: {}, isTerminal: false }, {})

test('images are listed with the number of their clusters', () => {
  expect(imagesText({ images: [] })).toBe('no image changes\n')
  const images = [
    { before: 'r/a:1', after: 'r/a:2', clusters: 12 },
    { before: 'r/b:1', after: 'r/c:1', clusters: 1 },
  ]
  expect(imagesText({ images })).toBe('12 clusters  r/a: 1 → 2\n1 cluster  r/b:1 → r/c:1\n')
})

const filesOf = (files: Readonly<Record<string, string | Uint8Array>>): PackageFiles =>
  new Map(Object.entries(files).map(([path, content]) => [path, typeof content === 'string' ? Buffer.from(content) : content]))
const unified = (before: Parameters<typeof filesOf>[0], after: Parameters<typeof filesOf>[0]) =>
  unifiedDiff('edge/web', filesOf(before), filesOf(after))

test('the files of a package that differ are printed as git prints them, sorted by path', () => {
  expect(unified({ 'z.yaml': 'a\n', same: 'x\n', gone: 'g\n' }, { 'z.yaml': 'b\n', same: 'x\n', 'new.md': 'n\n' })).toBe(
    [
      '--- a/edge/web/gone\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-g\n',
      '--- /dev/null\n+++ b/edge/web/new.md\n@@ -0,0 +1,1 @@\n+n\n',
      '--- a/edge/web/z.yaml\n+++ b/edge/web/z.yaml\n@@ -1,1 +1,1 @@\n-a\n+b\n',
    ].join(''),
  )
})

test('an empty file that comes or goes is named, and one that stays is not', () => {
  expect(unified({}, { a: '' })).toBe('--- /dev/null\n+++ b/edge/web/a\n')
  expect(unified({ a: '' }, {})).toBe('--- a/edge/web/a\n+++ /dev/null\n')
  expect(unified({ a: '' }, { a: '' })).toBe('')
})

test('of binary files only their names are printed', () => {
  expect(unified({ a: Uint8Array.of(0) }, { a: Uint8Array.of(0, 1) })).toBe('Binary files a/edge/web/a and b/edge/web/a differ\n')
  expect(unified({}, { a: Uint8Array.of(0) })).toBe('Binary files /dev/null and b/edge/web/a differ\n')
})

const GROUP: ChangeGroup = {
  id: '1',
  op: 'change',
  objects: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'n' }],
  fields: [{ path: 'data.x', steps: ['data', 'x'], before: 'one', after: 'two' }],
  causes: [],
  dangers: [],
  clusters: 1,
  places: [{ cluster: 'c', package: 'c/web' }],
}
const linesOf = (more: Partial<ChangeGroup>) =>
  groupText({ ...GROUP, ...more }, PLAIN)
    .trimEnd()
    .split('\n')

test('a group with one field is one line and the clusters, with more fields each has a line of its own', () => {
  expect(linesOf({})[0]).toBe('1 cluster  ConfigMap n/a  data.x: one → two')
  const more = linesOf({ fields: [...GROUP.fields, { path: 'data.y', steps: ['data', 'y'], after: 'new' }] })
  expect(more[0]).toBe('1 cluster  ConfigMap n/a')
  expect(more).toContain('    data.x: one → two')
})

test('a danger is marked in the first line of its group and explained below, a notice is only explained', () => {
  const danger = { rule: 'guard-removed', text: 'what the guard kept out is let in', path: 'spec.x' }
  const dangerous = linesOf({ dangers: [danger] })
  expect(dangerous[0]).toMatch(/^1 cluster {2}! ConfigMap n\/a/)
  expect(dangerous.at(-1)).toBe('    ! spec.x: what the guard kept out is let in [guard-removed]')
  const judged = linesOf({ dangers: [{ rule: 'other-hosts', severity: 'notice', text: 'a host is gone' }] })
  expect(judged[0]).toMatch(/^1 cluster {2}ConfigMap n\/a/)
  expect(judged.at(-1)).toBe('    note: a host is gone [other-hosts]')
})

test('the text about the deployer stands before the dangers', () => {
  const removal = { by: 'Flux', isPruned: true, text: 'Flux deletes it' } as const
  const lines = linesOf({ op: 'delete', fields: [], removal, dangers: [{ rule: 'guard-removed', text: 't' }] })
  expect(lines.slice(-2)).toEqual(['    Flux deletes it', '    ! t [guard-removed]'])
})

test('a cause is one line with its place, and what explains the cause is below', () => {
  expect(causeText({ kind: 'set', text: 'catalog/web 1 → 2' }, PLAIN)).toBe('    because catalog/web 1 → 2\n')
  const details = [{ text: 'a changed', file: 'b.yaml', line: 3 }]
  expect(causeText({ kind: 'set', text: 'catalog/web 1 → 2', file: 'a.yaml', line: 4, details }, PLAIN)).toBe(
    '    because catalog/web 1 → 2  a.yaml:4\n        a changed  b.yaml:3\n',
  )
})
