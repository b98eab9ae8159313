import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { withTemplatePatch } from './template-patch.ts'

const APPLICATION: JsonRecord = {
  metadata: { name: 'web', labels: { from: 'set' }, finalizers: ['a', 'b'] },
  spec: { project: 'default', syncPolicy: { automated: { prune: true }, syncOptions: ['a=b'] }, info: [{ name: 'size' }] },
}

function patched(templatePatch: string): JsonRecord {
  const text = JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', spec: { templatePatch } })
  const set = KrmObject.fromDocument(text, { path: 'set.yaml', index: 0, line: 1 })
  return withTemplatePatch(APPLICATION, { env: 'prod', options: ['x=1'] }, set, { goTemplate: true, isStrict: true })
}

const { metadata, spec } = APPLICATION

// Argo CD gives the same answers: the set patched-template of testdata/argocd-sets, and its own program for the finalizers.
test.each<[string, JsonRecord]>([
  ['', APPLICATION],
  ['{{ if eq .env "dev" }}spec: {project: x}{{ end }}\n', APPLICATION],
  ['# nothing', APPLICATION],
  ['null', APPLICATION],
  ['spec: {project: other}', APPLICATION],
  [
    'metadata: {labels: {env: "{{ .env }}", from: null}}',
    { metadata: { ...Object(metadata), labels: { env: 'prod' } }, spec: spec ?? null },
  ],
  ['metadata: {finalizers: [c, b]}', { metadata: { ...Object(metadata), finalizers: ['c', 'a', 'b'] }, spec: spec ?? null }],
  ['metadata: {finalizers: [b, z]}', { metadata: { ...Object(metadata), finalizers: ['a', 'b', 'z'] }, spec: spec ?? null }],
  ['metadata: {finalizers: [b, a]}', { metadata: { ...Object(metadata), finalizers: ['b', 'a'] }, spec: spec ?? null }],
  [
    'spec:\n  info: []\n  syncPolicy:\n    automated: null\n    retry: {limit: 3, backoff: null}\n    syncOptions:\n{{- range .options }}\n    - {{ . }}\n{{- end }}',
    { metadata: metadata ?? null, spec: { project: 'default', syncPolicy: { retry: { limit: 3 }, syncOptions: ['x=1'] }, info: [] } },
  ],
])('the patch %j changes an Application', (patch, expected) => {
  expect(patched(patch)).toEqual(expected)
})

test.each([
  ['{', 'must give YAML for each Application'],
  ['- a', 'must give a map of fields for each Application'],
  ['metadata: {labels: {a: yes}}', "has a plain 'yes' in line 1, column 24, which Argo CD reads as YAML 1.1 does: quote it"],
  ['spec: {source: {helm: {valuesObject: {$patch: replace}}}}', "must not have '$patch', which convert does not follow"],
  ['{{ .missing }}', "must name a parameter of the generator, got '.missing'"],
])('the patch %j is refused: %s', (patch, message) => {
  expect(() => patched(patch)).toThrow(message)
})

test('the fields of a patch that convert does not follow are refused by name', () => {
  let error: unknown
  try {
    patched('spec: {source: {chart: c, $patch: x}, sourecs: []}\nmetadata: {unknown: 1}')
  } catch (thrown) {
    error = thrown
  }
  expect(error instanceof FunctionError && error.results.map(({ message }) => message)).toEqual([
    '`spec.templatePatch.spec.source.chart` is a chart of a repository: helm pull brings it into the folder, then name its `path`',
    '`spec.templatePatch.spec.source["$patch"]` is no field that convert reads; did you mean \'path\'?',
    '`spec.templatePatch.metadata.unknown` is no field that convert reads',
  ])
})
