import { expect, test } from 'vitest'
import { formatFieldPath } from '../../field-path.ts'
import type { Computed, MapExpr, Template } from '../../kinds/template.ts'
import { type Evaluate, type Rendering, renderTemplate, sourcesOf } from './render-template.ts'

const EMPTY: Template = {
  path: [],
  downstream: {},
  labels: new Map(),
  labelExprs: [],
  annotations: new Map(),
  annotationExprs: [],
  injectors: [],
}

/** An expression whose value is its text. */
function computed(text: string): Computed {
  return { expression: { text, path: [] } }
}

function fixed(value: string): Computed {
  return { value, path: [] }
}

function entry(key: Computed, value: Computed): MapExpr {
  return { key, value }
}

/** Renders for the place edge/app. */
function render(template: Partial<Template>, evaluate: Evaluate): Rendering {
  return renderTemplate(
    { ...EMPTY, ...template },
    { repoDefault: 'edge', packageDefault: 'app' },
    { repoExpr: evaluate, others: () => evaluate },
  )
}

const context = { data: new Map(), dataExprs: [], removeKeys: [], removeKeyExprs: [] }

test.each([
  { reason: 'nothing', template: {}, expected: {} },
  { reason: 'an empty package context stays', template: { packageContext: context }, expected: { packageContext: {} } },
  { reason: 'an empty pipeline goes', template: { pipeline: { validators: [], mutators: [] } }, expected: {} },
  {
    reason: 'keys to remove are sorted, each once',
    template: {
      packageContext: {
        ...context,
        removeKeys: ['z', 'a', 'z'],
        removeKeyExprs: [
          { text: 'm', path: [] },
          { text: 'a', path: [] },
        ],
      },
    },
    expected: { packageContext: { removeKeys: ['a', 'm', 'z'] } },
  },
  {
    reason: 'computed entries override fixed ones in their place, later ones earlier ones',
    template: {
      labels: new Map([
        ['a', 'fixed'],
        ['b', 'fixed'],
      ]),
      labelExprs: [entry(fixed('a'), computed('first')), entry(computed('a'), fixed('last')), entry(fixed('c'), computed('new'))],
    },
    expected: { labels: { a: 'last', b: 'fixed', c: 'new' } },
  },
  {
    reason: 'injectors keep their order and empty strings',
    template: {
      injectors: [
        { path: [], group: '', name: fixed('') },
        { path: [], kind: 'K', name: computed('n') },
        { path: [], name: computed('') },
      ],
    },
    expected: { injectors: [{ group: '', name: '' }, { kind: 'K', name: 'n' }, { name: '' }] },
  },
])('$reason', ({ template, expected }) => {
  const { repo, package: packageName, fields } = render(template, ({ text }) => text)
  expect({ repo, packageName, fields }).toEqual({ repo: 'edge', packageName: 'app', fields: expected })
})

test('the order of evaluation is the seed’s', () => {
  const fn = (name: string) => ({
    path: [],
    written: {},
    configMap: new Map(),
    configMapExprs: [entry(computed(`${name}.key`), computed(`${name}.value`))],
  })
  const evaluated: string[] = []
  render(
    {
      downstream: { repo: computed('repo'), package: computed('package') },
      labelExprs: [entry(computed('label.key'), computed('label.value'))],
      annotationExprs: [entry(computed('annotation.key'), computed('annotation.value'))],
      packageContext: {
        ...context,
        dataExprs: [entry(computed('data.key'), computed('data.value'))],
        removeKeyExprs: [{ text: 'removeKey', path: [] }],
      },
      injectors: [{ path: [], name: computed('injector') }],
      pipeline: { validators: [fn('validator')], mutators: [fn('mutator')] },
    },
    ({ text }) => {
      evaluated.push(text)
      return text
    },
  )
  expect(evaluated.map((text) => text.split('.')[0])).toEqual([
    'repo',
    'package',
    'label',
    'label',
    'annotation',
    'annotation',
    'data',
    'data',
    'removeKey',
    'injector',
    'validator',
    'validator',
    'mutator',
    'mutator',
  ])
  expect(evaluated.slice(2, 4)).toEqual(['label.key', 'label.value'])
})

test('repoExpr is evaluated before the others, which see what it gave', () => {
  const rendering = renderTemplate(
    { ...EMPTY, downstream: { repo: computed('r'), package: computed('p') } },
    { repoDefault: '', packageDefault: '' },
    { repoExpr: ({ text }) => `${text}-01`, others: (repo) => (expression) => `${expression.text} in ${repo}` },
  )
  expect(rendering).toMatchObject({ repo: 'r-01', package: 'p in r-01' })
})

test('every text of an expression has its field in the variant and its place in the set', () => {
  const expression = (text: string) => ({ expression: { text, path: ['at', text] } })
  const { filled } = render(
    {
      downstream: { package: expression('p') },
      labelExprs: [entry(expression('k'), expression('v')), entry(expression('k'), fixed('last'))],
      packageContext: { ...context, removeKeys: ['a', 'z'], removeKeyExprs: [{ text: 'm', path: ['at', 'm'] }] },
      injectors: [
        { path: [], name: fixed('first') },
        { path: [], name: expression('n') },
        { path: [], name: expression('') },
      ],
      pipeline: {
        validators: [],
        mutators: [{ path: [], written: {}, configMap: new Map(), configMapExprs: [entry(fixed('c'), expression('d'))] }],
      },
    },
    ({ text }) => text,
  )
  const told = filled.map(({ within, key, value, keyFrom, valueFrom }) => [
    formatFieldPath([...within, key]),
    value,
    keyFrom?.path[1],
    valueFrom?.path[1],
  ])
  expect(told).toEqual([
    ['spec.downstream.package', 'p', undefined, 'p'],
    ['spec.labels.k', 'v', 'k', 'v'],
    ['spec.labels.k', 'last', 'k', undefined],
    ['spec.packageContext.removeKeys[1]', 'm', undefined, 'm'],
    ['spec.injectors[1].name', 'n', undefined, 'n'],
    ['spec.pipeline.mutators[0].configMap.c', 'd', undefined, 'd'],
  ])
})

test('a fixed entry that overrides a computed one has no source', () => {
  const rendering = render({ labelExprs: [entry(fixed('a'), computed('x')), entry(fixed('a'), fixed('b'))] }, ({ text }) => text)
  expect(sourcesOf(rendering).size).toBe(0)
})

test('an expression without a text gives an empty one, and is no source of it', () => {
  const { repo, fields, filled } = render(
    { downstream: { repo: computed('r') }, labelExprs: [entry(computed('k'), computed('v'))] },
    ({ text }) => (text === 'k' ? 'key' : undefined),
  )
  expect({ repo, fields }).toEqual({ repo: '', fields: { labels: { key: '' } } })
  expect(filled.map(({ keyFrom, valueFrom }) => [keyFrom?.text, valueFrom?.text])).toEqual([
    [undefined, undefined],
    ['k', undefined],
  ])
})
