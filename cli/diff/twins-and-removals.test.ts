import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const set = (revision: number) => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: ${revision}}
  targets: [{repositories: [{name: ams}]}]
`
const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options}
spec: {fleet: f, out: packages, repositories: {catalog: {path: catalog}}}
`
const REPOSITORY = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: ams}\nspec: {deployment: true}\n'
const map = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: web\ndata:\n  from: ${value}\n`

let fleet: TestRepository

beforeEach(async () => {
  fleet = new TestRepository(testFolder())
  fleet.write('options.yaml', OPTIONS)
  fleet.write('ams.yaml', REPOSITORY)
  fleet.write('set.yaml', set(1))
  for (const revision of [1, 2]) {
    fleet.write(`catalog/web@v${revision}/Kptfile`, 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n')
    fleet.write(`catalog/web@v${revision}/a.yaml`, map('a', 'one'))
  }
  fleet.write('catalog/web@v2/extra.yaml', map('extra', 'upstream'))
  expect(await fleet.run('render', '.')).toMatchObject({ exitCode: 0 })
  fleet.commit('rendered')
})

/** Returns the lines of the diff that name the causes of a change of an object. */
async function causes(object: string): Promise<readonly string[]> {
  const { stdout } = await fleet.run('diff', 'HEAD')
  const [, change = ''] = new RegExp(`^.*  ConfigMap web/${object} .*\\n((?: {4}.*\\n)*)`, 'm').exec(stdout) ?? []
  return change.split('\n').filter((line) => line.includes('because'))
}

test('an object that an update brings beside one of people has the cause of the update only', async () => {
  fleet.write('packages/ams/web/mine.yaml', map('extra', 'people'))
  fleet.commit('an object of people')
  fleet.write('set.yaml', set(2))
  await fleet.run('render', '.')
  expect(await causes('extra')).toEqual(['    because catalog/web 1 → 2  set.yaml:5'])
  fleet.commit('updated')
  fleet.remove('packages/ams/web/mine.yaml')
  expect(await causes('extra')).toEqual(['    because edited in the package'])
})

test('a package that people removed, and that upstream changed in place, names both and no line of a file that is gone', async () => {
  fleet.replace('catalog/web@v1/a.yaml', 'from: one', 'from: two')
  fleet.remove('packages/ams/web')
  const both = [
    '    because catalog/web 1 has other content  catalog/web@v1/a.yaml:7',
    '    because the package was removed from the folder, and is made anew',
  ]
  expect(await causes('a')).toEqual(both)
})

test('an edit that goes with a package that people removed has no line', async () => {
  fleet.replace('packages/ams/web/a.yaml', 'from: one', 'from: people')
  fleet.commit('edited')
  fleet.remove('packages/ams/web')
  expect(await causes('a')).toEqual(['    because the package was removed from the folder, and is made anew'])
})
