import { expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { expandSet } from './expand-set.ts'
import type { ArgoCluster, GeneratorData } from './generators.ts'

const cluster = (name: string, labels: Readonly<Record<string, string>>): ArgoCluster => ({
  name,
  server: `https://${name}.example.com`,
  project: '',
  labels: new Map(Object.entries(labels)),
  annotations: new Map([['base', 'apps/']]),
})

const DATA: GeneratorData = {
  folder: 'repo',
  clusters: [cluster('Dev_1', { env: 'dev' }), cluster('prod', { env: 'prod' })],
  files: ['apps/dns/a.yaml', 'apps/web/a.yaml', 'apps/web/sub/b.yaml', 'old/dns/a.yaml', 'members/a/config.json', 'members/b/config.json'],
  objectsOf: (path) => [{ cluster: { name: path.split('/')[1] ?? '' }, size: 3 }],
  refusedRepository: (url) => (url === 'https://git.example.com/a.git' ? undefined : 'must be another one'),
  refusedRevision: () => undefined,
}

const REPO = { repoURL: 'https://git.example.com/a.git', revision: 'HEAD' }

function expand(generators: readonly JsonRecord[], name: string, more: JsonRecord = {}, spec: JsonRecord = {}) {
  const template = { metadata: { name }, spec: { project: 'default', source: { path: 'x' }, ...spec } }
  const set = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 's' },
    spec: { generators, template, ...more },
  }
  const object = KrmObject.fromDocument(JSON.stringify(set), { path: 'set.yaml', index: 0, line: 1 })
  try {
    return expandSet(object, DATA)
  } catch (error) {
    return error instanceof FunctionError ? error.results.map(({ message }) => message) : [String(error)]
  }
}

const GO = { goTemplate: true, goTemplateOptions: ['missingkey=error'] }
const namesOf = (...args: Parameters<typeof expand>) => expand(...args).map((each) => (typeof each === 'string' ? each : each.name))

test('a list gives its elements, with inner values, in both dialects', () => {
  const list = [
    {
      list: {
        elements: [
          { cluster: 'a', values: { team: 'x' } },
          { cluster: 'b', values: { team: 'y' } },
        ],
      },
    },
  ]
  expect(namesOf(list, '{{cluster}}-{{ values.team }}')).toEqual(['a-x', 'b-y'])
  expect(namesOf(list, '{{.cluster}}-{{.values.team}}', GO)).toEqual(['a-x', 'b-y'])
})

test('clusters give name, server, labels, annotations and values that name them', () => {
  const own = [
    { clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'In', values: ['dev'] }] }, values: { p: '{{name}}' } } },
  ]
  expect(namesOf(own, '{{nameNormalized}}-{{metadata.labels.env}}')).toEqual(['dev-1-dev'])
  const goOwn = [{ clusters: { selector: { matchLabels: { env: 'dev' } }, values: { p: '{{.name}}' } } }]
  expect(namesOf(goOwn, '{{.values.p | normalize}}', GO)).toEqual(['dev-1'])
  expect(namesOf([{ clusters: {} }], '{{nameNormalized}}')).toEqual(['in-cluster', 'dev-1', 'prod'])
})

test('folders of git are matched in their folder, and excluded ones are left out', () => {
  const git = [{ git: { ...REPO, directories: [{ path: 'apps/*' }, { path: '*/dns', exclude: true }] } }]
  expect(namesOf(git, '{{path.basename}}-{{path[0]}}')).toEqual(['web-apps'])
  expect(namesOf(git, '{{index .path.segments 1}}-{{.path.basenameNormalized}}', GO)).toEqual(['web-web'])
})

test('files of git give their content and their path', () => {
  const files = [{ git: { ...REPO, files: [{ path: 'members/**/config.json' }] } }]
  expect(namesOf(files, '{{cluster.name}}-{{path.basename}}-{{size}}')).toEqual(['a-a-3', 'b-b-3'])
  expect(namesOf(files, '{{.cluster.name}}-{{.size}}', GO)).toEqual(['a-3', 'b-3'])
  expect(namesOf([{ git: { ...REPO, files: [{ path: 'apps/*.yaml' }] } }], 'a')[0]).toContain('same files with both globs')
})

test('a matrix gives each pair, and its second generator knows the parameters of the first', () => {
  const elements = [{ app: 'web' }, { app: 'dns' }]
  expect(
    namesOf(
      [{ matrix: { generators: [{ clusters: { selector: { matchLabels: { env: 'prod' } } } }, { list: { elements } }] } }],
      '{{name}}-{{app}}',
    ),
  ).toEqual(['prod-web', 'prod-dns'])
  const inner = { git: { ...REPO, directories: [{ path: '{{.metadata.annotations.base}}*' }] } }
  expect(
    namesOf(
      [{ matrix: { generators: [{ clusters: { selector: { matchLabels: { env: 'prod' } } } }, inner] } }],
      '{{.name}}-{{.path.basename}}',
      GO,
    ),
  ).toEqual(['prod-dns', 'prod-web'])
})

