import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { CATALOG } from './catalog.ts'
import { configFindings } from './config-findings.ts'

/** Returns what a function says about its config: severity, rule and field of each finding. */
function findings(name: string, config: object | undefined, version = ''): readonly string[] {
  const fn = CATALOG.find((each) => each.name === name)
  if (fn === undefined) throw new Error(`no function ${name}`)
  const object = config && writtenObject(JSON.stringify({ apiVersion: 'fn.kpt.dev/v1alpha1', metadata: { name: 'c' }, ...config }))
  const found = configFindings(fn, version || (fn.versions.find((each) => each.startsWith('v')) ?? ''), object)
  return found.map(({ severity, tags, field }) => `${severity} ${tags.rule} ${field?.path.join('.') ?? ''}`.trim())
}

test('a missing config is an error of the function', () => {
  expect(findings('set-namespace', undefined)).toEqual([expect.stringMatching(/^error function-config/)])
})

test('a field that the function does not know is a warning, at any depth', () => {
  expect(findings('set-namespace', { kind: 'SetNamespace', namespace: 'a', namespaec: 'b' })).toEqual(['warning unknown-field namespaec'])
  expect(findings('set-image', { kind: 'SetImage', image: { name: 'a', newTag: '1', newTga: '2' } })).toEqual([
    'warning unknown-field image.newTga',
  ])
})

test('the fields of a version are known in the version alone', () => {
  const added = [{ kind: 'A', path: 'spec/x', create: true }]
  const namespaces = { kind: 'SetNamespace', namespace: 'a', additionalNamespaceFields: added }
  expect(findings('set-namespace', namespaces, 'v0.2.0')).toEqual([])
  expect(findings('set-namespace', namespaces)).toEqual(['warning unknown-field additionalNamespaceFields'])
  const labels = { kind: 'SetLabels', labels: { a: 'b' }, additionalLabelFields: added }
  expect(findings('set-labels', labels, 'v0.1.5')).toEqual([])
  expect(findings('set-labels', labels)).toEqual(['warning unknown-field additionalLabelFields'])
})

test('a ConfigMap has the fields of every ConfigMap, and errors of the function are found in it', () => {
  expect(findings('set-namespace', { apiVersion: 'v1', kind: 'ConfigMap', data: { namespace: 'a' }, nope: 1 })).toEqual([])
  expect(findings('set-namespace', { apiVersion: 'v1', kind: 'ConfigMap', data: {} })).toHaveLength(1)
})

test('that the package lacks what the config names is no finding about the config', () => {
  const replacement = { source: { kind: 'A', name: 'nope' }, targets: [{ select: { kind: 'B' } }] }
  expect(findings('apply-replacements', { kind: 'ApplyReplacements', replacements: [replacement] })).toEqual([])
  expect(findings('apply-replacements', { kind: 'ApplyReplacements', replacements: [{ source: 5 }] })).not.toEqual([])
})
