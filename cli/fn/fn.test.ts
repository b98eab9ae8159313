import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CATALOG } from '../../src/catalog/catalog.ts'
import { answerDoc } from '../../src/doc/function-doc.ts'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { DOCS } from '../generated/docs.ts'
import { FUNCTIONS } from '../generated/registry.ts'

test.each([...FUNCTIONS.keys(), ...CATALOG.map(({ name }) => name)])('fn %s --help is what the function itself says', async (name) => {
  const doc = DOCS.get(name)
  const { stdout, exitCode } = await recordRun('.', ['fn', name, '--help'])
  expect(stdout).toBe(doc && answerDoc(['--help'], doc, ''))
  expect(stdout.length).toBeGreaterThan(200)
  expect(exitCode).toBe(0)
})

test('a folder is written with --write only, and a second run finds nothing to do', async () => {
  const folder = testFolder()
  cpSync('testdata/cli/plan-equal/input', folder, { recursive: true })
  const files = () =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'utf8')])
  const before = files()
  expect(await recordRun(folder, ['fn', 'fan-out', '.'])).toMatchObject({ exitCode: 2 })
  expect(files()).toEqual(before)
  expect(await recordRun(folder, ['fn', 'fan-out', '.', '--write'])).toMatchObject({ exitCode: 0 })
  expect(files()).not.toEqual(before)
  expect(await recordRun(folder, ['fn', 'fan-out', '.'])).toMatchObject({ exitCode: 0, stdout: '' })
  writeFileSync(join(folder, `a.yaml.${crypto.randomUUID()}.krm-variants-new`), 'of a killed run')
  const written = await recordRun(folder, ['fn', 'fan-out', '.', '--write'])
  expect(written).toMatchObject({ exitCode: 0, stdout: '' })
  expect(readdirSync(folder).filter((name) => name.endsWith('.krm-variants-new'))).toEqual([])
})

test('a function of the catalog gets no file that is no resource, and leaves each as it is', async () => {
  const folder = testFolder()
  const others = {
    'values.yaml': 'metadata:\n  name: chart\n',
    'package.json': '{"name": "x", "metadata": {"namespace": "a"}}\n',
    'docker-compose.yaml': 'services: {}\n',
    'workflow.yaml': 'name: ci\non: push\n',
  }
  for (const [path, text] of Object.entries(others)) writeFileSync(join(folder, path), text)
  writeFileSync(join(folder, 'cm.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\n')
  const { stderr, exitCode } = await recordRun(folder, ['fn', 'set-labels', '.', '--write', '--', 'team=x'])
  expect(exitCode).toBe(0)
  expect(stderr.match(/^\S+: warning: .*\[not-a-resource\]$/gm)).toHaveLength(4)
  for (const [path, text] of Object.entries(others)) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
  expect(readFileSync(join(folder, 'cm.yaml'), 'utf8')).toContain('team: x')
})

test('the paths of files are those in the folder, whatever its name, and are printed as the caller sees them', async () => {
  const folder = testFolder()
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\ndata:\n  size: old # kpt-set: ${size}\n'
  const setters = 'pipeline:\n  mutators:\n  - image: apply-setters:v0.2.0\n    configMap: {size: new, other: x}\n'
  // A folder in the package may have the name of the package.
  for (const inside of ['p', 'p/p']) mkdirSync(join(folder, inside))
  for (const path of ['p/cm.yaml', 'p/p/cm.yaml']) writeFileSync(join(folder, path), map)
  writeFileSync(join(folder, 'p/Kptfile'), `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n${setters}`)
  const listed = await recordRun(folder, ['fn', 'list-setters', 'p'])
  expect(listed.stderr).toContain('Name: size, Value: new, Type: str, Count: 2')
  expect(listed.stderr).toContain('Name: other, Value: x, Type: str, Count: 0')
  const replace = ['fn', 'search-replace', 'p', '--write', '--', 'by-value=old', 'put-value=mine', 'by-file-path=p/*.yaml']
  const replaced = await recordRun(folder, replace)
  expect(replaced).toMatchObject({ exitCode: 0, stdout: '~ p/p/cm.yaml\n    ~ ConfigMap cm\n' })
  expect(replaced.stderr).toMatch(/^p\/p\/cm\.yaml:6:9: info: /)
  expect(readFileSync(join(folder, 'p/p/cm.yaml'), 'utf8')).toBe(map.replace('old', 'mine'))
  expect(readFileSync(join(folder, 'p/cm.yaml'), 'utf8')).toBe(map)
  writeFileSync(join(folder, 'p/bad.yaml'), 'a: {')
  expect((await recordRun(folder, ['fn', 'set-labels', 'p', '--', 'a=b'])).stderr).toMatch(/^p\/bad\.yaml:1:5: error: /)
  expect((await recordRun(folder, ['fn', 'set-labels', 'q', '--', 'a=b'])).stderr).toContain("no folder 'q' to read")
})

test('options without a folder are answered with the place of the folder, but a folder may have = in its name', async () => {
  const folder = testFolder()
  const stderr = 'krm-variants: `a=b` must come with a folder: krm-variants fn NAME DIR -- KEY=VALUE\n'
  expect(await recordRun(folder, ['fn', 'set-labels', '--', 'a=b', 'c=d'])).toMatchObject({ stdout: '', stderr, exitCode: 1 })
  mkdirSync(join(folder, 'a=b'))
  writeFileSync(join(folder, 'a=b/cm.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\n')
  expect((await recordRun(folder, ['fn', 'set-labels', 'a=b', '--', 'c=d'])).stdout).toContain('~ a=b/cm.yaml\n')
})

test('a function that would remove a Kptfile is refused, and nothing is written', async () => {
  const folder = testFolder()
  const local = '  annotations:\n    config.kubernetes.io/local-config: "true"\n'
  writeFileSync(join(folder, 'Kptfile'), `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n${local}`)
  writeFileSync(join(folder, 'cm.yaml'), `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cm\n${local}`)
  const { stderr, exitCode } = await recordRun(folder, ['fn', 'remove-local-config-resources', '.', '--write'])
  expect(stderr).toContain("`kind` must stay in 'Kptfile', since a folder without a Kptfile is no package")
  expect(exitCode).toBe(1)
  expect(readdirSync(folder).sort()).toEqual(['Kptfile', 'cm.yaml'])
})
