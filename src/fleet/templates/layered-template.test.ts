import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import type { Computed, FunctionTemplate, InjectorTemplate, MapExpr, Template } from '../../kinds/template.ts'
import { list, planOf } from '../testing/fleet-of-objects.ts'
import { fieldInLayer, layersOf, layerTemplates, overlayTemplate, overrideOf } from './layered-template.ts'
import { renderTemplate } from './render-template.ts'

// Few keys and names, so that layers meet in most of them.
const KEY = fc.constantFrom('a', 'b', 'c')
const VALUE = fc.constantFrom('1', '2', '3')
const FIXED: fc.Arbitrary<Computed> = VALUE.map((value) => ({ value, path: [] }))
const COMPUTED: fc.Arbitrary<Computed> = fc.oneof(
  FIXED,
  VALUE.map((text) => ({ expression: { text: `x${text}`, path: [] } })),
)
const COMPUTED_KEY: fc.Arbitrary<Computed> = fc.oneof(
  KEY.map((value) => ({ value, path: [] })),
  KEY.map((text) => ({ expression: { text, path: [] } })),
)
const MAP = fc.dictionary(KEY, VALUE, { maxKeys: 3 }).map((record) => new Map(Object.entries(record)))
const EXPRS: fc.Arbitrary<readonly MapExpr[]> = fc.array(fc.record({ key: COMPUTED_KEY, value: COMPUTED }), { maxLength: 3 })
const INJECTORS: fc.Arbitrary<readonly InjectorTemplate[]> = fc.array(
  fc.record(
    { path: fc.constant([]), kind: fc.constantFrom('A', 'B'), name: COMPUTED, point: KEY },
    { requiredKeys: ['path', 'kind', 'name'] },
  ),
  { maxLength: 3 },
)
const FUNCTIONS: fc.Arbitrary<readonly FunctionTemplate[]> = fc.array(
  fc.record({
    path: fc.constant([]),
    written: fc.record({ name: fc.constantFrom('', 'f', 'g'), image: VALUE }),
    configMap: MAP,
    configMapExprs: EXPRS,
  }),
  { maxLength: 3 },
)
const TEMPLATE: fc.Arbitrary<Template> = fc.record(
  {
    path: fc.constant([]),
    downstream: fc.record({ repo: COMPUTED, package: COMPUTED }, { requiredKeys: [] }),
    deletionPolicy: fc.constantFrom('orphan', 'delete'),
    labels: MAP,
    labelExprs: EXPRS,
    annotations: MAP,
    annotationExprs: fc.constant([]),
    packageContext: fc.record({
      data: MAP,
      dataExprs: EXPRS,
      removeKeys: fc.uniqueArray(KEY),
      removeKeyExprs: fc.array(KEY.map((text) => ({ text, path: [] }))),
    }),
    injectors: INJECTORS,
    pipeline: fc.record({ mutators: FUNCTIONS, validators: fc.constant([]) }),
  },
  { requiredKeys: ['path', 'downstream', 'labels', 'labelExprs', 'annotations', 'annotationExprs', 'injectors'] },
)

/** Returns what a template makes of the place edge/app, where every expression gives its own text. */
function rendered(template: Template) {
  const evaluate = ({ text }: { readonly text: string }) => text
  const {
    repo,
    package: name,
    fields,
  } = renderTemplate(template, { repoDefault: 'edge', packageDefault: 'app' }, { repoExpr: evaluate, others: () => evaluate })
  return { repo, name, fields }
}

test('layers are associative in the order written', () => {
  fc.assert(
    fc.property(TEMPLATE, TEMPLATE, TEMPLATE, (a, b, c) => {
      const [left, right] = [overlayTemplate(overlayTemplate(a, b), c), overlayTemplate(a, overlayTemplate(b, c))]
      expect(rendered(left)).toEqual(rendered(right))
    }),
    { numRuns: 2000 },
  )
})

test('a layer over itself changes nothing but lists without names', () => {
  fc.assert(
    fc.property(TEMPLATE, (template) => {
      const { labels, annotations, deletionPolicy } = rendered(overlayTemplate(template, template)).fields
      const once = rendered(template).fields
      expect({ labels, annotations, deletionPolicy }).toEqual({
        labels: once.labels,
        annotations: once.annotations,
        deletionPolicy: once.deletionPolicy,
      })
    }),
  )
})

test('a fixed value over an entry with a computed key wins, whatever key that is', () => {
  const lower: Template = {
    path: [],
    downstream: {},
    labels: new Map([['a', 'fixed below']]),
    labelExprs: [{ key: { expression: { text: 'a', path: [] } }, value: { value: 'computed below', path: [] } }],
    annotations: new Map(),
    annotationExprs: [],
    injectors: [],
  }
  const upper: Template = { ...lower, labels: new Map([['a', 'above']]), labelExprs: [] }
  expect(rendered(overlayTemplate(lower, upper)).fields).toEqual({ labels: { a: 'above' } })
  expect(rendered(lower).fields).toEqual({ labels: { a: 'computed below' } })
})

