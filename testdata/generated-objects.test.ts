import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readCrds } from '../e2e/hosts/crd.ts'
import { findGoldenFolders } from './golden-folders.ts'
import { SHARED_MUST_BE_THERE } from './shared-folder.ts'

// The CRDs of the three systems, read where they lie, beside the repository.
const CRDS = fileURLToPath(new URL('../../shared/real/crds', import.meta.url))
const there = existsSync(CRDS)
const faultsOf = there ? readCrds(CRDS) : () => []

test('the CRDs are there, on a machine that must have them', () => {
  expect(there || !SHARED_MUST_BE_THERE).toBe(true)
})

interface Item {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Readonly<Record<string, string>> }
}

function itemsOf(folder: string, file: string): readonly Item[] {
  return parse(readFileSync(join(folder, file), 'utf8')).items ?? []
}

function keyOf({ apiVersion, kind, metadata }: Item): string {
  return `${apiVersion} ${kind} ${metadata.namespace ?? ''} ${metadata.name}`
}

/** The objects that a golden case adds. */
function addedIn(folder: string): readonly Item[] {
  const before = new Set(itemsOf(folder, 'input.yaml').map(keyOf))
  return itemsOf(folder, 'expected.yaml').filter((item) => !before.has(keyOf(item)))
}

const CASES = findGoldenFolders()
  .filter(({ functionName }) => functionName === 'resolve-dependencies')
  .map(({ caseName, folder }) => ({ caseName, added: addedIn(folder) }))
  .filter(({ added }) => added.length > 0)

test.runIf(there).each(CASES)('an API server takes what is generated in $caseName', ({ added }) => {
  expect(added.flatMap(faultsOf)).toEqual([])
})

test('objects of every system are generated', () => {
  const kinds = new Set(CASES.flatMap(({ added }) => added.map(({ kind }) => kind)))
  // The package that gets them with `into` has a Kptfile, which is applied nowhere.
  kinds.delete('Kptfile')
  expect([...kinds].sort()).toEqual([
    'ClusterPackage',
    'Configuration',
    'Function',
    'Package',
    'PackageInfo',
    'PackageInstall',
    'Provider',
    'ProviderRevision',
  ])
})
