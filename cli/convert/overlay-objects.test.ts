import { expect, test } from 'vitest'
import type { ExplainedCall } from '../../src/convert/explain-overlay.ts'
import { readVendorObjects } from '../../src/intake/vendor-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { addedTo, baseObjects, leavesObjects, overlayObjects, pairOverlay } from './overlay-objects.ts'

function objectsOf(...names: readonly string[]) {
  const texts = names.map((name) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { env: 'prod' } } }))
  return readVendorObjects([{ name: 'a.yaml', bytes: Buffer.from(texts.join('\n---\n')) }]).objects
}

const base = (...names: readonly string[]) => ({
  objects: objectsOf(...names),
  results: [],
  origin: { source: 'kustomize' as const, name: 'base', sha256: 'x' },
})
const TREE = {
  bases: new Map([
    ['one', base('web', 'gone')],
    ['two', base('db')],
  ]),
  targets: new Map([['prod', objectsOf('web', 'db', 'own')]]),
}
const PROD = { id: 'prod', path: 'prod', target: 'prod', folder: 'prod', labels: {}, bases: ['one', 'two'] }
const names = (objects: readonly KrmObject[]) => objects.map(({ name }) => name)

test('a base or an overlay that was not built has no objects', () => {
  expect([names(baseObjects(TREE, 'one')), baseObjects(TREE, 'three')]).toEqual([['web', 'gone'], []])
  expect([names(overlayObjects(TREE, PROD)), overlayObjects(TREE, { id: 'qa' })]).toEqual([['web', 'db', 'own'], []])
})

test('the objects of an overlay are in pairs with those of all its bases, and the others are added to the first base', () => {
  const paired = pairOverlay(TREE, PROD)
  expect([...paired.pairs].map(([object, other]) => [object.name, other.name])).toEqual([
    ['web', 'web'],
    ['db', 'db'],
  ])
  expect(names(addedTo('one', PROD, paired))).toEqual(['own'])
  expect(addedTo('two', PROD, paired)).toEqual([])
  expect(names(pairOverlay(TREE, { ...PROD, bases: ['two'] }).added)).toEqual(['web', 'own'])
})

test.each<[string, string, boolean]>([
  ['the label that the objects have', 'prod', true],
  ['another label', 'qa', false],
])('a function that sets %s leaves objects as they are or not', (_, env, leaves) => {
  const call: ExplainedCall = { fn: 'set-labels', fixed: {}, values: { env } }
  const objects = objectsOf('web', 'db').map(({ object }) => object)
  expect(leavesObjects(call, objects)).toBe(leaves)
  expect(leavesObjects(call, [])).toBe(true)
})
