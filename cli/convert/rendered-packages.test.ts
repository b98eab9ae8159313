import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

/** Makes a tree with the base of one ConfigMap and an overlay that changes it. */
function treeWithOverlay() {
  const folder = new TestFolder()
  const map = (name: string, level: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  level: ${level}\n`
  const convert = () =>
    folder.run('convert', 'kustomize', 'tree', '--out', 'fleet', '--allow-exec', '--kustomize-binary', join(folder.folder, 'kustomize'))
  writeFileSync(join(folder.folder, 'kustomize'), '#!/bin/sh\nexec cat "$2/built"\n', { mode: 0o755 })
  folder.write('tree/base/kustomization.yaml', 'resources: []\n')
  folder.write('tree/prod/kustomization.yaml', 'resources: [../base]\n')
  folder.write('tree/base/built', map('shop', 'info'))
  folder.write('tree/prod/built', map('shop', 'warn'))
  return { folder, convert, map }
}

test.each(['prod-', ''])('an object with the prefix %j that an overlay takes away and gives back is in its file again', async (prefix) => {
  const { folder, convert, map } = treeWithOverlay()
  const both = (name: (own: string) => string, level: string) => `${map(name('shop'), level)}---\n${map(name('web'), level)}`
  const name = (own: string) => `${prefix}${own}`
  folder.write('tree/base/built', both(String, 'info'))
  folder.write('tree/prod/built', both(name, 'warn'))
  expect(await convert()).toMatchObject({ exitCode: 0 })
  const own = 'fleet/clusters/prod/tree/configmap-web.yaml'
  const before = folder.read(own)
  folder.write('tree/prod/built', map(name('shop'), 'warn'))
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`ConfigMap ${name('web')} is removed`) })
  expect(existsSync(join(folder.folder, own))).toBe(false)
  folder.write('tree/prod/built', both(name, 'warn'))
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('equal, 2 objects') })
  expect(folder.read(own)).toContain(`  name: ${name('web')}`)
  expect(before).toContain(`  name: ${name('web')}`)
  expect(existsSync(join(folder.folder, 'fleet/clusters/prod/tree/configmap-prod-web.yaml'))).toBe(false)
})

const OWN = 'fleet/clusters/prod/tree/configmap-only.yaml'

test.each([
  { what: 'a folder', write: (folder: TestFolder) => folder.write(`${OWN}/notes.txt`, 'mine\n'), file: `${OWN}/notes.txt` },
  {
    what: 'a file that .krmignore names',
    write: (folder: TestFolder) => {
      folder.write('fleet/clusters/prod/tree/.krmignore', 'configmap-only.yaml\n')
      folder.write(OWN, 'level: [\n')
    },
    file: OWN,
  },
])('$what of a person with the name of a file stays as it is, and the object gets another file', async ({ write, file }) => {
  const { folder, convert, map } = treeWithOverlay()
  await convert()
  write(folder)
  const before = folder.read(file)
  folder.write('tree/prod/built', `${map('shop', 'warn')}---\n${map('only', 'warn')}`)
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('prod → clusters/prod: equal, 2 objects') })
  expect(folder.read(file)).toBe(before)
  expect(folder.read('fleet/clusters/prod/tree/configmap--only.yaml')).toContain('  name: only')
})

test('a file of a person called crds stays as it is, and a definition that comes back to an overlay gets another file', async () => {
  const { folder, convert, map } = treeWithOverlay()
  const definition = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: a\n'
  folder.write('tree/base/built', `${map('shop', 'info')}---\n${definition}`)
  await convert()
  const file = 'fleet/clusters/prod/tree/crds'
  rmSync(join(folder.folder, file), { recursive: true })
  folder.write(file, 'mine\n')
  folder.write('tree/prod/built', `${map('shop', 'warn')}---\n${definition}`)
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('prod → clusters/prod: equal, 2 objects') })
  expect(folder.read(file)).toBe('mine\n')
  expect(folder.read('fleet/clusters/prod/tree/customresourcedefinition-a.yaml')).toContain('  name: a\n')
})

test('an object whose file .krmignore names counts as removed in the fleet', async () => {
  const { folder, convert, map } = treeWithOverlay()
  folder.write('tree/base/built', `${map('shop', 'info')}---\n${map('web', 'info')}`)
  folder.write('tree/prod/built', `${map('shop', 'warn')}---\n${map('web', 'info')}`)
  await convert()
  folder.write('fleet/clusters/prod/tree/.krmignore', 'configmap-web.yaml\n')
  expect(await convert()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('kept: ConfigMap web: not there in the fleet') })
})
