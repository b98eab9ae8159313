import { expect, test } from 'vitest'
import { OneVariantFleet, rulesOf } from '../../../testdata/one-variant-fleet.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'
const LOCAL = 'annotations: {config.kubernetes.io/local-config: "true"}'

function kptfile(...functions: readonly string[]): string {
  if (functions.length === 0) return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop, ${LOCAL}}\n`
  const lines = functions.map((fn) => `  - ${fn}\n`).join('')
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop, ${LOCAL}}\npipeline:\n  mutators:\n${lines}`
}

function configMap(name: string, value: string, annotations = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${annotations === '' ? '' : `, ${annotations}`}}\ndata: {value: ${value}}\n`
}

const REMOVE = `image: ${CATALOG}/remove-local-config-resources:v0.1.0`
const PREFIX = `{image: ${CATALOG}/ensure-name-substring:v0.2.0, configMap: {prepend: eu-}}`
const POINT = 'annotations: {kpt.dev/config-injection: optional, config.kubernetes.io/local-config: "true"}'

function revisions(...functions: readonly string[]): Readonly<Record<string, TestFiles>> {
  const files = (value: string): TestFiles => ({
    Kptfile: kptfile(...functions),
    'app.yaml': configMap('app', value),
    'local.yaml': configMap('local', value, LOCAL),
    'point.yaml': configMap('point', 'none', POINT),
    // The function that renames refuses two objects of one name, as two package contexts are.
    ...(!functions.includes(PREFIX) && {
      'db/Kptfile': `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: db, ${LOCAL}}\n`,
      'db/db.yaml': configMap('db', value),
    }),
  })
  return { v1: files('one'), v2: files('two') }
}

test('objects that the next render needs stay when a function of upstream removes local config', () => {
  const fleet = new OneVariantFleet(revisions(REMOVE))
  expect(rulesOf(fleet.render(1))).toContain('needed-by-render')
  const needed = ['Kptfile', 'db/Kptfile', 'db/package-context.yaml', 'package-context.yaml', 'point.yaml']
  expect(Object.keys(fleet.files())).toEqual(['Kptfile', 'app.yaml', ...needed.slice(1, 2), 'db/db.yaml', ...needed.slice(2)])
  const { fates } = fleet.render(2)
  expect(Object.fromEntries(fates)).toEqual({ updated: 1 })
  expect(fleet.readPackage('app.yaml')).toContain('value: two')
})

test('the package context keeps its name when a function of upstream renames all resources, and an injection point follows', () => {
  const fleet = new OneVariantFleet(revisions(PREFIX))
  expect(rulesOf(fleet.render(1))).toContain('needed-by-render')
  expect(fleet.readPackage('package-context.yaml')).toContain('name: kptfile.kpt.dev')
  expect(fleet.readPackage('point.yaml')).toContain('name: eu-point')
  expect(fleet.readPackage('app.yaml')).toContain('name: eu-app')
})

test('a package is refused when a function of its variant renames the package context', () => {
  const { v1 = {} } = revisions()
  const fleet = new OneVariantFleet({ v1: { ...v1, 'db/Kptfile': undefined } })
  fleet.spec = `  pipeline:\n    mutators:\n    - ${PREFIX.replace('{', '{name: eu, ')}\n`
  expect(rulesOf(fleet.render(1))).toContain('needed-by-render')
  expect(() => fleet.files()).toThrow()
})

test('the owner and the upstream of a package survive a function that replaces texts everywhere', () => {
  const replace = `{image: ${CATALOG}/search-replace:v0.2.0, configMap: {by-value-regex: '.*shop.*', put-value: gone}}`
  const fleet = new OneVariantFleet(revisions(replace))
  expect(rulesOf(fleet.render(1))).toContain('needed-by-render')
  const after = fleet.readPackage('Kptfile')
  expect(after).toContain('krm-variants.dev/package-variant: default/edge-shop')
  expect(after).toContain('directory: /shop')
  expect(Object.fromEntries(fleet.render(2).fates)).toEqual({ updated: 1 })
})

test('a package is refused when a function that upstream does not have removes what the next render needs', () => {
  const fleet = new OneVariantFleet(revisions())
  fleet.spec = `  pipeline:\n    mutators:\n    - {name: clean, ${REMOVE}}\n`
  const { results, fates } = fleet.render(1)
  expect(Object.fromEntries(fates)).toEqual({ failed: 1 })
  expect(results.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/`spec\.pipeline\.mutators\[0\]` .*'clean' removes 'Kptfile'/),
  )
})

test('a package is refused when a person adds a function that removes what the next render needs', () => {
  const fleet = new OneVariantFleet(revisions())
  fleet.render(1)
  fleet.editPackage('Kptfile', 'upstream:', `pipeline:\n  mutators:\n  - ${REMOVE}\nupstream:`)
  const before = fleet.files()
  expect(rulesOf(fleet.render(2))).toContain('needed-by-render')
  expect(fleet.files()).toEqual(before)
})

test('lists of objects without a name are cloned, go through functions and are updated', () => {
  const list = (kind: string, value: string) =>
    `apiVersion: v1\nkind: ${kind}\nitems:\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: inner}\n    data: {value: ${value}}\n`
  const files = (value: string): TestFiles => ({
    Kptfile: kptfile(`{image: ${CATALOG}/set-annotations:v0.1.4, configMap: {team: x}}`),
    'list.yaml': `${list('List', value)}---\n${list('ConfigMapList', value)}`,
  })
  const fleet = new OneVariantFleet({ v1: files('one'), v2: files('two') })
  expect(Object.fromEntries(fleet.render(1).fates)).toEqual({ created: 1 })
  expect(Object.fromEntries(fleet.render(2).fates)).toEqual({ updated: 1 })
  expect(fleet.readPackage('list.yaml').match(/value: two/g)).toHaveLength(2)
})
