import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'

const LABELS = 'ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0'

function revision(value: string, more: TestFiles = {}): TestFiles {
  return {
    Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n  - {image: '${LABELS}', configMap: {v: ${value}}}\n`,
    'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  value: ${value}\n`,
    ...more,
  }
}

/** Returns the files of a package that was updated, and those of a new package of the same revision. */
function updatedAndNew(v1: TestFiles, v2: TestFiles, runs: boolean): readonly [TestFiles, TestFiles] {
  const updated = new OneVariantFleet({ v1, v2 })
  updated.render(1, { runs })
  updated.render(2, { runs })
  const made = new OneVariantFleet({ v2 })
  made.render(2, { runs })
  return [updated.files(), made.files()]
}

test.each([true, false])(
  'a new file whose resource has a merge comment of its own gets the marks of a clone (functions run: %s)',
  (runs) => {
    const file = 'apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: a/x\n  name: x\n  namespace: b\n'
    const cnrm = 'apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPolicy\nmetadata: # kpt-merge: a/p\n  name: p\n'
    const [updated, made] = updatedAndNew(revision('one'), revision('two', { 'new.yaml': file, 'cnrm.yaml': cnrm }), runs)
    expect(updated).toEqual(made)
    expect(updated['new.yaml']).toContain('upstream-identifier')
  },
)

test.each([true, false])('the package context of a subpackage follows a new name of its Kptfile (functions run: %s)', (runs) => {
  const sub = (name: string): TestFiles => ({
    'sub/Kptfile': `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n`,
    'sub/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n',
  })
  const [updated, made] = updatedAndNew(revision('one', sub('old')), revision('two', sub('new')), runs)
  expect(updated['sub/package-context.yaml']).toContain('  name: new\n')
  expect(updated).toEqual(made)
})

test('a name that people gave the package context of a subpackage stays', () => {
  const sub = (name: string): TestFiles => ({ 'sub/Kptfile': `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n` })
  const fleet = new OneVariantFleet({ v1: revision('one', sub('old')), v2: revision('two', sub('new')) })
  fleet.render(1)
  fleet.editPackage('sub/package-context.yaml', 'name: old', 'name: mine')
  fleet.render(2)
  expect(fleet.readPackage('sub/package-context.yaml')).toContain('name: mine')
})

test.each([
  ['behind the first separator', (text: string) => `--- # team start\n${text}`, '--- # team start\n'],
  ['in a document of its own', (text: string) => `# team start\n---\n${text}`, '# team start\n---\n'],
  ['behind the last separator', (text: string) => `${text}--- # the end\n`, '--- # the end\n'],
])('a comment of people %s stays in an update with functions', (_, edit, kept) => {
  const fleet = new OneVariantFleet({ v1: revision('one'), v2: revision('two') })
  fleet.render(1)
  fleet.write('out/edge/shop/a.yaml', edit(fleet.readPackage('a.yaml')))
  fleet.render(2)
  expect(fleet.readPackage('a.yaml')).toContain(kept)
  expect(fleet.readPackage('a.yaml')).toContain('value: two')
})
