import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import type { CheckoutGap } from './checkout-gaps.ts'
import { gapFinding, gapFindings } from './gap-findings.ts'

const sparse = (path: string): CheckoutGap => ({ path, reason: 'sparse', id: 'x' })
const submodule = (path: string): CheckoutGap => ({ path, reason: 'submodule', id: 'x' })

/** Returns the findings of a folder, each with its file. */
function found(
  files: Readonly<Record<string, string>>,
  gaps: readonly CheckoutGap[],
  isSkipped: (folder: string, kptfile?: CheckoutGap) => boolean = () => false,
): readonly string[] {
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  return gapFindings(tree, gaps, { name: (path) => `fleet/${path}`, isSkipped }).map(({ file, message }) => `${file?.path}: ${message}`)
}

test('a file that the checkout leaves out is an error, if it may hold resources', () => {
  expect(found({}, [])).toEqual([])
  expect(found({ 'a.yaml': '' }, [sparse('b.yaml')])).toEqual([
    expect.stringContaining('fleet/b.yaml: is not read: git has it, and the sparse'),
  ])
  expect(found({ 'a.yaml': '' }, [sparse('b.md')])).toEqual([])
  expect(found({ 'a.yaml': '' }, [sparse('far/away/b.yaml')])).toEqual([expect.stringContaining('fleet/far/away/b.yaml: ')])
})

test('files that are left out for one reason are one error, and those of a submodule another', () => {
  const gaps = [sparse('a.yaml'), submodule('mod'), sparse('b.yaml'), sparse('c.yaml')]
  expect(found({}, gaps)).toEqual([
    expect.stringContaining("fleet/a.yaml: is not read, nor are 2 other files ('fleet/b.yaml', 'fleet/c.yaml'): git has it"),
    expect.stringContaining('fleet/mod: is not read: its submodule is not checked out'),
  ])
})

test('what .krmignore names is not missed', () => {
  expect(found({ '.krmignore': 'b.yaml\nmod\n' }, [sparse('b.yaml'), submodule('mod')])).toEqual([])
  expect(found({ '.krmignore': 'b.yaml\n', 'a.yaml': '', 'sub/c.yaml': '' }, [sparse('b.yaml')])).toEqual([])
  expect(found({ 'sub/.krmignore': 'b.yaml\n', 'sub/a.yaml': '' }, [sparse('sub/b.yaml'), sparse('b.yaml')])).toHaveLength(1)
})

test('a file of a package that is not asked for is not missed, nor one below it', () => {
  const files = { 'pkg/Kptfile': '', 'other/Kptfile': '' }
  const skips = (folder: string) => folder === 'pkg'
  expect(found(files, [sparse('pkg/a.yaml'), sparse('pkg/deep/a.yaml')], skips)).toEqual([])
  expect(found(files, [sparse('other/a.yaml')], skips)).toHaveLength(1)
  // A folder without a Kptfile is no package.
  expect(found({}, [sparse('pkg/a.yaml')], skips)).toHaveLength(1)
})

test('a package whose Kptfile is left out, too, is asked about with it', () => {
  const asked: (string | undefined)[] = []
  const gaps = [sparse('pkg/Kptfile'), sparse('pkg/a.yaml')]
  const skips = (_: string, kptfile?: CheckoutGap) => {
    asked.push(kptfile?.path)
    return true
  }
  expect(found({ 'a.yaml': '' }, gaps, skips)).toEqual([])
  expect(asked).toEqual(['pkg/Kptfile'])
})

test('no gaps are no finding', () => {
  expect(gapFinding([], (path) => path)).toEqual([])
})

test('of many files three are named after the first', () => {
  const [message = ''] = found(
    {},
    ['a', 'b', 'c', 'd', 'e'].map((name) => sparse(`${name}.yaml`)),
  )
  expect(message).toContain("is not read, nor are 4 other files ('fleet/b.yaml', 'fleet/c.yaml', 'fleet/d.yaml' and 1 more): ")
  expect(found({}, [sparse('a.yaml'), sparse('b.yaml')])[0]).toContain("is not read, nor is 1 other file ('fleet/b.yaml'): ")
})

test('whether a package is asked for is asked once, with its Kptfile if the checkout leaves that out', () => {
  const asked: (readonly [string, string | undefined])[] = []
  const isSkipped = (folder: string, kptfile?: CheckoutGap) => {
    asked.push([folder, kptfile?.path])
    return kptfile !== undefined
  }
  const gaps = ['one/Kptfile', 'one/a.yaml', 'one/deep/b.yaml', 'two/c.yaml', 'two/d.yaml'].map(sparse)
  expect(found({ 'two/Kptfile': '' }, gaps, isSkipped)).toEqual([expect.stringContaining('fleet/two/c.yaml: is not read, ')])
  expect(asked).toEqual([
    ['one', 'one/Kptfile'],
    ['two', undefined],
  ])
})

test('a package at the top is asked for, whatever is skipped', () => {
  expect(found({ Kptfile: '' }, [sparse('a.yaml')], () => true)).toHaveLength(1)
})

test('the error is of its file, and no files have none', () => {
  expect(gapFinding([], (path) => path)).toEqual([])
  expect(gapFinding([sparse('a.yaml')], (path) => path)).toMatchObject([
    { severity: 'error', file: { path: 'a.yaml', index: 0 }, tags: { rule: 'not-checked-out' } },
  ])
})