test('a merge overrides the records of the first generator by key', () => {
  const elements = [{ name: 'prod', 'values.size': 'large' }]
  const merge = { mergeKeys: ['name'], generators: [{ clusters: { values: { size: 'small' } } }, { list: { elements } }] }
  expect(namesOf([{ merge }], '{{nameNormalized}}-{{values.size}}')).toEqual(['in-cluster-small', 'dev-1-small', 'prod-large'])
})

test('a map of a list does not go into the map of texts of clusters, which Argo CD cannot do', () => {
  const clusters = { clusters: { selector: { matchLabels: { env: 'prod' } }, values: { a: 'x', b: 'y' } } }
  const list = { list: { elements: [{ name: 'prod', values: { b: '', c: 'z' } }] } }
  const merged = (...generators: JsonRecord[]) =>
    namesOf([{ merge: { mergeKeys: ['name'], generators } }], '{{.values.a}}-{{.values.b}}-{{.values.c}}', GO)
  expect(merged(clusters, list)[0]).toContain("must not put the map 'values' of a list or file over that of a clusters or git generator")
  expect(merged(list, clusters)).toEqual(['x-y-z'])
  expect(merged(list, clusters, list)).toEqual(['x--z'])
})

test('the template of a generator is over that of the set', () => {
  const list = [{ list: { elements: [{ c: 'a' }], template: { metadata: {}, spec: { project: 'own', source: { path: '' } } } } }]
  const [first] = expand(list, '{{c}}')
  expect(typeof first === 'object' && [first.spec.project, asRecord(first.spec.source).path]).toEqual(['own', 'x'])
})

const goName = (template: string, more: JsonRecord = GO) =>
  namesOf([{ list: { elements: [{ a: 'Prod_1', n: 2, list: ['x', 'y'] }] } }], template, { ...more, goTemplate: true })[0]

test('functions, pipelines and conditions of Go templates', () => {
  expect(goName('{{ .a | lower | replace "_" "-" }}')).toBe('prod-1')
  expect(goName('{{- if eq .a "Prod_1" }}yes{{ else }}no{{ end -}}')).toBe('yes')
  expect(goName('{{ if and (hasPrefix "x" .a) true }}a{{ else if eq .n 2.0 }}b{{ else }}c{{ end }}')).toBe('b')
  expect(goName('{{ printf "%s-%d-%v" (normalize .a) 3 .n }}')).toBe('prod-1-3-2')
  expect(goName('{{ index .list 1 }}-{{ .list | join "." }}')).toBe('y-x.y')
  expect(goName('{{ slugify .a }}{{/* a comment */}}')).toBe('prod-1')
  expect(goName('{{ trimSuffix "_1" .a | lower | trunc 3 }}')).toBe('pro')
  expect(goName('{{ default "d" "" }}-{{ $.n }}')).toBe('d-2')
})

test('a template that is none, or that cannot be followed, is refused and named', () => {
  expect(goName('{{ .b }}')).toContain("got '.b'")
  expect(goName('{{ if .a }}')).toContain('an if without an end')
  expect(goName('{{ end }}')).toContain('without an if')
  expect(goName('{{ .a | fromYaml }}')).toContain("'fromYaml'")
  expect(goName('{{ range .a }}{{ end }}')).toContain('range with a list or a map')
  expect(goName('{{ .a')).toContain('{{ without }}')
  expect(goName('{{ .list }}')).toContain('a map or list')
  expect(goName('{{ eq .n 2 }}')).toContain('values of one kind')
  expect(goName('{{ index .list .n }}')).toContain('no integers')
  expect(goName('{{ printf "%d" .n }}')).toContain('numbers of the template')
  expect(goName('{{ trim .a "x" }}')).toContain('1 arguments, got 2')
  expect(goName('{{ if and .b .a }}yes{{ else }}no{{ end }}', {})).toBe('no')
  expect(goName('{{ constructor }}')).toContain("'constructor'")
  expect(namesOf([{ list: { elements: [{ c: 'a' }] } }], '{{__proto__}}')[0]).toContain("got '{{__proto__}}'")
})

/** Expands a set in another way: clusters × elements, by plain replacement. */
function byHand(names: readonly string[], apps: readonly string[], template: string): readonly string[] {
  return names.flatMap((name) => apps.map((app) => template.split('N').join(name).split('A').join(app))).toSorted()
}

