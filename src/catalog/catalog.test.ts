import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configMapText } from '../../testdata/written-objects.ts'
import { CATALOG, evaluateCatalogFunction } from './catalog.ts'

function evaluated(name: string, version: string, input: string) {
  const fn = CATALOG.find((each) => each.name === name)
  if (fn === undefined) throw new Error(`no function ${name}`)
  return evaluateCatalogFunction(fn, version, input)
}

test('each folder with a function is a function of the catalog, in the order of the names', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((each) => each.isDirectory() && each.name !== 'testing')
  expect(CATALOG.map(({ name }) => name)).toEqual(folders.map(({ name }) => name).sort())
})

const ON_GO_SDK = [
  'apply-replacements v0.1.1',
  'apply-replacements v0.1.2',
  'set-image master',
  'set-image v0.1.1',
  'set-labels v0.2.0',
  'set-labels v0.2.1',
  'set-namespace master',
  'set-namespace v0.4.1',
]

test('the functions on the Go SDK take a ResourceList alone, and all others a list of any kind', () => {
  const otherKind = `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n`
  const refusing = CATALOG.flatMap(({ name, versions }) =>
    versions.filter((version) => evaluated(name, version, otherKind).stdout === '').map((version) => `${name} ${version}`),
  )
  expect(refusing.sort()).toEqual(ON_GO_SDK)
})

const isLocal = "  annotations:\n    config.kubernetes.io/local-config: 'true'\n"
const remove = (input: string) => evaluated('remove-local-config-resources', 'v0.1.0', input)

test('resources without a list are printed as documents, without results', () => {
  const input = `# first\n${configMapText('a')}---\n${configMapText('gone', isLocal)}---\n# none\n---\n${configMapText('b')}`
  expect(remove(input)).toEqual({ stdout: `# first\n${configMapText('a')}---\n${configMapText('b')}`, stderr: '', exitCode: 0 })
})

test('resources without a list stay where the function fails, and stderr says why', () => {
  const input = configMapText('a')
  const { stdout, stderr, exitCode } = evaluated('ensure-name-substring', 'v0.2.0', input)
  expect([stdout, exitCode]).toEqual([input, 1])
  expect(stderr).toMatch(/^error: .*\n$/)
})

test.each([
  ['a list in block style', `items:\n- ${configMapText('a').replaceAll('\n', '\n  ').trimEnd()}\n`],
  ['a functionConfig without items', `functionConfig: {}\n`],
  ['a list in flow style', `{items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}]}\n`],
  ['a functionConfig in flow style', '{functionConfig: {kind: ConfigMap}}\n'],
  ['a ResourceList without items', 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n'],
])('the results are printed into %s', (_what, input) => {
  const { stdout, exitCode } = remove(input)
  expect(stdout).toContain('Found no resources to prune with the local config annotation')
  expect(exitCode).toBe(0)
})

test.each([
  ['nothing', ''],
  ['comments alone', '# c\n'],
  ['a text', 'text\n'],
  ['a list among the documents', `${configMapText('a')}---\n- b\n`],
])('neither a list nor resources are refused: %s', (_what, input) => {
  const { stdout, stderr, exitCode } = remove(input)
  expect([stdout, exitCode]).toEqual(['', 1])
  expect(stderr).toMatch(/expected /)
})

test('a field of a ResourceList that is not known stays', () => {
  const input = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nother: 1\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\nfunctionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {namespace: b}}\n`
  for (const version of ['v0.4.1', 'v0.2.0'])
    expect(evaluated('set-namespace', version, input)).toMatchObject({ stdout: expect.stringContaining('other: 1'), exitCode: 0 })
})
