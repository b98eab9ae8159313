import { expect, test } from 'vitest'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import { contextFile, contextPath, kptfilePaths, withoutContexts } from './clone-context.ts'
import { contentToWrite, type RenderedContent, unchanged } from './rendered-package.ts'

const object = (kind: string, name: string, data = '') => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${data}`
const CONTEXT = object('ConfigMap', 'kptfile.kpt.dev', 'data:\n  name: old\n  package-path: old/path\n  level: info # why\n')
const OTHER = object('ConfigMap', 'other')
const ANNOTATIONS = { 'config.kubernetes.io/local-config': 'true' }

const FILES = packageOfTexts({
  'package-context.yaml': CONTEXT,
  'both.yaml': `${CONTEXT}---\n${OTHER}`,
  'other.yaml': OTHER,
  'db/package-context.yaml': CONTEXT,
  'db/kind.yaml': object('Secret', 'kptfile.kpt.dev'),
  'a.txt': 'a',
})

test('package contexts are left out, and the files that held nothing else', () => {
  const left = withoutContexts(FILES)
  expect([...left.keys()]).toEqual(['both.yaml', 'other.yaml', 'db/kind.yaml', 'a.txt'])
  const both = left.get('both.yaml')
  expect(both instanceof Uint8Array ? [] : both?.map(({ name }) => name)).toEqual(['other'])
  expect(left.get('other.yaml')).toBe(FILES.get('other.yaml'))
})

test('package contexts of other files stay', () => {
  const left = withoutContexts(FILES, (path) => !path.startsWith('db/'))
  expect([...left.keys()]).toEqual(['both.yaml', 'other.yaml', 'db/package-context.yaml', 'db/kind.yaml', 'a.txt'])
})

/** Returns the values and texts of a package context with the data `name: new`. */
function written(before: RenderedContent | undefined, without?: RenderedContent): readonly [values: readonly unknown[], text: string] {
  const content = contentToWrite(contextFile(before, without, { name: 'new' }))
  if (content instanceof Uint8Array) throw new Error('a file of objects')
  return [content.map((one) => one.toJson()), content.map((one) => one.toText()).join('---\n')]
}

const value = (data: unknown) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kptfile.kpt.dev', annotations: ANNOTATIONS },
  data,
})
const rendered = (path: string) => unchanged(FILES.get(path) ?? new Uint8Array(), 'theirs')

test('a new package context has its data and is local config', () => {
  expect(written(undefined)[0]).toEqual([value({ name: 'new' })])
  expect(written(rendered('a.txt'), rendered('a.txt'))[0]).toEqual([value({ name: 'new' })])
})

test("upstream's defaults stay with their comments, and the keys that kpt writes do not", () => {
  const [values, text] = written(rendered('package-context.yaml'))
  expect(values).toEqual([value({ level: 'info', name: 'new' })])
  expect(text).toContain('level: info # why')
})

test('the package context is behind the other objects of its file', () => {
  const [values] = written(rendered('both.yaml'), rendered('other.yaml'))
  expect(values).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' } }, value({ level: 'info', name: 'new' })])
})

test('the package context is beside the Kptfile of each package', () => {
  const files = new Map(['Kptfile', 'db/Kptfile', 'a/Kptfile.yaml', 'aKptfile'].map((path) => [path, new Uint8Array()]))
  expect(kptfilePaths(files)).toEqual(['Kptfile', 'db/Kptfile'])
  expect(kptfilePaths(files).map(contextPath)).toEqual(['package-context.yaml', 'db/package-context.yaml'])
})
