import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

test.each([
  ['charts/web/', '--helm charts/web --allow-exec --as catalog/web'],
  ['charts/web/Chart.yaml', '--helm charts/web --allow-exec --as catalog/web'],
  ['My Chart/Chart.yaml', "--helm 'My Chart' --allow-exec --as catalog/NAME"],
  ['web-1.4.0.tgz', '--helm web-1.4.0.tgz --allow-exec --as catalog/web'],
  ['deploy/base/kustomization.yaml', '--kustomize deploy/base --allow-exec --as catalog/base'],
  ['packages/web', '--package packages/web --as catalog/web'],
  ['https://git.example.com/catalog.git/web@v1', '--package https://git.example.com/catalog.git/web@v1 --as catalog/web'],
  ['https://example.com/install.yaml', '--manifest https://example.com/install.yaml --as catalog/install'],
  ['oci://example.com/charts/web', '--helm oci://example.com/charts/web --allow-exec --as catalog/web'],
  ['releases', '--manifest releases/*.yaml --as catalog/NAME'],
  ['my releases', "--manifest 'my releases/'*.yaml --as catalog/NAME"],
])('a source without an option, %s, is answered with the command for it', async (source, command) => {
  const root = testFolder()
  for (const path of [
    'My Chart/Chart.yaml',
    'web-1.4.0.tgz',
    'charts/web/Chart.yaml',
    'deploy/base/kustomization.yaml',
    'packages/web/Kptfile',
    'releases/a.yaml',
    'my releases/a.yaml',
  ]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
  expect(await recordRun(root, ['import', source])).toMatchObject({
    exitCode: 1,
    stderr: `krm-variants: a source must come with its option: krm-variants import ${command}\n`,
  })
})

test('a tree of kustomizations is for convert, and a source that is not there is said to be missing', async () => {
  const root = testFolder()
  mkdirSync(join(root, 'deploy/prod'), { recursive: true })
  writeFileSync(join(root, 'deploy/prod/kustomization.yaml'), '')
  expect((await recordRun(root, ['import', 'deploy'])).stderr).toBe(
    'krm-variants: a tree of kustomizations becomes a fleet: krm-variants convert kustomize deploy --allow-exec\n',
  )
  expect((await recordRun(root, ['import', 'charts/wbe'])).stderr).toBe(
    "krm-variants: a source must come with its option, and there is no file or folder 'charts/wbe'\n",
  )
})
