import { expect, test } from 'vitest'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { functionsOf, pipelineKptfile } from '../testing/functions-of.ts'
import { type RenderOfTexts, renderOfTexts } from '../testing/render-of-texts.ts'

const KPTFILE = kptfileText('shop')
const map = (name: string, namespace = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${namespace === '' ? '' : `  namespace: ${namespace}\n`}`

/** Returns the findings about the objects of a new package, each as PLACE MESSAGE. */
function findingsOf(upstream: Readonly<Record<string, string>>, more: Partial<RenderOfTexts> = {}): readonly string[] {
  const { rendered } = renderOfTexts({
    upstreams: { folders: { 'catalog/shop@v1': { Kptfile: KPTFILE, ...upstream } } },
    revision: 1,
    ...more,
  })
  return rendered.results.map(({ severity, file, position, message, tags }) => {
    return `${severity} ${tags.rule} ${file?.path}:${position?.line} ${message}`
  })
}

const TWICE =
  "warning duplicate-object edge/shop/b.yaml:4 ConfigMap x must be in the package once, is also in 'a.yaml'; a cluster keeps one of the two"

test('an object that upstream has in two files is a warning at the second, also in a subpackage', () => {
  expect(findingsOf({ 'b.yaml': map('x'), 'a.yaml': map('x') })).toEqual([TWICE])
  expect(findingsOf({ 'b.yaml': map('x'), 'sub/Kptfile': KPTFILE, 'sub/a.yaml': map('x') })).toEqual([
    TWICE.replace('b.yaml', 'sub/a.yaml').replace("'a.yaml'", "'b.yaml'"),
  ])
})

test('a package that holds an object twice already has no new twin', () => {
  const files = { Kptfile: KPTFILE, 'a.yaml': map('x'), 'b.yaml': map('x') }
  const upstream = 'upstream:\n  type: git\n  git: {repo: catalog, directory: shop, ref: v1}\n'
  expect(findingsOf(files, { files: { ...files, Kptfile: `${KPTFILE}${upstream}` } })).toEqual([])
})

test('the objects count as the functions of the package leave them', () => {
  const renamed = (from: string, to: string) => functionsOf({ rename: (list) => list.replace(`name: ${from}\n`, `name: ${to}\n`) })
  const run = (files: Readonly<Record<string, string>>, from: string, to: string) =>
    findingsOf({ ...files, Kptfile: pipelineKptfile('{image: test.io/rename}') }, { functions: renamed(from, to) })
  expect(run({ 'a.yaml': map('x'), 'b.yaml': map('y') }, 'y', 'x')).toEqual([TWICE])
  expect(run({ 'a.yaml': map('x'), 'b.yaml': map('x') }, 'x', 'y')).toEqual([])
})

test.each([
  ['in two namespaces', { 'a.yaml': map('x', 'one'), 'b.yaml': map('x', 'two') }],
  ['of two kinds', { 'a.yaml': map('x'), 'b.yaml': map('x').replace('ConfigMap', 'Secret') }],
  [
    'beside a kustomization',
    { 'a.yaml': map('x'), 'b.yaml': map('x'), 'kustomization.yaml': 'kind: Kustomization\nresources: [a.yaml]\n' },
  ],
])('objects %s are no twins', (_, files) => {
  expect(findingsOf(files)).toEqual([])
})

const NO_TEXT = (place: string, field: string, found: string, text: string) =>
  `warning wrong-type edge/shop/${place} \`metadata.${field}\` must be a string, got ${found}; write "${text}"`

test.each([
  ['007', 'the number 007'],
  ['-1.5', 'the number -1.5'],
  ['1e3', 'the number 1e3'],
  ['True', 'the boolean True'],
])('a name %s without quotes, which no API server takes, is a warning', (name, found) => {
  expect(findingsOf({ 'a.yaml': map(name) })).toEqual([NO_TEXT('a.yaml:4', 'name', found, name)])
  expect(findingsOf({ 'a.yaml': map('x', name) })).toEqual([NO_TEXT('a.yaml:5', 'namespace', found, name)])
  const list = `apiVersion: v1\nkind: List\nmetadata: {name: l}\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: ${name}}\n`
  expect(findingsOf({ 'a.yaml': list })).toEqual([NO_TEXT('a.yaml:7', 'name', found, name)])
})

test.each([
  ['in quotes', { 'a.yaml': map('"007"') }],
  ['of a version', { 'a.yaml': map('1.2.3'), 'b.yaml': map('0a') }],
  ['of a Kptfile', { Kptfile: KPTFILE.replace('name: shop', 'name: 007') }],
  ['of an object that is never applied', { 'a.yaml': `${map('007')}  annotations: {config.kubernetes.io/local-config: "true"}\n` }],
])('a name %s is no error', (_, files) => {
  expect(findingsOf(files)).toEqual([])
})

test('a name that a function makes a text, or no text, counts as the function leaves it', () => {
  const renamed = (from: string, to: string) => functionsOf({ rename: (list) => list.replace(`name: ${from}\n`, `name: ${to}\n`) })
  const run = (from: string, to: string) =>
    findingsOf({ 'a.yaml': map(from), Kptfile: pipelineKptfile('{image: test.io/rename}') }, { functions: renamed(from, to) })
  expect(run('007', 'seven')).toEqual([])
  expect(run('seven', '12')).toEqual([NO_TEXT('a.yaml:4', 'name', 'the number 12', '12')])
})

const service = (...ports: readonly string[]) =>
  `apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n${ports.map((port) => `  - ${port}\n`).join('')}`
const HTTP = '{name: http, port: 80}'
const ADMIN = '{name: admin, port: 90}'
const MINE = '{name: http, port: 8080}'

test('ports of one name from people and upstream are a warning of the update that joins them, and of no later one', () => {
  const folder = (...ports: readonly string[]) => ({ Kptfile: KPTFILE, 'service.yaml': service(...ports) })
  const folders = {
    'catalog/shop@v1': folder(ADMIN),
    'catalog/shop@v2': folder(ADMIN, HTTP),
    'catalog/shop@v3': folder('{name: adm, port: 90}', HTTP),
  }
  const upstream = (ref: string) => `${KPTFILE}upstream:\n  type: git\n  git: {repo: catalog, directory: shop, ref: ${ref}}\n`
  const update = (revision: number, ...ports: readonly string[]) => {
    const files = { Kptfile: upstream(`v${revision - 1}`), 'service.yaml': service(...ports) }
    const { rendered } = renderOfTexts({ upstreams: { folders }, revision, files })
    return rendered.results.map(({ file, position, message, tags }) => `${tags.rule} ${file?.path}:${position?.line} ${message}`)
  }
  expect(update(2, ADMIN, MINE)).toEqual([
    // The mark of a clone is two lines above.
    "repeated-entry edge/shop/service.yaml:11 `spec.ports[2].name` must be of one entry only, is 'http' as `spec.ports[1].name`; the API server refuses the object",
  ])
  expect(update(3, ADMIN, MINE, HTTP)).toEqual([])
})

test('two ports of one name that upstream has are no warning of the first render: check names them', () => {
  const folders = { 'catalog/shop@v1': { Kptfile: KPTFILE, 'service.yaml': service(HTTP, MINE) } }
  expect(renderOfTexts({ upstreams: { folders }, revision: 1 }).rules).toEqual([])
})
