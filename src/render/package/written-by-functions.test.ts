import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'
const ANNOTATE = `{image: '${CATALOG}/set-annotations:v0.1.4', configMap: {team: x}}`
const LABEL = `{image: '${CATALOG}/set-labels:v0.2.0', configMap: {tier: front}}`
const POINT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: point, annotations: {kpt.dev/config-injection: optional}}\ndata: {}\n'

function revision(value: string, ...functions: readonly string[]): TestFiles {
  const pipeline = functions.length === 0 ? '' : `pipeline:\n  mutators:\n${functions.map((fn) => `  - ${fn}\n`).join('')}`
  return {
    Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n${pipeline}`,
    'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  value: ${value}\n`,
    'point.yaml': POINT,
  }
}

/** Pipelines of two revisions: functions that write into every file come, go, and change what they write. */
const PIPELINES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['stay', [ANNOTATE, LABEL], [ANNOTATE, LABEL]],
  ['go', [ANNOTATE, LABEL], []],
  ['come', [], [ANNOTATE, LABEL]],
  ['write other values', [ANNOTATE, LABEL], [ANNOTATE.replace('team: x', 'team: y'), LABEL.replace('tier', 'level')]],
  ['change their order', [ANNOTATE, LABEL], [LABEL, ANNOTATE]],
]

const INJECTION = `  packageContext: {data: {site: edge}}\n  injectors: [{kind: ConfigMap, name: source}]\n`

test.each(PIPELINES)('an update of a package that nobody edited equals a new one when functions %s', (_, before, after) => {
  const fleet = new OneVariantFleet({ v1: revision('one', ...before), v2: revision('two', ...after) })
  fleet.spec = INJECTION
  fleet.render(1)
  fleet.render(2)
  const updated = fleet.files()
  const fresh = new OneVariantFleet({ v2: revision('two', ...after) })
  fresh.spec = INJECTION
  fresh.render(2)
  expect(updated).toEqual(fresh.files())
})

test.each(['fast-forward', 'force-delete-replace'] as const)('%s takes no value that a function wrote for an edit', (updateStrategy) => {
  const fleet = new OneVariantFleet({ v1: revision('one', ANNOTATE, LABEL), v2: revision('two', ANNOTATE, LABEL) })
  fleet.spec = INJECTION
  fleet.render(1)
  expect(Object.fromEntries(fleet.render(2, { options: { updateStrategy } }).fates)).toEqual({ updated: 1 })
})

test.each(['a.yaml', 'package-context.yaml', 'Kptfile', 'point.yaml'])('an edit of %s is an edit still', (path) => {
  const fleet = new OneVariantFleet({ v1: revision('one', ANNOTATE, LABEL), v2: revision('two', ANNOTATE, LABEL) })
  fleet.render(1)
  fleet.write(`out/edge/shop/${path}`, `${fleet.readPackage(path)}extra: 1\n`)
  expect(() => fleet.render(2, { options: { updateStrategy: 'fast-forward' } })).toThrow(`found changes in '${path}'`)
})

test('a package that nobody edited is removed with its variant, whatever functions wrote into it', () => {
  const fleet = new OneVariantFleet({ v1: revision('one', ANNOTATE, LABEL) })
  fleet.spec = INJECTION
  fleet.render(1)
  fleet.hasVariant = false
  fleet.render(1, { options: { allowEmpty: true } })
  expect(() => fleet.files()).toThrow('ENOENT')
})

test('a package whose context a person annotated is not removed with its variant', () => {
  const fleet = new OneVariantFleet({ v1: revision('one', ANNOTATE, LABEL) })
  fleet.render(1)
  fleet.editPackage('package-context.yaml', 'team: x', 'team: x\n    mine: "1"')
  fleet.hasVariant = false
  expect(() => fleet.render(1, { options: { allowEmpty: true } })).toThrow("'package-context.yaml'")
})
