import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'

const KPTFILE = kptfileText('shop')
const yaml = (name: string, value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: ${value}\n`
const json = (name: string, value: string) =>
  `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } })}\n`
const calling = (configPath: string) => `pipeline:\n  mutators:\n  - {image: 'apply-setters:v0.2', configPath: ${configPath}}\n`
const local = (text: string) => text.replace('data:', '  annotations:\n    config.kubernetes.io/local-config: "true"\ndata:')

/** Updates a package that people edited, and returns the messages about objects that upstream brought, and the files of the package. */
function update(v1: TestFiles, v2: TestFiles, edits: TestFiles): { readonly found: readonly string[]; readonly files: readonly string[] } {
  const fleet = new OneVariantFleet({ v1: { Kptfile: KPTFILE, ...v1 }, v2: { Kptfile: KPTFILE, ...v2 } })
  fleet.render(1)
  fleet.writeAll('out/edge/shop', edits)
  const { results } = fleet.render(2)
  const found = results.flatMap(({ file, message, tags }) =>
    tags.rule === 'duplicate-object' || tags.rule === 'edit-lost' ? [`${file?.path.replace('out/edge/shop/', '')} ${message}`] : [],
  )
  return { found, files: Object.keys(fleet.files()).filter((path) => path !== 'Kptfile' && path !== 'package-context.yaml') }
}

const beside = (here: string, there: string) =>
  `${here} ConfigMap x must be in the package once, is now also in '${there}', where upstream has it; remove one of the two`

test.each([
  { what: 'a file of people', v1: {}, v2: { 'x.yaml': yaml('x', 'up') }, edits: { 'own.yaml': yaml('x', 'mine') } },
  { what: 'JSON of people', v1: {}, v2: { 'x.yaml': yaml('x', 'up') }, edits: { 'own.json': json('x', 'mine') } },
  { what: 'JSON of upstream', v1: {}, v2: { 'x.json': json('x', 'up') }, edits: { 'own.yaml': yaml('x', 'mine') } },
  {
    what: 'an edited file that upstream made JSON',
    v1: { 'own.yaml': yaml('x', 'one') },
    v2: { 'x.json': json('x', 'one') },
    edits: { 'own.yaml': yaml('x', 'mine') },
  },
  {
    what: 'an edited file of JSON that upstream made YAML',
    v1: { 'own.json': json('x', 'one') },
    v2: { 'x.yaml': yaml('x', 'one') },
    edits: { 'own.json': json('x', 'mine') },
  },
  {
    what: 'a file of people, in a file that it had',
    v1: { 'x.yaml': yaml('y', 'one') },
    v2: { 'x.yaml': `${yaml('y', 'one')}---\n${yaml('x', 'up')}` },
    edits: { 'own.yaml': yaml('x', 'mine') },
  },
])('an object that upstream brings beside $what stays twice, with a warning', ({ v1, v2, edits }) => {
  const [own = ''] = Object.keys(edits)
  const [there = ''] = Object.keys(v2)
  expect(update(v1, v2, edits)).toEqual({ found: [beside(own, there)], files: [own, there].sort() })
})

test('an object that upstream brings beside one in a subpackage is there twice, and so is one in two subpackages', () => {
  const own = { 'sub/Kptfile': KPTFILE, 'sub/own.yaml': yaml('x', 'mine') }
  expect(update({}, { 'x.yaml': yaml('x', 'up') }, own).found).toEqual([beside('sub/own.yaml', 'x.yaml')])
  expect(update({}, { 'net/Kptfile': KPTFILE, 'net/x.yaml': yaml('x', 'up') }, own).found).toEqual([beside('sub/own.yaml', 'net/x.yaml')])
})

test('an edited object whose subpackage upstream renamed is there twice', () => {
  const at = (folder: string, value: string) => ({ [`${folder}/Kptfile`]: KPTFILE, [`${folder}/x.yaml`]: yaml('x', value) })
  const { found } = update(at('sub', 'one'), at('net', 'one'), { 'sub/x.yaml': yaml('x', 'mine') })
  expect(found).toEqual([beside('sub/x.yaml', 'net/x.yaml')])
})

test('an object that people deleted and that upstream made JSON comes back with a warning', () => {
  const { found } = update({ 'x.yaml': yaml('x', 'one') }, { 'x.json': json('x', 'two') }, { 'x.yaml': undefined })
  expect(found).toEqual(["x.json ConfigMap x was deleted here, and comes back: upstream moved it from 'x.yaml' to this file"])
})

test.each([
  { what: 'local to the package', v2: { 'x.yaml': local(yaml('x', 'up')) }, edits: { 'own.yaml': local(yaml('x', 'mine')) } },
  {
    what: 'that is the config of a function, in a subpackage,',
    v2: { 'x.yaml': yaml('x', 'up') },
    edits: { 'sub/Kptfile': `${KPTFILE}${calling('own.yaml')}`, 'sub/own.yaml': yaml('x', 'mine') },
  },
  {
    what: 'in a subpackage with a kustomization',
    v2: { 'x.yaml': yaml('x', 'up') },
    edits: { 'sub/Kptfile': KPTFILE, 'sub/own.yaml': yaml('x', 'mine'), 'sub/kustomization.yaml': 'resources: [other.yaml]\n' },
  },
  {
    what: 'named by a placeholder in a subpackage',
    v2: { 'x.yaml': yaml('${NAME}', 'up') },
    edits: { 'sub/Kptfile': KPTFILE, 'sub/own.yaml': yaml('${NAME}', 'mine') },
  },
  { what: 'of another kind', v2: { 'x.yaml': yaml('x', 'up') }, edits: { 'own.yaml': yaml('x', 'mine').replace('ConfigMap', 'Secret') } },
  { what: 'in JSON that cannot be read', v2: { 'x.yaml': yaml('x', 'up') }, edits: { 'own.json': '{"kind": "ConfigMap", "metadata": {' } },
])('an object $what is not the one that upstream brings', ({ v2, edits }) => {
  expect(update({}, v2, edits).found).toEqual([])
})
