import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { readResources } from '../../folder/read-whole-package.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'
import { MergeScopes, mergeScope, only } from './merge-scope.ts'

const A = 'kind: A\napiVersion: v1\nmetadata: {name: a}\n'
const B = 'kind: B\napiVersion: v1\nmetadata: {name: b}\n'

/** Returns a revision whose files are given as texts, with the text around the objects of each. */
function revision(texts: Texts): SourcePackage {
  const layouts = Object.entries(texts).flatMap(([path, text]) => {
    const { layout } = readResources(path, Buffer.from(text))
    return layout === undefined ? [] : [[path, layout] as const]
  })
  return { place: 'p', files: packageOfTexts(texts), layouts: new Map(layouts), modes: new Map(), results: [], faults: [] }
}

/** Returns the paths that an update from one revision to another must merge. */
function merged(before: Texts, after: Texts, ...others: readonly string[]): readonly string[] {
  const { has } = mergeScope(revision(before), revision(after))
  return [...new Set([...Object.keys(before), ...Object.keys(after), ...others])].filter(has).sort()
}

test.each<[string, string | undefined, string | undefined, boolean]>([
  ['is equal in both revisions', A, A, false],
  ['has another object', A, B, true],
  ['is new', undefined, A, true],
  ['is gone', A, undefined, true],
  ['has an object more', A, `${A}---\n${B}`, true],
  ['has another comment behind the separator', `---\n${A}`, `--- # a\n${A}`, true],
  ['has another document of comments before its object', `# a\n---\n${A}`, `# b\n---\n${A}`, true],
  ['has one document of comments more', A, `# a\n---\n${A}`, true],
  ['ends without a line break', A, A.trimEnd(), true],
  ['has other line breaks', A, A.replaceAll('\n', '\r\n'), true],
])('a file that %s, as upstream changed it, is merged: %4$j', (_, before, after, isMerged) => {
  const filesOf = (text: string | undefined): Texts => ({ 'other.yaml': B, ...(text !== undefined && { 'a.yaml': text }) })
  expect(merged(filesOf(before), filesOf(after))).toEqual(isMerged ? ['a.yaml'] : [])
})

test('a file of other bytes is merged, and one of the same bytes is not', () => {
  expect(merged({ 'a.txt': 'a', 'b.txt': 'b' }, { 'a.txt': 'a', 'b.txt': 'c' })).toEqual(['b.txt'])
})

test('all files of a subpackage are merged if one of them differs, also those that only the package has', () => {
  const before = { Kptfile: A, 'db/Kptfile': A, 'db/a.yaml': A, 'db2/Kptfile': A, 'db.yaml': A, 'plain/a.yaml': A, 'plain/b.yaml': A }
  const after = { ...before, 'db/a.yaml': B, 'plain/a.yaml': B }
  expect(merged(before, after, 'db/mine.txt', 'db2/mine.txt')).toEqual(['db/Kptfile', 'db/a.yaml', 'db/mine.txt', 'plain/a.yaml'])
})

test('a subpackage of which one file of several changed is merged whole, also beside other changes', () => {
  const before = { Kptfile: A, 'a.yaml': A, 'db/Kptfile': A, 'db/a.yaml': A }
  expect(merged(before, { ...before, 'a.yaml': B, 'db/a.yaml': B })).toEqual(['a.yaml', 'db/Kptfile', 'db/a.yaml'])
})

test('a subpackage that the new revision does not have passes, one that comes or changes does not', () => {
  const before = { Kptfile: A, 'old/Kptfile': A, 'old/a.yaml': A, 'db/Kptfile': A, 'same/Kptfile': A, 'a.yaml': A }
  const { isPassing } = mergeScope(revision(before), revision({ Kptfile: A, 'db/Kptfile': B, 'new/Kptfile': A, 'same/Kptfile': A }))
  const paths = ['old/Kptfile', 'old/mine.txt', 'older/a', 'old', 'db/Kptfile', 'new/Kptfile', 'same/Kptfile', 'a.yaml']
  expect(paths.filter(isPassing)).toEqual(['old/Kptfile', 'old/mine.txt'])
})

test('a resource that upstream has in another file moved, and one that stays in its file did not', () => {
  const { moves } = mergeScope(revision({ 'a.yaml': A, 'b.yaml': B }), revision({ 'c.yaml': A, 'b.yaml': B }))
  expect(moves.map(({ from, to }) => [from, to])).toEqual([['a.yaml', 'c.yaml']])
})

test('the files with a path that passes a test are returned', () => {
  expect([...only(packageOfTexts({ a: '1', b: '2' }), (path) => path === 'b').keys()]).toEqual(['b'])
})

test('the scope of two revisions is made once, and that of the way back is another one', () => {
  const [one, two] = [revision({ 'a.yaml': A }), revision({ 'a.yaml': B })]
  const scopes = new MergeScopes()
  expect(scopes.of(one, two)).toBe(scopes.of(one, two))
  expect(scopes.of(two, one)).not.toBe(scopes.of(one, two))
  expect(scopes.of(one, one).has('a.yaml')).toBe(false)
})