test('a hundred random matrices give the names that a plain replacement gives', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return seed % below
  }
  for (let run = 0; run < 100; run += 1) {
    const some = (letter: string) => Array.from({ length: 1 + random(4) }, (_, index) => `${letter}${index}${random(9)}`)
    const [names, apps] = [some('n'), some('a')]
    const template = ['N-A', 'A.N', 'x-N-A-N', 'A-N-y'][random(4)] ?? 'N-A'
    const generators = [names.map((name) => ({ name })), apps.map((app) => ({ app }))].map((elements) => ({ list: { elements } }))
    const isGo = random(2) === 0
    const own = template.replaceAll('N', isGo ? '{{.name}}' : '{{name}}').replaceAll('A', isGo ? '{{ .app }}' : '{{ app }}')
    const matrix = [{ matrix: { generators } }]
    expect([...namesOf(matrix, own, isGo ? GO : {})].toSorted()).toEqual(byHand(names, apps, template))
  }
})

test('a Go template with a name without a dot, or with a name that no generator gives, says what to write', () => {
  const list = [{ list: { elements: [{ cluster: 'a', team: 'x' }] } }]
  expect(namesOf(list, '{{cluster}}', { goTemplate: true })).toEqual([
    '`spec.template.metadata.name` must begin parameters with a dot, as `goTemplate` is true, got {{cluster}}: write {{.cluster}}',
  ])
  expect(namesOf(list, '{{.clutser}}', { goTemplate: true })).toEqual([
    '`spec.template.metadata.name` must name a parameter that the generator gives, got {{.clutser}}; it gives cluster, team',
  ])
})

test('the selector of a generator chooses among its parameters, by the paths of inner maps', () => {
  const elements = [
    { c: 'a', values: { size: 'large' }, tags: ['x'], n: 3 },
    { c: 'b', values: { size: 'small' }, tags: ['y'], n: 3 },
  ]
  const chosen = (selector: JsonRecord) => namesOf([{ selector, list: { elements } }], '{{.c}}', GO)
  expect(chosen({ matchLabels: { 'values.size': 'large', n: '3' } })).toEqual(['a'])
  expect(chosen({ matchExpressions: [{ key: 'tags.0', operator: 'NotIn', values: ['x'] }] })).toEqual(['b'])
  expect(chosen({})).toEqual(['a', 'b'])
  const labels = { matchLabels: { 'metadata.labels.env': 'prod' } }
  expect(namesOf([{ clusters: {}, selector: labels }], '{{name}}')).toEqual(['prod'])
  // Argo CD keeps the labels of a cluster as one text.
  expect(namesOf([{ clusters: {}, selector: labels }], '{{.name}}', GO)).toEqual([])
})

test('the selector of a generator of a matrix is not rendered, and one that Argo CD refuses is an error', () => {
  const second = (selector: JsonRecord) => [
    { matrix: { generators: [{ list: { elements: [{ a: 'x' }] } }, { list: { elements: [{ b: 'x' }, { b: 'y' }] }, selector }] } },
  ]
  expect(namesOf(second({ matchLabels: { b: 'y' } }), '{{a}}-{{b}}')).toEqual(['x-y'])
  expect(namesOf(second({ matchLabels: { b: '{{a}}' } }), '{{a}}-{{b}}')).toEqual([])
  const faulty = (requirement: JsonRecord) => namesOf([{ clusters: {}, selector: { matchExpressions: [requirement] } }], '{{name}}')[0]
  expect(faulty({ key: 'a', operator: 'Like' })).toContain('spec.generators[0].selector.matchExpressions[0].operator` must be one of')
  expect(faulty({ key: 'a', operator: 'In' })).toContain('matchExpressions[0].values` must have a value with the operator In')
  expect(faulty({ key: 'a b', operator: 'Exists' })).toContain("matchExpressions[0].key` must be the key of a label, got 'a b'")
})

test('an option of Go templates that Go does not know is an error with the known ones', () => {
  const list = [{ list: { elements: [{ a: 'x' }] } }]
  const options = (...goTemplateOptions: readonly string[]) => namesOf(list, '{{.a}}', { goTemplate: true, goTemplateOptions })
  for (const known of ['default', 'error', 'invalid', 'zero']) expect(options(`missingkey=${known}`)).toEqual(['x'])
  expect(options('missingkey=error', 'missingkey=eror')).toEqual([
    '`spec.goTemplateOptions[1]` must be one of missingkey=default, missingkey=error, missingkey=invalid, missingkey=zero',
  ])
  expect(namesOf(list, '{{a}}', { goTemplateOptions: ['nothing'] })).toEqual(['x'])
})
