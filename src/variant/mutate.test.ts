import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { decodePackageVariant } from '../kinds/package-variant.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { readSources } from './injection/injection-source.ts'
import { changesOf, mutate, mutateInjection, mutatePipeline, type VariantChanges } from './mutate.ts'
import { isState } from './state.ts'
import { linesOf, writtenPackage } from './testing/written-package.ts'

const FILES = {
  Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n',
  'context.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\ndata:\n  zone: a\n',
  'point.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: point\n  annotations:\n    kpt.dev/config-injection: required\ndata:\n  x: 0\n',
}
const SOURCE = writtenObject('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: site\ndata:\n  x: 1\n', 'site.yaml')
const VARIANT = decodePackageVariant(
  writtenObject(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: own
  namespace: team
spec:
  upstream: {repo: r, package: p, revision: 1}
  downstream: {repo: r, package: shop}
  packageContext:
    data: {zone: b}
  pipeline:
    mutators:
    - image: set
  injectors:
  - name: site
`),
).variant

/** Returns the texts of the package by file after a mutation, and the results. */
function changed(changes: VariantChanges, mutation = mutate) {
  const { list, pkg } = writtenPackage(FILES)
  const lines = linesOf(() => mutation(pkg, changes, readSources([SOURCE])))
  const texts = new Map(list.items.map((object) => [object.file?.path, object.toText()]))
  const isEdited = (file: keyof typeof FILES) => texts.get(file) !== FILES[file]
  return { lines, isEdited, texts }
}

test('all changes of a variant are made, and the infos about the reached state are left out', () => {
  const { lines, texts } = changed(changesOf(VARIANT, []))
  expect(lines).toEqual([])
  expect(texts.get('context.yaml')).toContain('zone: b')
  expect(texts.get('Kptfile')).toContain('name: PackageVariant.own..0')
  expect(texts.get('Kptfile')).toContain('config.injection.ConfigMap.point')
  expect(texts.get('point.yaml')).toContain('x: 1')
})

test('a warning of a mutation is a result', () => {
  const { lines } = changed({ ...changesOf(VARIANT, []), injection: { injectors: [], namespace: 'default', strict: false } })
  expect(lines).toEqual([expect.stringContaining('[injection-unmet]')])
})

test('each mutation changes its own objects alone and reports the reached state', () => {
  const changes = changesOf(VARIANT, [])
  const { lines: ofPipeline, isEdited: byPipeline } = changed(changes, mutatePipeline)
  expect(ofPipeline).toEqual([expect.stringContaining('[prepend-pipeline]')])
  expect([byPipeline('Kptfile'), byPipeline('context.yaml'), byPipeline('point.yaml')]).toEqual([true, false, false])
  const { lines: ofInjection, isEdited: byInjection } = changed(changes, mutateInjection)
  expect(ofInjection).toEqual([expect.stringContaining('[inject-config]')])
  expect([byInjection('Kptfile'), byInjection('context.yaml'), byInjection('point.yaml')]).toEqual([true, false, true])
  const { isEdited: byContext } = changed({
    context: { data: new Map([['zone', 'b']]), removeKeys: [], source: { object: SOURCE, path: [] } },
  })
  expect([byContext('Kptfile'), byContext('context.yaml'), byContext('point.yaml')]).toEqual([false, true, false])
})

test('a mutation without a change does nothing', () => {
  for (const mutation of [mutate, mutatePipeline, mutateInjection]) {
    const { lines, texts } = changed({}, mutation)
    expect(lines).toEqual([])
    expect(Object.fromEntries(texts)).toEqual(FILES)
  }
})

test('the context is changed first, then the pipeline, then the injection', () => {
  const without = { ...FILES, 'context.yaml': FILES['point.yaml'].replace('name: point', 'name: other') }
  const { pkg } = writtenPackage({ ...without, Kptfile: `${FILES.Kptfile}pipeline: x\ninfo: x\n` })
  const { context, pipeline, injection } = changesOf(VARIANT, [])
  const refused = (changes: VariantChanges) => linesOf(() => mutate(pkg, changes, readSources([SOURCE])))[0]
  expect(refused({ ...(context && { context }), ...(pipeline && { pipeline }), ...(injection && { injection }) })).toContain(
    'context-missing',
  )
  expect(refused({ ...(pipeline && { pipeline }), ...(injection && { injection }) })).toContain('`pipeline`')
  expect(refused({ ...(injection && { injection }) })).toContain('`info`')
})

test('the changes of a variant have its name, its namespace and the places of its fields', () => {
  const { object } = VARIANT
  expect(changesOf(VARIANT, ['other'])).toEqual({
    context: { data: new Map([['zone', 'b']]), removeKeys: [], source: { object, path: ['spec', 'packageContext'] } },
    pipeline: {
      owner: 'own',
      others: ['other'],
      functions: { mutators: [{ image: 'set' }], validators: [] },
      source: { object, path: ['spec', 'pipeline'] },
    },
    injection: { injectors: [{ name: 'site' }], namespace: 'team', strict: false },
  })
})

test.each<[RuleId, boolean]>([
  ['set-context', true],
  ['prepend-pipeline', true],
  ['inject-config', true],
  ['injection-unmet', false],
])('a result of the rule %s is the reached state: %s', (rule, expected) => {
  expect(isState({ severity: 'info', message: '', tags: { rule } })).toBe(expected)
})
