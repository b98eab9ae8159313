import { expect, test } from 'vitest'
import { plannedVariants } from '../fleet/planned-variants.ts'
import { planOf, resourceListOf, type Written } from '../fleet/testing/fleet-of-objects.ts'
import type { JsonRecord } from '../json.ts'
import { type DeployedPackage, type OtherFiles, readDeployedPackages } from './deployed-packages.ts'
import { gitRepositoryOf, renderedPackage, resourceOf, variantOf } from './testing/sync-of-objects.ts'

const FLEET: readonly Written[] = [gitRepositoryOf('one'), variantOf('one', 'net')]
const KPTFILE = { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'net' } }
const A = resourceOf('ConfigMap', 'a')
const B = resourceOf('ConfigMap', 'b')

/** Returns the content of the package of the variant `one-net`. */
function contentOf(written: readonly Written[], files: OtherFiles = {}, fleet: readonly Written[] = FLEET): DeployedPackage | undefined {
  const variants = plannedVariants(planOf(fleet, { allowEmpty: true }))
  const [variant] = variants
  if (variant === undefined) throw new Error('one variant was asked for')
  return readDeployedPackages(resourceListOf([...fleet, ...written]).items, files).of(variant)
}

/** Returns the upstream package `catalog/net` in a folder. */
function upstreamIn(folder: string, ...objects: readonly JsonRecord[]): readonly Written[] {
  return [[`${folder}/Kptfile`, KPTFILE], ...objects.map((object, index): Written => [`${folder}/${index}.yaml`, object])]
}

const names = (objects: readonly { readonly name?: string | undefined }[] | undefined) => objects?.map(({ name }) => name)

test('the content of a variant is its rendered package, else its upstream package, else not known', () => {
  const upstream = upstreamIn('catalog/net@v1', A)
  const rendered = renderedPackage('one', 'net', [B])
  expect(contentOf([...upstream, ...rendered])).toMatchObject({ isRendered: true, folder: 'packages/one/net', applied: [{ name: 'b' }] })
  expect(contentOf(upstream)).toMatchObject({ isRendered: false, folder: 'catalog/net@v1', applied: [{ name: 'a' }] })
  expect(contentOf(renderedPackage('two', 'net', [B]))).toBeUndefined()
  expect(contentOf([])).toBeUndefined()
})

test.each([
  ['catalog/net@v1', true],
  ['catalog/net@1', true],
  ['deep/er/catalog/net@v1', true],
  ['catalog/net@v2', false],
  ['catalog/net', false],
  ['catalog/net@v1/sub', false],
  ['other/net@v1', false],
  ['mycatalog/net@v1', false],
])('the folder %s has the upstream package catalog/net at revision 1: %s', (folder, isFound) => {
  expect(contentOf(upstreamIn(folder, A))?.folder).toBe(isFound ? folder : undefined)
})

test('a package that render made for a variant is not an upstream package, and one of another kind than a Kptfile is none', () => {
  const marked = { ...KPTFILE, metadata: { name: 'net', annotations: { 'krm-variants.dev/package-variant': 'default/other' } } }
  expect(contentOf([['catalog/net@v1/Kptfile', marked]])).toBeUndefined()
  expect(contentOf([['catalog/net@v1/Kptfile', A]])).toBeUndefined()
  expect(contentOf([['catalog/net@v1/Kptfile.yaml', KPTFILE]])).toBeUndefined()
})

test('a workspace names the folder of an upstream draft', () => {
  const [path, variant] = variantOf('one', 'net') as readonly [string, { spec: JsonRecord } & JsonRecord]
  const upstream = { repo: 'catalog', package: 'net', workspaceName: 'draft-1' }
  const fleet: readonly Written[] = [gitRepositoryOf('one'), [path, { ...variant, spec: { ...variant.spec, upstream } }]]
  expect(contentOf(upstreamIn('catalog/net@draft-1', A), {}, fleet)?.folder).toBe('catalog/net@draft-1')
  expect(contentOf(upstreamIn('catalog/net@v1', A), {}, fleet)).toBeUndefined()
})

