import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { moveToOverrides } from './drop-calls.ts'

function service(name: string, namespace: string | undefined, label: string | undefined): string {
  const metadata = { name, ...(namespace && { namespace }), ...(label && { labels: { env: label } }) }
  return `apiVersion: v1\nkind: Service\nmetadata: ${JSON.stringify(metadata)}\nspec:\n  ports:\n    - port: 80\n`
}

test.each([
  ['a namespace', service('web', undefined, 'prod')],
  ['a label', service('web', 'prod', undefined)],
  ['everything', service('web', undefined, undefined)],
])('an overlay that takes %s away loses the function, and the other clusters keep it', async (_what, without) => {
  const root = testFolder()
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text, { mode })
  }
  write('kustomize', '#!/bin/sh\nexec cat "$2/built"\n', 0o755)
  write('tree/base/kustomization.yaml', 'resources: []\n')
  write('tree/base/built', service('web', undefined, undefined))
  for (const name of ['staging', 'prod']) {
    write(`tree/${name}/kustomization.yaml`, 'resources: [../base]\n')
    write(`tree/${name}/built`, service('web', name, name))
  }
  const convert = () =>
    recordRun(root, ['convert', 'kustomize', 'tree', '--out', 'fleet', '--allow-exec', '--kustomize-binary', join(root, 'kustomize')])
  expect(await convert()).toMatchObject({ exitCode: 0 })
  write('tree/prod/built', without)
  expect((await convert()).stdout).toMatch(/prod: equal, 1 object\n {2}tree: no .* any more\n[\s\S]*staging: equal, 1 object\n$/)
  expect(await convert()).toMatchObject({ exitCode: 0, stderr: 'nothing to do: the fleet is as the tree\n' })
  write('tree/base/built', service('web', undefined, undefined).replace('80', '81'))
  for (const name of ['staging', 'prod'])
    write(`tree/${name}/built`, readFileSync(join(root, `tree/${name}/built`), 'utf8').replace('80', '81'))
  expect((await convert()).stdout).toMatch(
    /prod: equal, 1 object\n {2}tree: raised to v2\n[\s\S]*staging: equal, 1 object\n {2}tree: raised to v2\n$/,
  )
  const rendered = (cluster: string) => readFileSync(join(root, `fleet/clusters/${cluster}/tree/service-web.yaml`), 'utf8')
  expect(rendered('staging')).toMatch(/namespace: staging/)
})

test('functions that become overrides leave validators, other overrides and every comment as people wrote them', () => {
  const matrix = KrmObject.fromDocument(`kind: PackageVariantMatrix
spec:
  template:
    pipeline:
      # in this order
      mutators:
        - name: one
          image: ours/one:v1 # pinned
        # the second
        - name: two
          image: "ours/two:v1"
      validators: # never without
        - {name: strict, image: ours/strict:v1}
  overrides:
    # of the shop
    - {name: own, packages: [web]}
  after: 1 # stays
`)
  moveToOverrides(matrix, 'web', new Set(['one']))
  expect(matrix.toText()).toBe(`kind: PackageVariantMatrix
spec:
  template:
    pipeline:
      validators: # never without
        - {name: strict, image: ours/strict:v1}
  overrides:
    # in this order
    # pinned
    - name: one
      packages:
        - web
      template:
        pipeline:
          mutators:
            - name: one
              image: ours/one:v1
    # the second
    - name: two
      packages:
        - web
      template:
        pipeline:
          mutators:
            - name: two
              image: ours/two:v1
    # of the shop
    - {name: own, packages: [web]}
  after: 1 # stays
`)
})

test('a function behind others moves alone, in brackets too', () => {
  const matrix = KrmObject.fromDocument(`spec: {template: {pipeline: {mutators: [{name: one}, # first
  {name: two}, {name: three}]}}, overrides: [
  # own
  {name: own}]}
`)
  moveToOverrides(matrix, 'web', new Set(['two']))
  expect(matrix.toText()).toBe(`spec: {template: {pipeline: {mutators: [{name: one}]}}, overrides: [
  # own
  # first
  {name: two, packages: [web], template: {pipeline: {mutators: [{name: two}]}}}, {name: three, packages: [web], template: {pipeline: {mutators: [{name: three}]}}}, {name: own}]}
`)
})
