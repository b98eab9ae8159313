import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { VARIANT_ANNOTATION } from '../../well-known.ts'
import { type ClusterPlaces, likelyPattern, partsOf } from './clusters.ts'

function at(path: string, kind = 'ConfigMap', more = ''): KrmObject {
  const group = kind === 'Repository' || kind === 'PackageVariantSet' ? 'config.porch.kpt.dev/v1alpha1' : 'v1'
  const name = path.replace(/\W+/g, '-').toLowerCase()
  const text = `apiVersion: ${kind === 'Kptfile' ? 'kpt.dev/v1' : group}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${more}`
  return KrmObject.fromDocument(text, { path, index: 0, line: 1 })
}

function repository(name: string, path = 'fleet/repositories.yaml', spec = 'deployment: true'): KrmObject {
  const text = `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: ${name}}\nspec: {${spec}}\n`
  return KrmObject.fromDocument(text, { path, index: 0, line: 1 })
}

const MARKED = `  annotations: {${VARIANT_ANNOTATION}: default/v}\n`

/** Returns the files of each part: `ber: a.yaml b.yaml`, '-' for what is beside the clusters, 'not installed' for an upstream package. */
function filesOf(items: readonly KrmObject[], places: Partial<ClusterPlaces>): readonly string[] {
  return partsOf(items, { patterns: [], ...places }).map(
    (part) => `${part.cluster ?? (part.isInstalled ? '-' : 'not installed')}: ${part.items.map(({ file }) => file?.path).join(' ')}`,
  )
}

test('a list without a fleet is one part', () => {
  expect(filesOf([at('clusters/ber/a.yaml'), at('clusters/ham/a.yaml')], {})).toEqual(['-: clusters/ber/a.yaml clusters/ham/a.yaml'])
})

test('the folder of the caller may have the word of the pattern in its name', () => {
  const items = [at('NAME/x/clusters/ber/a.yaml'), at('NAME/x/clusters/ham/b/c.yaml'), at('NAME/x/base/a.yaml')]
  expect(filesOf(items, { folder: 'NAME/x', patterns: ['clusters/NAME/**'] })).toEqual([
    'ber: NAME/x/clusters/ber/a.yaml',
    'ham: NAME/x/clusters/ham/b/c.yaml',
    'not installed: NAME/x/base/a.yaml',
  ])
})

test('a function does not know the folder that a pattern begins in', () => {
  const items = [at('dir/apps/overlays/prod-ber/a.yaml'), at('dir/apps/overlays/prod-ham/a.yaml')]
  expect(filesOf(items, { patterns: ['apps/**/prod-NAME'] })).toEqual([
    'ber: dir/apps/overlays/prod-ber/a.yaml',
    'ham: dir/apps/overlays/prod-ham/a.yaml',
    'not installed: ',
  ])
})

test('without `out` the folders of Repositories are found by the rendered packages', () => {
  const items = [repository('ber'), repository('ham'), at('fleet/set.yaml', 'PackageVariantSet')]
  const packages = [at('fleet/out/ber/db/Kptfile', 'Kptfile', MARKED), at('fleet/out/ham/db/Kptfile', 'Kptfile', MARKED)]
  expect(filesOf([...items, ...packages], {}).slice(0, 2)).toEqual(['ber: fleet/out/ber/db/Kptfile', 'ham: fleet/out/ham/db/Kptfile'])
})

test('a Repository that is an upstream and no deployment is no cluster', () => {
  const set = at('fleet/set.yaml', 'PackageVariantSet', 'spec:\n  upstream: {repo: region, package: db, revision: 1}\n')
  const items = [repository('ber'), repository('region', 'fleet/repositories.yaml', 'deployment: false'), set]
  const packages = [at('fleet/out/ber/db/Kptfile', 'Kptfile'), at('fleet/out/region/db/Kptfile', 'Kptfile')]
  expect(filesOf([...items, ...packages], { folder: 'fleet', out: 'fleet/out' })[0]).toBe('ber: fleet/out/ber/db/Kptfile')
})

test.each([
  ['clusters/ber/q.yaml', 'clusters/ham/q.yaml', 'clusters/NAME/**'],
  ['ber/net/q.yaml', 'ham/net/q.yaml', 'NAME/**'],
  ['a/q.yaml', 'a/r.yaml', undefined],
  ['a/b/q.yaml', 'c/d/q.yaml', undefined],
])('%s and %s are two clusters under the pattern %s', (one, other, pattern) => {
  expect(likelyPattern(one, other)).toBe(pattern)
})