/** Returns fields of the spec of the only variant of a matrix with a template, and one of its target over it. */
function specOf(template: JsonRecord, target: JsonRecord): JsonRecord {
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: { upstreams: [{ repo: 'catalog', package: 'app', revision: 1 }], template, targets: [{ ...list('a'), template: target }] },
  }
  const { sets, results } = planOf([matrix])
  const [change] = sets[0]?.changes ?? []
  if (change?.after === undefined) throw new Error(JSON.stringify(results))
  const { upstream: _, ...spec } = change.after
  return spec
}

const fn = (name: string, image: string): JsonRecord => (name === '' ? { image } : { name, image })
const mutators = (...functions: readonly JsonRecord[]): JsonRecord => ({ pipeline: { mutators: functions } })

test.each<{ rule: string; lower: JsonRecord; upper: JsonRecord; spec: JsonRecord }>([
  {
    rule: 'a scalar of the upper template replaces that of the lower one, and others stay',
    lower: { deletionPolicy: 'orphan', adoptionPolicy: 'adoptExisting', downstream: { package: 'x' } },
    upper: { deletionPolicy: 'delete', downstream: { repo: 'b' } },
    spec: { deletionPolicy: 'delete', adoptionPolicy: 'adoptExisting', downstream: { repo: 'b', package: 'x' } },
  },
  {
    rule: 'maps are merged key by key',
    lower: { labels: { a: '1', b: '1' }, annotations: { c: '1' } },
    upper: { labels: { b: '2' }, annotations: { d: '2' } },
    spec: { labels: { a: '1', b: '2' }, annotations: { c: '1', d: '2' } },
  },
  {
    rule: 'the context is merged: a key that the upper template sets is not removed, one that it removes is not set',
    lower: { packageContext: { data: { a: '1', b: '1' }, removeKeys: ['x', 'y'] } },
    upper: { packageContext: { data: { x: '2' }, removeKeys: ['b', 'y', 'z'] } },
    spec: { packageContext: { data: { a: '1', x: '2' }, removeKeys: ['b', 'y', 'z'] } },
  },
  {
    rule: 'a computed entry of the context is replaced and removed by its fixed key',
    lower: {
      packageContext: {
        dataExprs: [
          { key: 'a', valueExpr: 'repoDefault' },
          { key: 'b', valueExpr: 'repoDefault' },
        ],
        removeKeys: ['c'],
      },
    },
    upper: { packageContext: { dataExprs: [{ key: 'c', valueExpr: 'packageDefault' }], removeKeys: ['b'] } },
    spec: { packageContext: { data: { a: 'a', c: 'app' }, removeKeys: ['b'] } },
  },
  {
    rule: 'a context of the lower template alone stays',
    lower: { packageContext: { data: { a: '1' } } },
    upper: {},
    spec: { packageContext: { data: { a: '1' } } },
  },
  {
    rule: 'a context of the upper template alone is taken',
    lower: {},
    upper: { packageContext: { data: { a: '1' } } },
    spec: { packageContext: { data: { a: '1' } } },
  },
  {
    rule: 'a function of the upper template takes the place of that of its name, others are appended',
    lower: mutators(fn('a', '1'), fn('', '1'), fn('b', '1')),
    upper: mutators(fn('c', '2'), fn('a', '2'), fn('', '1')),
    spec: mutators(fn('a', '2'), fn('', '1'), fn('b', '1'), fn('c', '2'), fn('', '1')),
  },
  { rule: 'a pipeline of the lower template alone stays', lower: mutators(fn('a', '1')), upper: {}, spec: mutators(fn('a', '1')) },
  {
    rule: 'validators are merged by themselves',
    lower: { pipeline: { mutators: [fn('a', '1')], validators: [fn('a', '1')] } },
    upper: { pipeline: { validators: [fn('a', '2')] } },
    spec: { pipeline: { mutators: [fn('a', '1')], validators: [fn('a', '2')] } },
  },
  {
    rule: 'an injector of the upper template takes the place of that of its name, group and kind',
    lower: { injectors: [{ kind: 'A', name: 'x' }, { kind: 'B', name: 'x' }, { name: 'x' }] },
    upper: {
      injectors: [
        { kind: 'B', name: 'x', version: 'v1' },
        { kind: 'A', name: 'y' },
      ],
    },
    spec: { injectors: [{ kind: 'A', name: 'x' }, { kind: 'B', name: 'x', version: 'v1' }, { name: 'x' }, { kind: 'A', name: 'y' }] },
  },
])('$rule', ({ lower, upper, spec }) => {
  const found = specOf(lower, upper)
  expect(found).toEqual({ downstream: { repo: 'a', package: 'app' }, ...spec })
})

