import { expect, test } from 'vitest'
import { readInput } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import { checkObjects } from '../check-objects.ts'
import { itemFields } from '../reading/field.ts'
import { resolveObjects } from '../resolve-objects.ts'
import { fieldOf, objectOf, packageObject } from './testing/objects.ts'

const APP = 'xpkg.example.org/acme/app'
const ADD = 'xpkg.example.org/acme/add'
const REQUIRED = { apiVersion: 'pkg.example.org/v2', kind: 'AddOn', package: ADD, version: '>=v1.0.0' }
const CATALOG = [
  { ecosystem: 'crossplane', id: APP, versions: [{ version: 'v1.0.0', dependencies: [REQUIRED] }] },
  { ecosystem: 'crossplane', id: ADD, versions: ['v1.0.0', 'v1.1.0'] },
]
const PARENT = packageObject('app', `${APP}:v1.0.0`, {}, 'Configuration')

const addOn = (tag: string, more: object = {}, annotations: object = {}) =>
  objectOf({
    apiVersion: 'pkg.example.org/v1',
    kind: 'AddOn',
    metadata: { name: 'a', annotations },
    spec: { package: `${ADD}:${tag}` },
    ...more,
  })
const inputOf = (...objects: Parameters<typeof objectOf>[0][]) => ({
  ...readInput([]),
  objects: [PARENT, ...objects.map((object) => objectOf(object))],
  listed: itemFields(fieldOf(CATALOG)),
})
const POLICY = { strategy: 'satisfy', upgrades: 'none', downgrades: false, prune: true, maxSteps: 1000 } as const

test('a package of a kind that others define is installed once: a second run changes nothing', () => {
  const [edit] = resolveObjects(inputOf(), POLICY).edits
  const made = edit?.type === 'add' ? edit.object : {}
  expect(made).toMatchObject({ apiVersion: 'pkg.example.org/v2', kind: 'AddOn', spec: { package: `${ADD}:v1.1.0` } })
  expect(resolveObjects(inputOf(made), POLICY)).toEqual({ edits: [], findings: [], faults: [] })
})

test('an object of another version of the kind that a person wrote counts too, and its version is compared', () => {
  const rulesWith = (tag: string) =>
    checkObjects({ ...inputOf(), objects: [PARENT, addOn(tag)] }, { downgrades: false }).map(({ rule }) => rule)
  expect(rulesWith('v1.0.0')).not.toContain('dependency-missing')
  expect(rulesWith('v0.9.0')).toContain('dependency-conflict')
})

test('an object of another kind, or of a group that nothing requires, is no package', () => {
  const editsWith = (more: object) => resolveObjects({ ...inputOf(), objects: [PARENT, addOn('v1.0.0', more)] }, POLICY).edits.length
  expect([editsWith({ kind: 'Other' }), editsWith({ apiVersion: 'pkg.example.com/v2' }), editsWith({})]).toEqual([1, 1, 0])
})

test("an object of Crossplane's own group whose kind is misspelt is no package, not even one that a resolution made", () => {
  const misspelt = addOn('v1.0.0', { apiVersion: 'pkg.crossplane.io/v1', kind: 'Porvider' }, { 'krm-variants.dev/resolved': 'v1.0.0' })
  expect(resolveObjects({ ...inputOf(), objects: [PARENT, misspelt] }, POLICY).edits).toEqual([
    expect.objectContaining({ type: 'add', object: expect.objectContaining({ kind: 'AddOn' }) }),
  ])
})

test('what a resolution made is removed when nothing requires it any more', () => {
  const person = packageObject('other', 'xpkg.example.org/acme/other:v1.0.0')
  const made = addOn('v1.1.0', {}, { 'krm-variants.dev/resolved': 'v1.1.0' })
  const listed = itemFields(
    fieldOf([
      { ecosystem: 'crossplane', id: 'xpkg.example.org/acme/other', versions: [{ version: 'v1.0.0', dependencies: [] }] },
      { ...CATALOG[1], versions: [{ version: 'v1.1.0', dependencies: [] }] },
    ]),
  )
  const { edits } = resolveObjects({ ...inputOf(), objects: [person, made], listed }, POLICY)
  expect(edits).toEqual([{ type: 'remove', object: made }])
})
