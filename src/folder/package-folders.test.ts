import { expect, test } from 'vitest'
import { folderTree } from './file-tree.ts'
import { isInChart, PackageFolders } from './package-folders.ts'

const PATHS = [
  'top.yaml',
  'shop/Kptfile',
  'shop/a.yaml',
  'shop/deep/er/b.yaml',
  'shop/chart/Chart.yaml',
  'shop/chart/templates/c.yaml',
  'shop/chart/pkg/Kptfile',
  'shop/chart/pkg/d.yaml',
  'plain/chart/Chart.yaml',
  'plain/chart/e.yaml',
  'folder/Kptfile/f.yaml',
]

const treeOf = (...paths: readonly string[]) => folderTree(paths, () => new Uint8Array())

test('a file is in a package if its folder or one above, but the top, has a Kptfile', () => {
  const folders = new PackageFolders(treeOf(...PATHS, 'Kptfile'))
  expect(PATHS.filter((path) => folders.hold(path))).toEqual(PATHS.filter((path) => path.startsWith('shop/')))
  expect(folders.hold('shop/deep/er/b.yaml')).toBe(true)
  expect(folders.hold('plain/deep/er/b.yaml')).toBe(false)
})

test('a file is in a chart if a folder between it and its package, both included, has a Chart.yaml', () => {
  const has = (path: string) => PATHS.includes(path)
  expect(PATHS.filter((path) => isInChart(path, has))).toEqual([
    'shop/chart/Chart.yaml',
    'shop/chart/templates/c.yaml',
    'plain/chart/Chart.yaml',
    'plain/chart/e.yaml',
  ])
  expect(isInChart('a.yaml', (path) => path === 'Chart.yaml')).toBe(true)
  expect(isInChart('a/b/c.yaml', (path) => path === 'Chart.yaml')).toBe(true)
  expect(isInChart('a/c.yaml', (path) => path === 'Chart.yaml' || path === 'a/Kptfile')).toBe(false)
})

test('a chart outside of packages is none of a package, unless the top is a package', () => {
  const ofCharts = (...more: readonly string[]) => {
    const folders = new PackageFolders(treeOf(...PATHS, ...more))
    return PATHS.filter((path) => folders.holdChartOf(path))
  }
  expect(ofCharts()).toEqual(['shop/chart/Chart.yaml', 'shop/chart/templates/c.yaml'])
  expect(ofCharts('Kptfile')).toEqual(PATHS.filter((path) => path.includes('/chart/') && !path.includes('/pkg/')))
})

test('each folder is listed once', () => {
  const tree = treeOf(...PATHS)
  const listed: string[] = []
  const folders = new PackageFolders({
    ...tree,
    list: (folder) => {
      listed.push(folder)
      return tree.list(folder)
    },
  })
  for (const path of [...PATHS, ...PATHS]) folders.holdChartOf(path)
  expect(listed.length).toBe(new Set(listed).size)
})
