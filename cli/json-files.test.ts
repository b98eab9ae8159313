import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'
import { testFolder } from '../testdata/test-folder.ts'

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = testFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const CONFIG = '{"apiVersion": "v1", "kind": "ConfigMap",\n "metadata": {"name": "cm"}, "data": {"a": "one"}}\n'
const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: pkg}
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0
    configMap: {team: x}
`

test.each([
  [['run', 'pkg'], { labels: { team: 'x' } }],
  [['fn', 'set-labels', 'pkg', '--write', '--', 'team=x'], { labels: { team: 'x' } }],
  [['fn', 'set-annotations', 'pkg', '--write', '--', 'a/b=1'], { annotations: { 'a/b': '1' } }],
  [['fn', 'set-namespace', 'pkg', '--write', '--', 'namespace=ns'], { namespace: 'ns' }],
  [['fn', 'search-replace', 'pkg', '--write', '--', 'by-path=metadata.labels.fresh', 'put-value=new'], { labels: { fresh: 'new' } }],
  [['fn', 'ensure-name-substring', 'pkg', '--write', '--', 'prepend=x-'], { name: 'x-cm' }],
])('%j keeps a JSON file JSON, and each byte that it does not change', async (args, metadata) => {
  const folder = folderOf({ 'pkg/Kptfile': KPTFILE, 'pkg/cm.json': CONFIG })
  await recordRun(folder, args)
  const text = readFileSync(join(folder, 'pkg/cm.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ kind: 'ConfigMap', metadata })
  expect(text).toContain('"kind": "ConfigMap",\n "metadata": {"name": "')
})

test('check --unsafe-fixes keeps a JSON file JSON', async () => {
  const set = {
    apiVersion: 'config.porch.kpt.dev/v1alpha2',
    kind: 'PackageVariantSet',
    metadata: { name: 's' },
    spec: {
      upstream: { repo: 'c', package: 'p', revision: 1 },
      targets: [{ repositories: [{ name: 'r' }], template: { packageContext: { data: [{ key: 'region', value: 'eu' }] } } }],
    },
  }
  const folder = folderOf({ 'set.json': JSON.stringify(set, undefined, 2) })
  const before = readFileSync(join(folder, 'set.json'), 'utf8')
  await recordRun(folder, ['check', '--unsafe-fixes', '.'])
  const after = readFileSync(join(folder, 'set.json'), 'utf8')
  expect(after).not.toBe(before)
  expect(JSON.parse(after)).toMatchObject({ kind: 'PackageVariantSet' })
})

test.each([
  ['of a person', '"mine": "kept", ', { mine: 'kept', a: 'two', new: { list: [1.5, 'yes'] } }],
  ['without an edit', '', { a: 'two', new: { list: [1.5, 'yes'] } }],
])('an update by render keeps a JSON file %s JSON', async (_, mine, data) => {
  const variant = (revision: number) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: p, namespace: default}
spec:
  upstream: {repo: catalog, package: pkg, revision: ${revision}}
  downstream: {repo: edge, package: pkg}
`
  const folder = folderOf({
    'pv.yaml': variant(1),
    'catalog/pkg@v1/Kptfile': KPTFILE,
    'catalog/pkg@v1/cm.json': CONFIG,
    'catalog/pkg@v2/Kptfile': KPTFILE.replace('team: x', 'team: y'),
    'catalog/pkg@v2/cm.json': CONFIG.replace('"a": "one"', '"a": "two", "new": {"list": [1.50, "yes"]}'),
  })
  const place = join(folder, 'edge/pkg/cm.json')
  expect(await recordRun(folder, ['render', '.', '--out', '.'])).toMatchObject({ exitCode: 0 })
  writeFileSync(place, readFileSync(place, 'utf8').replace('"data": {', `"data": {${mine}`))
  writeFileSync(join(folder, 'pv.yaml'), variant(2))
  const { exitCode, stderr } = await recordRun(folder, ['render', '.', '--out', '.'])
  expect(exitCode).toBe(0)
  expect(stderr).not.toContain('[change-passed-over]')
  expect(JSON.parse(readFileSync(place, 'utf8'))).toMatchObject({ metadata: { name: 'cm', labels: { team: 'y' } }, data })
})
