import { expect, test } from 'vitest'
import { permissionsOf, type SourcePackage } from './source-package.ts'

const sourceOf = (modes: Readonly<Record<string, number>>): SourcePackage => ({
  place: 'catalog/shop@v1',
  files: new Map(),
  layouts: new Map(),
  modes: new Map(Object.entries(modes)),
  results: [],
  faults: [],
})

test('the permissions are those of the files of the new revision, each with the one before, if there was the file', () => {
  const found = permissionsOf(sourceOf({ 'run.sh': 0o644, 'gone.sh': 0o755 }), sourceOf({ 'run.sh': 0o755, 'new.sh': 0o700 }))
  expect([...found]).toEqual([
    ['run.sh', { base: 0o644, theirs: 0o755 }],
    ['new.sh', { base: undefined, theirs: 0o700 }],
  ])
})
