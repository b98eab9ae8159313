import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'
import { declaringItems, deployedFolders, insideTest, itemPath, outsideMade, outsideRevisions } from './revision-folders.ts'

const KINDS: Readonly<Record<string, string>> = {
  Kptfile: 'Kptfile',
  'crd.yaml': 'CustomResourceDefinition',
  'set.yaml': 'PackageVariantSet',
  'matrix.yaml': 'PackageVariantMatrix',
}

function listOf(...paths: readonly string[]): readonly KrmObject[] {
  return paths.map((path) => {
    const kind = KINDS[path.slice(path.lastIndexOf('/') + 1)] ?? 'Repository'
    const spec = { upstream: { repo: 'cat', package: 'shop' }, upstreams: [{ package: 'group/bar' }, null, 'x'] }
    return KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind, metadata: { name: 'x' }, spec }), { path, index: 0, line: 1 })
  })
}

test.each([
  { reason: 'a package of a revision is left out', paths: ['set.yaml', 'c/shop@v1/Kptfile', 'c/shop@v1/a/r.yaml'], left: ['set.yaml'] },
  { reason: 'so is one of a package with a path', paths: ['matrix.yaml', 'group/bar@main/Kptfile'], left: ['matrix.yaml'] },
  {
    reason: 'so is one that nothing asks for, in the folder of a repository that a set names',
    paths: ['set.yaml', 'fleet/cat/new@v1/Kptfile', 'fleet/cat/new@v1/r.yaml', 'fleet/cats/new@v1/Kptfile'],
    left: ['set.yaml', 'fleet/cats/new@v1/Kptfile'],
  },
  {
    reason: 'a folder with @ that is no upstream of a set stays',
    paths: ['set.yaml', 'team@eu/Kptfile', 'team@eu/r.yaml', 'bar@v1/Kptfile'],
  },
  { reason: 'so does one of a list without a set', paths: ['r.yaml', 'c/shop@v1/Kptfile', 'c/shop@v1/r.yaml'] },
  { reason: 'a folder without a Kptfile stays', paths: ['set.yaml', 'c/shop@v1/r.yaml'] },
  { reason: 'a package without a revision in its name stays', paths: ['set.yaml', 'c/shop/Kptfile', 'c/shop/r.yaml'] },
  { reason: 'a package that holds the whole list stays', paths: ['shop@v1/Kptfile', 'shop@v1/set.yaml'] },
  {
    reason: 'a package inside of one that holds the whole list is left out',
    paths: ['job@2/Kptfile', 'job@2/set.yaml', 'job@2/c/shop@v1/Kptfile', 'job@2/c/shop@v1/r.yaml'],
    left: ['job@2/Kptfile', 'job@2/set.yaml'],
  },
  {
    reason: 'a definition of a kind stays',
    paths: ['set.yaml', 'shop@1/Kptfile', 'shop@1/crd.yaml'],
    left: ['set.yaml', 'shop@1/crd.yaml'],
  },
  { reason: 'a name that begins or ends with @ has no revision', paths: ['set.yaml', 'shop@/Kptfile', '@shop/Kptfile'] },
])('$reason', ({ paths, left = paths }) => {
  expect(outsideRevisions(listOf(...paths)).map(({ file }) => file?.path)).toEqual(left)
})

/** Returns the items, whose Kptfiles name a variant that their packages were made for. */
function madeFor(items: readonly KrmObject[]): readonly KrmObject[] {
  for (const item of items)
    if (item.kind === 'Kptfile') item.set(['metadata', 'annotations', 'krm-variants.dev/package-variant'], 'default/x')
  return items
}

test.each([
  {
    reason: 'what is in a package that was made for a variant declares nothing',
    paths: ['set.yaml', 'made/Kptfile', 'made/sub/set.yaml'],
    left: ['set.yaml'],
  },
  { reason: 'packages without a set beside them are read as any folder', paths: ['r.yaml', 'made/Kptfile', 'made/set.yaml'] },
  { reason: 'a fleet in a package that was made for a variant is a fleet', paths: ['made/Kptfile', 'made/set.yaml', 'made/r.yaml'] },
])('$reason', ({ paths, left = paths }) => {
  expect(declaringItems(madeFor(listOf(...paths))).map(({ file }) => file?.path)).toEqual(left)
})

test('packages of variants and revisions are deployed whole, and no fleet in a folder that is named for a revision', () => {
  const made = madeFor(listOf('made/Kptfile', 'made/r.yaml'))
  const others = listOf(
    'c/shop@v1/Kptfile',
    'c/shop@v1/sub/Kptfile',
    'job@2/Kptfile',
    'job@2/fleet/set.yaml',
    'job@2/c/shop@v2/Kptfile',
    'p/Kptfile',
  )
  expect([...deployedFolders([...made, ...others])].sort()).toEqual(['c/shop@v1', 'job@2/c/shop@v2', 'made'])
  expect([...deployedFolders(made)]).toEqual(['made'])
})

test('only a Kptfile that names a variant makes a folder one of a variant', () => {
  const paths = ['set.yaml', 'made/Kptfile', 'made/r.yaml', 'other/r.yaml']
  const pathsOf = (items: readonly KrmObject[]) => items.map(itemPath)
  expect(pathsOf(outsideMade(madeFor(listOf(...paths))))).toEqual(['set.yaml', 'other/r.yaml'])
  expect(pathsOf(outsideMade(listOf(...paths)))).toEqual(paths)
  const items = listOf(...paths)
  items.at(3)?.set(['metadata', 'annotations', 'krm-variants.dev/package-variant'], 'default/x')
  expect(pathsOf(outsideMade(items))).toEqual(paths)
})

test.each([
  ['a/b/c.yaml', ['a/b'], true],
  ['a/b/c.yaml', ['a'], true],
  ['a/b/c.yaml', ['b', 'a/b/c'], false],
  ['a/b', ['a/b'], false],
  ['ab/c.yaml', ['a'], false],
  ['c.yaml', [''], false],
  ['a/b/c.yaml', [], false],
])('%s is below one of the folders %j: %s', (path, folders, expected) => {
  expect(insideTest(new Set(folders))(path)).toBe(expected)
})

test('an item without a file has no path and is in no folder', () => {
  expect(itemPath(KrmObject.fromDocument('kind: A\n'))).toBe('')
  const made = madeFor(listOf('set.yaml', 'made/Kptfile', 'made/r.yaml'))
  const loose = KrmObject.fromDocument('kind: A\n')
  expect(outsideMade([...made, loose])).toContain(loose)
})
