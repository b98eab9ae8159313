import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { matrixInFile } from './object-in-file.ts'

function found(...names: readonly string[]): string | undefined {
  const root = testFolder()
  mkdirSync(join(root, 'fleet'))
  const texts = names.map((name) => `apiVersion: krm-variants.dev/v1alpha1\nkind: PackageVariantMatrix\nmetadata:\n  name: ${name}\n`)
  writeFileSync(join(root, 'fleet/web.yaml'), texts.join('---\n'))
  return matrixInFile(root, 'web')?.object.name
}

test('the matrix of a package is the one with its name, wherever it is in the file', () => {
  expect(found('other', 'web')).toBe('web')
})

test('a matrix that people renamed is found if it is the only one', () => {
  expect(found('renamed')).toBe('renamed')
  expect(found('one', 'two')).toBeUndefined()
})
