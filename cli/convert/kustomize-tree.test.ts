import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { UsageError } from '../usage-error.ts'
import { clashingNames, labelsOf, outerBases, packageNames, uniqueNames } from './kustomize-tree.ts'

test.each([
  ['overlays/prod/eu-west-1', { env: 'prod', region: 'eu-west-1' }],
  ['clusters/prod-eu-west-1', { env: 'prod', region: 'eu-west-1' }],
  ['clusters/dev-ap-south-1-2', { env: 'dev', region: 'ap-south-1' }],
  ['clusters/staging-europe-west4', { env: 'staging', region: 'europe-west4' }],
  ['teams/cactus-a1', {}],
] as const)('the path %s shows the labels of its cluster', (path, labels) => {
  expect(labelsOf(path)).toEqual(labels)
})

test.each([
  ['apps/web', ['web', 'apps-web']],
  ['apps/web/base', ['web', 'apps-web-base']],
  ['apps/web/bases', ['web', 'apps-web-bases']],
  ['apps/database', ['database', 'apps-database']],
  ['base', ['tree', 'base']],
  ['Apps/My_Web.', ['my-web', 'apps-my-web']],
  ['apps/---', ['app', 'apps']],
  [`a${'-b'.repeat(25)}`, [`a${'-b'.repeat(24)}`, `a${'-b'.repeat(24)}`]],
])('the base %s gives the names of its package', (path, names) => {
  expect(packageNames('/repository/tree', path)).toEqual(names)
})

test.each<[string, Readonly<Record<string, readonly string[]>>, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
  ['the first one', { a: ['x', 'y'], b: ['z'] }, {}, { a: 'x', b: 'z' }],
  ['the next one if another path has the first', { a: ['x'], b: ['x', 'y'] }, {}, { a: 'x', b: 'y' }],
  [
    'the last one with a number if other paths have all',
    { a: ['x'], b: ['y'], c: ['x', 'y'], d: ['y'] },
    {},
    { a: 'x', b: 'y', c: 'y-2', d: 'y-3' },
  ],
  ['the known one', { a: ['x'] }, { a: 'known' }, { a: 'known' }],
  ['none that a later path is known by', { a: ['x', 'y'], b: ['z'] }, { b: 'x' }, { a: 'y', b: 'x' }],
  ['one that a path that is gone was known by', { a: ['x', 'y'] }, { gone: 'x' }, { a: 'x' }],
])('of its names a path gets %s', (_, wanted, known, names) => {
  expect(Object.fromEntries(uniqueNames(Object.entries(wanted), new Map(Object.entries(known))))).toEqual(names)
})

test.each([
  ['overlays/prod', 'prod', []],
  ['overlays/prod', 'overlays-prod', ["overlay 'overlays/prod' becomes the cluster 'overlays-prod': another overlay is 'prod'"]],
  ['', 'deploy', []],
  ['overlays', 'deploy', []],
  ['eu/prod', 'eu-prod', []],
])('the overlay %s that becomes the cluster %s is named if its path gives another name', (path, target, lines) => {
  const overlay = { id: target, path, target, folder: target, labels: {}, bases: [] }
  expect(clashingNames({ name: 'deploy', leftOut: [], packages: new Map(), overlays: [overlay] })).toEqual(lines)
})

/** Returns the folders outside of `apps/prod` that its kustomization names. */
function basesOf(kustomization: string): readonly string[] {
  const root = testFolder()
  for (const path of ['apps/prod/own', 'apps/base', 'apps/production', 'parts/log']) mkdirSync(join(root, path), { recursive: true })
  writeFileSync(join(root, 'apps/one.yaml'), '')
  writeFileSync(join(root, 'apps/prod/kustomization.yaml'), kustomization)
  return outerBases('tree', root, 'apps/prod')
}

test.each([
  ['a folder beside its own', 'resources: [../base]', ['apps/base']],
  ['a folder whose name begins like its own', 'resources: [../production]', ['apps/production']],
  ['the field bases', 'bases: [../base]', ['apps/base']],
  ['a folder twice', 'resources: [../base, ../base/]', ['apps/base']],
  ['a component', 'components: [../../parts/log]', []],
  ['a folder of its own', 'resources: [own, .]', []],
  ['a file', 'resources: [../one.yaml]', []],
])('of a kustomization that names %s these are its bases', (_, kustomization, bases) => {
  expect(basesOf(kustomization)).toEqual(bases)
})

const at = (place: string) => `tree/apps/prod/kustomization.yaml:${place}`

test.each([
  ['an address', 'resources: [https://example.com/a.yaml]', `'https://example.com/a.yaml' of ${at('1:13')}`],
  ['a repository by ssh', 'resources: ["git@example.com:a/b"]', `'git@example.com:a/b' of ${at('1:13')}`],
  ['a repository of a forge', 'resources: [github.com/a/b]', `'github.com/a/b' of ${at('1:13')}`],
  ['a revision', 'resources: [example.com/a?ref=v1]', `'example.com/a?ref=v1' of ${at('1:13')}`],
  ['an address of a patch', 'patches: [{path: https://example.com/p.yaml}]', `'https://example.com/p.yaml' of ${at('1:18')}`],
  ['an address of a schema', 'crds: [https://example.com/c.json]', `'https://example.com/c.json' of ${at('1:8')}`],
  ['no list', 'resources: ../base', `${at('1:12')}: \`resources\` must be a list of files and folders, got '../base'`],
  ['what is not there', 'resources: [../gone]', `${at('1:13')}: \`resources\` names 'tree/apps/gone', which is neither`],
  ['no YAML', 'resources: [', "'tree/apps/prod/kustomization.yaml' cannot be read as YAML"],
])('a kustomization that names %s is refused with the place', (_, kustomization, words) => {
  expect(() => basesOf(kustomization)).toThrow(UsageError)
  expect(() => basesOf(kustomization)).toThrow(words)
})
