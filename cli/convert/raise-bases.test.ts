import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

let folder: TestFolder
beforeEach(async () => {
  folder = new TestFolder()
  writeFileSync(join(folder.folder, 'kustomize'), '#!/bin/sh\nexec cat "$2/built"\n', { mode: 0o755 })
  folder.write('app/base/kustomization.yaml', 'resources: []\n')
  folder.write('app/prod/kustomization.yaml', 'resources: [../base]\n')
  build('first')
  await convert()
})

function build(value: string): void {
  for (const part of ['base', 'prod']) folder.write(`app/${part}/built`, config('shop', `data:\n  mode: ${value}\n`))
}

const config = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`

const convert = () =>
  folder.run('convert', 'kustomize', 'app', '--out', 'fleet', '--kustomize-binary', join(folder.folder, 'kustomize'), '--allow-exec')

const LAST = 'fleet/catalog/app@v1'

test('fields and objects that people wrote into an upstream package are named when its base gets the next revision', async () => {
  folder.write(`${LAST}/configmap-shop.yaml`, `${folder.read(`${LAST}/configmap-shop.yaml`)}  extra: mine\n`)
  folder.write(`${LAST}/own.yaml`, config('own'))
  build('second')
  const { stdout, stderr, exitCode } = await convert()
  expect(exitCode).toBe(0)
  expect(stdout).toContain('app: raised to v2')
  expect(stderr).toMatch(
    /^fleet\/catalog\/app@v1: warning: the last revision was changed after its import: .*; the differences are below \[import-edited\]\n/,
  )
  expect(stderr).toContain(`2 objects differ from ${LAST}\n`)
  expect(stderr).toContain('  ConfigMap own is deleted\n')
  expect(stderr).toContain('  ConfigMap shop\n      - data.extra: mine\n      data.mode: first → second\n')
})

test('the next revision of a base whose package has no edit is made without a warning', async () => {
  build('second')
  const { stdout, stderr } = await convert()
  expect(stdout).toContain('app: raised to v2')
  expect(stderr).toMatch(/^\d+ files written to fleet\n$/)
})

test('a setter comment that the next revision has no place for is named', async () => {
  const file = `${LAST}/configmap-shop.yaml`
  folder.write(file, folder.read(file).replace('mode: first', 'mode: first # kpt-set: ${mode}'))
  for (const part of ['base', 'prod']) folder.write(`app/${part}/built`, config('shop', 'data:\n  other: second\n'))
  const { stderr } = await convert()
  expect(stderr).toContain(
    "`data.mode` had the comment 'kpt-set: ${mode}' in the last revision, and has no place for it now [import-setter]",
  )
})

test.each([
  {
    state: 'a run was interrupted before it raised the matrix',
    left: ['app.yaml.6b1f5a52-6f0c-4b2f-9d0e-0c8f3a3f7a11.krm-variants-new'],
    revision: 2,
  },
  { state: 'people hold the revision back', left: [], revision: 1 },
])('where $state, the matrix asks for revision $revision', async ({ left, revision }) => {
  const [fleet, old] = [join(folder.folder, 'fleet'), join(folder.folder, 'old')]
  cpSync(fleet, old, { recursive: true })
  build('second')
  await convert()
  cpSync(join(fleet, 'catalog/app@v2'), join(old, 'catalog/app@v2'), { recursive: true })
  rmSync(fleet, { recursive: true })
  cpSync(old, fleet, { recursive: true })
  for (const name of left) folder.write(`fleet/fleet/${name}`, 'apiVersion: fn')
  const { stdout, exitCode } = await convert()
  expect([exitCode, stdout.includes('app: raised to v2')]).toEqual([0, left.length > 0])
  expect(folder.read('fleet/fleet/app.yaml')).toContain(`revision: ${revision}\n`)
})
