import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-errors-'))
const fleet = new TestRepository(folder)

const variant = (name: string) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${name}, namespace: fleet}
spec:
  upstream: {repo: catalog, package: ${name}, revision: 1}
  downstream: {repo: edge, package: ${name}}
`

beforeAll(async () => {
  for (const name of ['db', 'web']) {
    const pipeline = name === 'web' ? 'pipeline: {mutators: [{image: "set-labels:v0.2", configMap: {team: shop}}]}\n' : ''
    fleet.write(`${name}.yaml`, variant(name))
    for (const revision of [1, 2]) {
      fleet.write(`catalog/${name}@v${revision}/Kptfile`, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: ${name}}\n${pipeline}`)
      fleet.write(`catalog/${name}@v${revision}/claim.yaml`, `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: ${name}}\n`)
    }
  }
  fleet.commit('start')
  await fleet.run('render', '.', '--out', '.')
  fleet.commit('rendered')
  for (const name of ['db', 'web']) fleet.replace(`${name}.yaml`, 'revision: 1', 'revision: 2')
  fleet.write('catalog/db@v2/claim.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: db}\n')
  fleet.replace('catalog/web@v2/Kptfile', '{team: shop}', '{team: [shop]}')
})

afterAll(() => rmSync(folder, { recursive: true }))

test.each([['start', '--out', 'nowhere'], ['rendered']])(
  'a package that cannot be rendered hides no change of another one, in any format (%s)',
  async (...from) => {
    for (const format of ['text', 'markdown', 'json', 'html', 'github', 'sarif']) {
      const { stdout, stderr, exitCode } = await fleet.run('diff', ...from, '--format', format)
      expect([format, exitCode]).toEqual([format, 1])
      expect(stderr).toContain('error: ')
      expect(stdout).toContain('volume-claim-deleted')
      if (format !== 'text') expect(stdout).toMatch(/configMap/)
      if (format === 'text' || format === 'markdown') expect(stdout).toContain('1 package cannot be rendered, and is not compared')
      expect(stdout).not.toContain('PersistentVolumeClaim web')
    }
  },
)

test('in a bare repository the message says that a clone has the files', async () => {
  const bare = mkdtempSync(join(tmpdir(), 'krm-variants-bare-'))
  execFileSync('git', ['init', '--quiet', '--bare', bare])
  expect(await recordRun(bare, ['diff'])).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: "krm-variants: '.' is in a bare git repository, which has no files to compare: clone it, and run diff in the clone\n",
  })
  rmSync(bare, { recursive: true })
})

test('a folder that has no set in both states is an error, since it may be the wrong folder', async () => {
  const wrong = await fleet.run('diff', 'start', 'catalog')
  expect(wrong).toMatchObject({ exitCode: 1, stdout: '' })
  expect(wrong.stderr).toMatch(/^error: the input must hold a PackageVariantSet or PackageVariantMatrix; read .* \[no-set\]$/m)
})