test('objects for tools and for the cluster are distinguished, and what is no object has its path in the package', () => {
  const annotated = (name: string, value: string): JsonRecord => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, annotations: { 'config.kubernetes.io/local-config': value } },
  })
  const objects = [
    A,
    annotated('local', 'true'),
    annotated('Local', 'True'),
    annotated('no', 'false'),
    resourceOf('SetLabels', 'fn', '', 'fn.kpt.dev/v1alpha1'),
    resourceOf('Own', 'own', '', 'fn.krm-variants.dev/v1'),
    resourceOf('Other', 'other', '', 'myfn.kpt.dev/v1'),
    { replicas: 1 },
  ]
  const content = contentOf(renderedPackage('one', 'net', objects), {
    templates: ['packages/one/net/t/x.tpl', 'packages/one/neta/y.tpl', 'packages/one/x.tpl'],
  })
  expect(names(content?.applied)).toEqual(['a', 'no', 'other'])
  expect(names(content?.local)).toEqual(['local', 'Local', 'fn', 'own'])
  expect([...(content?.strange.keys() ?? [])]).toEqual(['h.yaml', 't/x.tpl'])
  expect(content?.strange.get('h.yaml')?.toJson()).toEqual({ replicas: 1 })
  expect(content?.strange.get('t/x.tpl')).toBeUndefined()
})

test('the entries of a List are the objects, and a subpackage belongs to the package around it', () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [A, B] }
  const sub: Written = ['packages/one/net/sub/Kptfile', { ...KPTFILE, metadata: { name: 'sub' } }]
  const inSub: Written = ['packages/one/net/sub/c.yaml', resourceOf('ConfigMap', 'c')]
  const beside: Written = ['packages/one/net-2/d.yaml', resourceOf('ConfigMap', 'd')]
  expect(names(contentOf([...renderedPackage('one', 'net', [list]), sub, inSub, beside])?.applied)).toEqual(['a', 'b', 'c'])
})

test('a package in the top folder has the files of the whole tree', () => {
  const annotations = { 'krm-variants.dev/package-variant': 'default/one-net' }
  const content = contentOf(
    [
      ['Kptfile', { ...KPTFILE, metadata: { name: 'net', annotations } }],
      ['x.yaml', { replicas: 1 }],
    ],
    { exists: (path) => path === 'Kustomization' },
  )
  expect(content).toMatchObject({ folder: '', isKustomized: true, isBuilt: true })
  expect([...(content?.strange.keys() ?? [])]).toEqual(['x.yaml'])
})

test.each([
  ['kustomization.yaml', true, true],
  ['kustomization.yml', true, true],
  ['Kustomization', true, true],
  ['Chart.yaml', false, true],
  ['sub/kustomization.yaml', false, false],
  ['values.yaml', false, false],
])('with the file %s a package is a kustomization: %s, and built by Argo CD: %s', (name, isKustomized, isBuilt) => {
  const exists = (path: string) => path === `packages/one/net/${name}`
  expect(contentOf(renderedPackage('one', 'net', [A]), { exists })).toMatchObject({ isKustomized, isBuilt })
})

test('without other files the files of the items exist alone', () => {
  const kustomization: Written = ['packages/one/net/kustomization.yaml', { kind: 'Kustomization', resources: ['a.yaml'] }]
  expect(contentOf([...renderedPackage('one', 'net', [A]), kustomization])).toMatchObject({ isKustomized: true, isBuilt: true })
  expect(contentOf(renderedPackage('one', 'net', [A]))).toMatchObject({ isKustomized: false, isBuilt: false })
})

test('a rendered package is built if its upstream package is, of two sources that which is built', () => {
  const [rendered, plain, built] = [renderedPackage('one', 'net', [A]), upstreamIn('catalog/net@v1', A), upstreamIn('b/catalog/net@v1', B)]
  const exists = (path: string) => path === 'b/catalog/net@v1/Chart.yaml'
  expect(contentOf([...rendered, ...plain], { exists })).toMatchObject({ isRendered: true, isKustomized: false, isBuilt: false })
  expect(contentOf([...rendered, ...plain, ...built], { exists })).toMatchObject({ isRendered: true, isKustomized: false, isBuilt: true })
  expect(contentOf([...plain, ...built], { exists })).toMatchObject({ isRendered: false, folder: 'b/catalog/net@v1' })
  expect(contentOf([...plain, ...built])).toMatchObject({ folder: 'catalog/net@v1' })
})

test('a package knows its folder in git, if the items are in a repository', () => {
  const rendered = renderedPackage('one', 'net', [A])
  expect(contentOf(rendered)?.inGit).toBeUndefined()
  expect(contentOf(rendered, { inGit: (path) => `fleet/${path}` })?.inGit).toBe('fleet/packages/one/net')
})
