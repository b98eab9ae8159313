import { execFileSync } from 'node:child_process'
import { readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

let folder: TestFolder
beforeEach(() => {
  folder = new TestFolder()
  writeFileSync(join(folder.folder, 'kustomize'), '#!/bin/sh\nexec cat "$2/built"\n', { mode: 0o755 })
  writeKustomization('base', 'resources: []\n', 'base')
  writeKustomization('prod', 'resources: [../base]\n', 'prod')
})

/** Writes a kustomization of which kustomize builds one ConfigMap. */
function writeKustomization(path: string, text: string, value: string): void {
  folder.write(`tree/${path}/kustomization.yaml`, text)
  folder.write(`tree/${path}/built`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata: {value: ${value}, size: small}\n`)
}

function convert(...more: readonly string[]) {
  return folder.run('convert', 'kustomize', 'tree', '--allow-exec', '--kustomize-binary', join(folder.folder, 'kustomize'), ...more)
}

test('a folder that names components and no base is a cluster with a package of its own, which a later conversion raises', async () => {
  folder.write('tree/parts/log/kustomization.yaml', 'kind: Component\n')
  writeKustomization('dev', 'resources: [own.yaml]\ncomponents: [../parts/log]\n', 'dev')
  folder.write('tree/dev/own.yaml', '')
  const first = await convert()
  expect({ stdout: first.stdout, stderr: first.stderr }).toEqual({
    stdout: 'dev → clusters/dev: equal, 1 object\nprod → clusters/prod: equal, 1 object\n  tree: apply-setters value\n',
    stderr: expect.stringMatching(/^\d+ files written to tree-fleet\n$/),
  })
  expect(folder.read('tree-fleet/clusters/dev/dev/configmap-shop.yaml')).toContain('value: dev')
  writeKustomization('dev', 'resources: [own.yaml]\ncomponents: [../parts/log]\n', 'other')
  expect((await convert()).stdout).toContain('dev → clusters/dev: equal, 1 object\n  dev: raised to v2\n')
})

test.each([
  ['dev', 'resources: [own.yaml]\n'],
  ['overlays/blue', 'configMapGenerator: [{name: shop}]\n'],
])('%s, a folder without a base beside overlays of clusters, is a cluster with a package of its own', async (path, text) => {
  writeKustomization('overlays/green', 'resources: [../../base]\n', 'green')
  writeKustomization(path, text, 'own')
  folder.write(`tree/${path}/own.yaml`, '')
  const name = path.split('/').at(-1) ?? ''
  const { stdout, stderr, exitCode } = await convert()
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/^\d+ files written to tree-fleet\n$/) })
  expect(stdout).toContain(`${path} → clusters/${name}: equal, 1 object\n`)
  expect(folder.read(`tree-fleet/clusters/${name}/${name}/configmap-shop.yaml`)).toContain('value: own')
  expect((await convert()).stderr).toBe('nothing to do: the fleet is as the tree\n')
})

test.each([
  ['a folder that is called like no environment', 'monitoring', 'resources: [own.yaml]\n'],
  ['a folder of which nothing is built', 'dev', 'resources: []\n'],
  ['a folder without an overlay beside it', 'apps/dev', 'resources: [own.yaml]\n'],
])('%s is no cluster without a base, and named', async (_, path, text) => {
  writeKustomization(path, text, 'own')
  folder.write(`tree/${path}/own.yaml`, '')
  const { stdout, stderr } = await convert()
  expect(stdout).toMatch(/^prod → clusters\/prod: equal, 1 object\n {2}tree: [^\n]*\n$/)
  expect(stderr).toContain(`'tree/${path}/kustomization.yaml' names no base, and no overlay uses it: no cluster gets it\n`)
})

test('a folder with components that another one names stays a base', async () => {
  folder.write('tree/parts/log/kustomization.yaml', 'kind: Component\n')
  writeKustomization('base', 'components: [../parts/log]\n', 'base')
  expect((await convert()).stdout).toMatch(/^prod → clusters\/prod: equal, 1 object\n {2}tree: [^\n]*\n$/)
})

test('a pipe, and a link that leads to itself, are no part of the tree', async () => {
  execFileSync('mkfifo', [join(folder.folder, 'tree/base/pipe')])
  symlinkSync('self', join(folder.folder, 'tree/prod/self'))
  expect(await convert()).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^\d+ files written to tree-fleet\n$/) })
})

test.each([
  ['a pipe', (place: string) => execFileSync('mkfifo', [place]), 'is a pipe, a socket or a device'],
  ['a link that leads nowhere', (place: string) => symlinkSync('gone.yaml', place), 'is a link to no file'],
])('%s in the place of a kustomization is named', async (_, put, words) => {
  folder.write('tree/dev/notes.md', '')
  put(join(folder.folder, 'tree/dev/kustomization.yaml'))
  expect(await convert()).toMatchObject({
    exitCode: 1,
    stderr: `krm-variants: 'tree/dev/kustomization.yaml' must be a file, ${words}: put the kustomization there, or remove it\n`,
  })
})

test('a folder with the name of a kustomization is a folder of the tree', async () => {
  writeKustomization('dev/Kustomization', 'resources: [../../base]\n', 'dev')
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^dev\/Kustomization → clusters\//m) })
})

test('a file too large for an object is named, and not read for objects of Flux', async () => {
  folder.write('tree/data.yaml', '')
  truncateSync(join(folder.folder, 'tree/data.yaml'), 64 * 1024 * 1024 + 1)
  const { exitCode, stderr } = await convert()
  expect(stderr).toContain('tree/data.yaml: has more than 64 MB, so no Kustomization of Flux is looked for in the file\n')
  expect(exitCode).toBe(0)
})

test('documents without content around a kustomization do not count, and faults have their lines in the file', async () => {
  writeKustomization('prod', '# ours\n---\nresources: [../base, gone]\n---\n', 'prod')
  expect((await convert()).stderr).toContain("tree/prod/kustomization.yaml:3:22: `resources` names 'tree/prod/gone'")
  writeKustomization('prod', '# ours\n---\nresources: [../base]\n---\n', 'prod')
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('prod → clusters/prod: equal, 1 object') })
})

test.each([
  ['a list', '- ../base\n', 'must be a map of fields'],
  ['a second kustomization', 'resources: [../base]\n---\nresources: []\n', 'a second document begins'],
])('a kustomization that is %s is refused', async (_, text, words) => {
  writeKustomization('prod', text, 'prod')
  const { exitCode, stderr } = await convert()
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(words) })
  expect(stderr).toContain("'tree/prod/kustomization.yaml' cannot be read as YAML")
})

test.each([
  ['tree/', 'tree-fleet'],
  ['tree/.', 'tree-fleet'],
  ['tree/prod/..', 'tree-fleet'],
])('without --out the fleet of %s is beside the tree', async (dir, out) => {
  await folder.run('convert', 'kustomize', dir, '--allow-exec', '--kustomize-binary', join(folder.folder, 'kustomize'))
  expect(readdirSync(folder.folder).toSorted()).toEqual(['kustomize', 'tree', out])
})

test.each([
  [
    '.git/fleet',
    "`--out` must not have the part '.git', nor another name that a file system takes for '.git', has '.git', got '.git/fleet'",
  ],
  ['a\\b', "`--out` must not contain a backslash, got 'a\\b'"],
])('%s is no folder for a fleet', async (out, message) => {
  expect(await convert('--out', out)).toMatchObject({ exitCode: 1, stderr: `krm-variants: ${message}\n` })
})

test('--repo is refused, since a tree is read where it is', async () => {
  expect(await convert('--repo', '.')).toMatchObject({
    exitCode: 1,
    stderr: 'krm-variants: `--repo` must come with convert applicationset: convert kustomize reads the folder that it is given\n',
  })
})

test('a program kustomize that is not there is named', async () => {
  expect(await folder.run('convert', 'kustomize', 'tree', '--allow-exec', '--kustomize-binary', './gone')).toMatchObject({
    exitCode: 1,
    stderr: "krm-variants: `--kustomize-binary` must name the program kustomize, there is no program './gone'\n",
  })
})
