import { expect, test } from 'vitest'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { functionsOf, pipelineKptfile } from '../testing/functions-of.ts'
import { type RenderOfTexts, renderOfTexts } from '../testing/render-of-texts.ts'

const KPTFILE = kptfileText('shop')
const map = (name: string, namespace = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${namespace === '' ? '' : `  namespace: ${namespace}\n`}`

/** Returns the findings about objects that a new package holds twice, each as PLACE MESSAGE. */
function twinsOf(upstream: Readonly<Record<string, string>>, more: Partial<RenderOfTexts> = {}): readonly string[] {
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
  expect(twinsOf({ 'b.yaml': map('x'), 'a.yaml': map('x') })).toEqual([TWICE])
  expect(twinsOf({ 'b.yaml': map('x'), 'sub/Kptfile': KPTFILE, 'sub/a.yaml': map('x') })).toEqual([
    TWICE.replace('b.yaml', 'sub/a.yaml').replace("'a.yaml'", "'b.yaml'"),
  ])
})

test('a package that holds an object twice already has no new twin', () => {
  const files = { Kptfile: KPTFILE, 'a.yaml': map('x'), 'b.yaml': map('x') }
  const upstream = 'upstream:\n  type: git\n  git: {repo: catalog, directory: shop, ref: v1}\n'
  expect(twinsOf(files, { files: { ...files, Kptfile: `${KPTFILE}${upstream}` } })).toEqual([])
})

test('the objects count as the functions of the package leave them', () => {
  const renamed = (from: string, to: string) => functionsOf({ rename: (list) => list.replace(`name: ${from}\n`, `name: ${to}\n`) })
  const run = (files: Readonly<Record<string, string>>, from: string, to: string) =>
    twinsOf({ ...files, Kptfile: pipelineKptfile('{image: test.io/rename}') }, { functions: renamed(from, to) })
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
  expect(twinsOf(files)).toEqual([])
})
