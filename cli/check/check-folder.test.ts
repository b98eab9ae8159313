import { expect, test } from 'vitest'
import { isBelow } from './check-folder.ts'

test('the folders of upstream packages are those of variants with their subpackages, and those that are named as revisions', () => {
  const isUpstream = isBelow(new Map([['catalog/web', []]]))
  for (const folder of ['catalog/web', 'catalog/web/db', 'catalog/web/db/deep', 'base@v1', 'other/base@v1/db'])
    expect(isUpstream(folder), folder).toBe(true)
  for (const folder of ['', 'catalog', 'catalog/web-2', 'web', 'clusters/catalog/web']) expect(isUpstream(folder), folder).toBe(false)
})
