import { expect, test } from 'vitest'
import { newFolderFault } from './new-folder.ts'

test.each(['', '.', './', '..', '../', '../fleet', '../../fleet/', './fleet', '/srv/fleet', 'a/../b', 'my fleet/of shops', 'app@v1-fleet'])(
  '%j is a folder for a fleet',
  (path) => {
    expect(newFolderFault(path)).toBeUndefined()
  },
)

test.each([
  ['.git/fleet', "must not have the part '.git'"],
  ['a/../.GIT', "must not have the part '.git'"],
  ['../.git', "must not have the part '.git'"],
  ['git~1/x', "must not have the part '.git'"],
  ['node_modules/fleet', "must not have the part 'node_modules', a folder in which no package is looked for"],
  ['/srv/node_modules', "must not have the part 'node_modules'"],
  ['a\\b', 'must not contain a backslash'],
  ['a\nb/c', 'must not contain a control character'],
  ['a/.../b', "must not have a part of dots or blanks alone, has '...'"],
  [' /b', "must not have a part of dots or blanks alone, has ' '"],
  [`${'a'.repeat(256)}/b`, 'must not have a part of more than 255 bytes'],
])('%j is no folder for a fleet', (path, fault) => {
  expect(newFolderFault(path)).toContain(fault)
})