test('the field of a function is that of its entry in the layer, or of the entry that it replaced', () => {
  const pipeline = (...functions: readonly JsonRecord[]) => ({ pipeline: { mutators: functions } })
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: {
      upstreams: [{ repo: 'catalog', package: 'app', revision: 1 }],
      template: pipeline(fn('a', '1'), fn('', '1'), fn('b', '1')),
      targets: [{ ...list('a'), template: pipeline(fn('c', '2'), fn('b', '2')) }],
    },
  }
  const template = planOf([matrix]).sets[0]?.changes[0]?.why?.place.template
  if (template === undefined) throw new Error('no template')
  const fieldsOf = (at: number) => {
    const wanted = { path: ['spec', 'pipeline', 'mutators', at, 'image'], value: '', merged: template.merged }
    return template.layers.map((layer) => fieldInLayer(layer, wanted)?.join('.'))
  }
  const [set, target] = ['spec.template.pipeline.mutators', 'spec.targets.0.template.pipeline.mutators']
  expect([0, 1, 2, 3, 4].map(fieldsOf)).toEqual([
    [`${set}.0.image`, undefined],
    [`${set}.1.image`, undefined],
    [`${set}.2.image`, `${target}.1.image`],
    [undefined, `${target}.0.image`],
    [undefined, undefined],
  ])
})

test.each([
  [
    ['labels', 'a'],
    ['labels', 'a'],
  ],
  [['labels', 'b'], undefined],
  [
    ['annotations', 'b'],
    ['annotations', 'b'],
  ],
  [['annotations', 'a'], undefined],
  [['adoptionPolicy'], undefined],
  [['deletionPolicy'], ['deletionPolicy']],
  [
    ['downstream', 'repo'],
    ['downstream', 'repoExpr'],
  ],
  [['downstream', 'package'], undefined],
])('the field of a layer for spec.%j is %j', ([...path], field) => {
  const template: Template = {
    path: ['spec', 'template'],
    downstream: { repo: { expression: { text: 'x', path: ['spec', 'template', 'downstream', 'repoExpr'] } } },
    deletionPolicy: 'orphan',
    labels: new Map([['a', '1']]),
    labelExprs: [],
    annotations: new Map([['b', '1']]),
    annotationExprs: [],
    injectors: [],
  }
  const layer = { template, name: 'l', isOverride: false }
  expect(fieldInLayer(layer, { path: ['spec', ...path], value: '1', merged: template })).toEqual(field && ['spec', 'template', ...field])
})

/** Returns a template with labels at a path. */
function labelling(path: Template['path'], labels: Readonly<Record<string, string>>): Template {
  return {
    ...{ path, downstream: {}, annotations: new Map(), annotationExprs: [], injectors: [] },
    ...{ labels: new Map(Object.entries(labels)), labelExprs: [] },
  }
}

test('an override is named for the fields that no layer above it has, and no other layer is', () => {
  const template = layerTemplates([
    { name: 'template', template: labelling(['a'], { low: '1', both: '1', all: '1' }) },
    { name: 'override big', template: labelling(['b'], { both: '2', all: '2', own: '2' }), isOverride: true },
    { name: 'override last', template: labelling(['c'], { all: '3' }), isOverride: true },
  ])
  const of = (key: string) => overrideOf(template, ['spec', 'labels', key], '')
  expect(['low', 'both', 'own', 'all', 'none'].map(of)).toEqual([undefined, 'override big', 'override big', 'override last', undefined])
  expect(overrideOf(undefined, ['spec', 'labels', 'low'], '1')).toBeUndefined()
})

test('the template of one layer is its own, of several that of all, the lowest first, and of none there is none', () => {
  const [low, high] = [labelling(['a'], { x: '1', y: '1' }), labelling(['b'], { x: '2' })]
  const [lower, upper] = [
    { name: 'template', template: low },
    { name: 'target', template: high },
  ]
  expect(layerTemplates([lower])?.merged).toBe(low)
  expect([...(layerTemplates([lower, upper])?.merged.labels ?? [])]).toEqual([
    ['x', '2'],
    ['y', '1'],
  ])
  expect([...(layerTemplates([upper, lower])?.merged.labels ?? [])]).toEqual([
    ['x', '1'],
    ['y', '1'],
  ])
  expect(layerTemplates([])).toBeUndefined()
})

test('the layers of a place are the templates of the matrix, the upstream and the target, as far as they are written', () => {
  const namesOf = (own: JsonRecord, ofUpstream: JsonRecord, ofTarget: JsonRecord) => {
    const upstreams = [{ repo: 'catalog', package: 'app', revision: 1, ...ofUpstream }]
    const spec = { upstreams, targets: [{ ...list('a'), ...ofTarget }], ...own }
    const matrix = { apiVersion: 'fleet.krm-variants.dev/v1alpha1', kind: 'PackageVariantMatrix', metadata: { name: 'm' }, spec }
    const set = planOf([matrix]).sets[0]?.set
    const [upstream, target] = [set?.upstreams[0], set?.targets[0]]
    return set && upstream && target && layersOf(set, upstream, target).map(({ name, template }) => `${name} ${template.path.join('.')}`)
  }
  const template = { template: { labels: { x: 'y' } } }
  expect(namesOf(template, template, template)).toEqual([
    'template spec.template',
    'upstream spec.upstreams.0.template',
    'target spec.targets.0.template',
  ])
  expect(namesOf({}, template, {})).toEqual(['upstream spec.upstreams.0.template'])
  expect(namesOf({}, {}, {})).toEqual([])
})
