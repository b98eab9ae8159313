import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const MATRIX = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata:
  name: base
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  - {repo: catalog, package: dns, revision: 1}
  targets:
  - repositorySelector: {matchLabels: {env: prod}}
  template:
    pipeline:
      mutators:
      - name: space
        image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
        configMapExprs:
        - {key: namespce, valueExpr: repository.name}
`

let folder: string
let fleet: TestRepository

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krm-variants-cause-'))
  fleet = new TestRepository(folder)
  fleet.write('render.yaml', 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: r}\nspec: {out: packages}\n')
  fleet.write('base.yaml', MATRIX)
  for (const name of ['web', 'dns']) {
    // The function stands at another line in each package.
    const description = name === 'web' ? 'info: {description: shop}\n' : ''
    fleet.write(`catalog/${name}@1/Kptfile`, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n${description}`)
  }
  for (const name of ['ams', 'ber', 'nyc'])
    fleet.write(
      `${name}.yaml`,
      `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: ${name}\n  labels: {env: prod}\n`,
    )
})

afterEach(() => rmSync(folder, { recursive: true }))

test('a function of a set that fails in every package is one error, at the set', async () => {
  const { stderr } = await recordRun(folder, ['render', '.'])
  expect(stderr.match(/error:/g)).toHaveLength(2)
  expect(stderr).toMatch(
    /^base\.yaml:14:9: error: PackageVariant base-\S+: `spec\.pipeline\.mutators\[0\]` 'space' failed with exit code 1: error: .*; the same for \S+, \S+, \S+ and 2 more \[function-failed\]$/m,
  )
})

test('an image of a set that nothing runs is an error at the set, and not in a package that is not made', async () => {
  fleet.replace('base.yaml', 'set-namespace:v0.4.1', 'set-namespaze:v0.4.1')
  const { stderr } = await recordRun(folder, ['render', '.'])
  expect(stderr.match(/error:/g)).toHaveLength(1)
  expect(stderr).toMatch(
    /^base\.yaml:15:16: error: PackageVariant base-\S+: `spec\.pipeline\.mutators\[0\]\.image` .* \(6 packages need it\) \[no-runner\]$/m,
  )
  expect(stderr).not.toContain('use a version that is built in')
})

test('a function of upstream has its place in the list of upstream, whatever a set puts before it', async () => {
  fleet.replace('base.yaml', 'namespce', 'namespace')
  fleet.write(
    'catalog/web@1/Kptfile',
    'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\npipeline:\n  mutators:\n  - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1\n    configMap: {namespce: x}\n',
  )
  const { stderr } = await recordRun(folder, ['render', '.'])
  expect(stderr).toMatch(
    /^catalog\/web@1\/Kptfile:7:5: error: `pipeline\.mutators\[0\]` .*`pipeline\.mutators\[0\]\.configMap\.namespace` must be set/m,
  )
  expect(stderr).not.toContain('mutators[1]')
})

test('a key of a set that every variant gets is one warning at the set, which names the first variants', async () => {
  fleet.replace('base.yaml', 'namespce', 'namespace')
  fleet.replace('base.yaml', '  template:\n', '  template:\n    labelExprs:\n    - {keyExpr: "\'-bad\'", valueExpr: "\'x\'"}\n')
  const { stderr } = await recordRun(folder, ['render', '.'])
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^base\.yaml:13:17: warning: `spec\.template\.labelExprs\[0\]\.keyExpr` must give a label key .* \[label-key\]$/),
    expect.stringMatching(
      /^base\.yaml:13:38: warning: PackageVariant base-ams-web: `spec\.labels\["-bad"\]` must have .*; the same for base-ber-web, base-nyc-web, base-ams-dns and 2 more \[label-key\]$/,
    ),
  ])
})
