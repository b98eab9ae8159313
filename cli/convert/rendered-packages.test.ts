import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

test.each(['prod-', ''])('an object with the prefix %j that an overlay takes away and gives back is in its file again', async (prefix) => {
  const folder = new TestFolder()
  const map = (name: string, level: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  level: ${level}\n`
  const convert = () =>
    folder.run('convert', 'kustomize', 'tree', '--out', 'fleet', '--allow-exec', '--kustomize-binary', join(folder.folder, 'kustomize'))
  writeFileSync(join(folder.folder, 'kustomize'), '#!/bin/sh\nexec cat "$2/built"\n', { mode: 0o755 })
  folder.write('tree/base/kustomization.yaml', 'resources: []\n')
  folder.write('tree/prod/kustomization.yaml', 'resources: [../base]\n')
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
