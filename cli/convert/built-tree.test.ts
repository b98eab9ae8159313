import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readVendorObjects } from '../../src/intake/vendor-objects.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { type BuiltTree, convertCommand, hashedNames, withRecordedNames } from './built-tree.ts'

/** Returns a tree with packages of bases, by path, and the objects `Kind name` of overlays. */
function treeOf(packages: Readonly<Record<string, string>>, overlays: readonly (readonly string[])[] = []): BuiltTree {
  const objectsOf = (names: readonly string[]) => {
    const texts = names.map((each) => each.split(' ')).map(([kind, name]) => JSON.stringify({ apiVersion: 'v1', kind, metadata: { name } }))
    return readVendorObjects([{ name: 'a.yaml', bytes: Buffer.from(texts.join('\n---\n')) }]).objects
  }
  return {
    name: 'deploy',
    from: 'kustomize',
    dir: 'deploy',
    command: '',
    leftOut: [],
    packages: new Map(Object.entries(packages)),
    bases: new Map(),
    targets: new Map(overlays.map((names, index) => [`overlay-${index}`, objectsOf(names)])),
    overlays: [],
  }
}

test.each([
  [['deploy'], {}, 'deploy'],
  [['a b', 'c'], {}, "'a b' c"],
  [['deploy'], { out: 'the fleet' }, "deploy --out 'the fleet'"],
  [['deploy'], { repo: 'ours' }, 'deploy --repo ours'],
  [['deploy'], { enableHelm: true, allowExec: true }, 'deploy --enable-helm --allow-exec'],
  [['deploy'], { enableHelm: false, allowExec: false }, 'deploy'],
  [['deploy'], { kustomizeBinary: '/opt/kustomize', helmBinary: '/opt/helm' }, 'deploy'],
  [['a'], { repo: 'r', out: 'o', enableHelm: true }, 'a --repo r --out o --enable-helm'],
])('the command that converts %j again with %j is one that a shell reads', (sources, options, words) => {
  expect(convertCommand('applicationset', sources, options)).toBe(`krm-variants convert applicationset ${words}`)
})

const STAY = 'names with a hash stay as kustomize built them, and only convert brings the next ones: '

test.each<[string, readonly (readonly string[])[], readonly string[]]>([
  ['no object', [], []],
  ['names without a hash', [['ConfigMap web', 'Secret web-token']], []],
  ['a hash of another kind', [['Service web-5f7b9cd4mt']], []],
  ['a kind that begins with Secret', [['SecretStore web-5f7b9cd4mt']], []],
  ['one name in two overlays', [['Secret web-5f7b9cd4mt'], ['Secret web-5f7b9cd4mt']], [`${STAY}Secret web-5f7b9cd4mt`]],
  [
    'two kinds, in order',
    [['Secret web-5f7b9cd4mt'], ['ConfigMap web-5f7b9cd4mt']],
    [`${STAY}ConfigMap web-5f7b9cd4mt, Secret web-5f7b9cd4mt`],
  ],
])('of %s the names with a hash are said once', (_, overlays, lines) => {
  expect(hashedNames(treeOf({}, overlays))).toEqual(lines)
})

/** Returns the names of the packages of a tree, by path, in a fleet with revisions of packages that were made of paths. */
function namesIn(revisions: Readonly<Record<string, string | undefined>>, packages: Readonly<Record<string, string>>) {
  const work = testFolder()
  for (const [folder, path] of Object.entries(revisions)) {
    mkdirSync(join(work, 'catalog', folder), { recursive: true })
    const origin = JSON.stringify({ source: 'kustomize', ...(path !== undefined && { path }) })
    const annotations = { 'fn.krm-variants.dev/imported-from': origin }
    writeFileSync(join(work, 'catalog', folder, 'Kptfile'), JSON.stringify({ kind: 'Kptfile', metadata: { name: 'x', annotations } }))
  }
  return Object.fromEntries(withRecordedNames(treeOf(packages), work).packages)
}

test.each<[string, Parameters<typeof namesIn>[0], Parameters<typeof namesIn>[1], Readonly<Record<string, string>>]>([
  ['without a package keeps its name', {}, { base: 'new' }, { base: 'new' }],
  ['with a package has the name of the package', { 'old@v1': 'base', 'old@v2': 'base' }, { base: 'new' }, { base: 'old' }],
  ['of which two packages were made has the first name', { 'b@v1': 'base', 'a@v1': 'base' }, { base: 'new' }, { base: 'a' }],
  ['that is new gets no name of another base', { 'web@v1': 'base' }, { other: 'web', base: 'x' }, { other: 'web-2', base: 'web' }],
  ['does not get the name of a package without a path', { 'web@v1': undefined }, { '': 'new' }, { '': 'new' }],
  [
    'does not get the name of a folder that is no revision',
    { 'Web@v1': 'base', web: 'base', 'w@main': 'base' },
    { base: 'n' },
    { base: 'n' },
  ],
])('a base %s', (_, revisions, packages, names) => {
  expect(namesIn(revisions, packages)).toEqual(names)
})

test('a revision without a Kptfile gives no name', () => {
  const work = testFolder()
  mkdirSync(join(work, 'catalog/old@v1'), { recursive: true })
  expect([...withRecordedNames(treeOf({ base: 'new' }), work).packages]).toEqual([['base', 'new']])
})
