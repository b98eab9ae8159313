import { expect, test } from 'vitest'
import { KrmObject } from './krm-object.ts'
import { outsideRevisions } from './revision-folders.ts'

function listOf(...paths: readonly string[]): readonly KrmObject[] {
  return paths.map((path) => {
    const kind = path.endsWith('Kptfile') ? 'Kptfile' : path.endsWith('crd.yaml') ? 'CustomResourceDefinition' : 'Repository'
    return KrmObject.fromDocument(JSON.stringify({ apiVersion: 'v1', kind, metadata: { name: 'x' } }), { path, index: 0, line: 1 })
  })
}

test.each([
  { reason: 'a package of a revision is left out', paths: ['set.yaml', 'c/shop@v1/Kptfile', 'c/shop@v1/a/r.yaml'], left: ['set.yaml'] },
  { reason: 'a folder without a Kptfile stays', paths: ['set.yaml', 'c/shop@v1/r.yaml'] },
  { reason: 'a package without a revision in its name stays', paths: ['set.yaml', 'c/shop/Kptfile', 'c/shop/r.yaml'] },
  { reason: 'a package that holds the whole list stays', paths: ['shop@v1/Kptfile', 'shop@v1/set.yaml'] },
  {
    reason: 'a package inside of one that holds the whole list is left out',
    paths: ['job@2/Kptfile', 'job@2/set.yaml', 'job@2/c/shop@v1/Kptfile', 'job@2/c/shop@v1/r.yaml'],
    left: ['job@2/Kptfile', 'job@2/set.yaml'],
  },
  { reason: 'a definition of a kind stays', paths: ['r.yaml', 'x@1/Kptfile', 'x@1/crd.yaml'], left: ['r.yaml', 'x@1/crd.yaml'] },
  { reason: 'a name that begins or ends with @ has no revision', paths: ['r.yaml', 'x@/Kptfile', '@x/Kptfile'] },
])('$reason', ({ paths, left = paths }) => {
  expect(outsideRevisions(listOf(...paths)).map(({ file }) => file?.path)).toEqual(left)
})
