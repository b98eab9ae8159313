import { expect, test } from 'vitest'
import type { Computed, MapExpr, Template } from '../kinds/package-variant-set.ts'
import { omitEmpty, renderTemplate } from './render-template.ts'

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

function entry(key: Computed, value: Computed): MapExpr {
  return { path: [], key, value }
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
      labelExprs: [
        entry({ value: 'a' }, computed('first')),
        entry(computed('a'), { value: 'last' }),
        entry({ value: 'c' }, computed('new')),
      ],
    },
    expected: { labels: { a: 'last', b: 'fixed', c: 'new' } },
  },
  {
    reason: 'injectors keep their order and empty strings',
    template: { injectors: [{ group: '', name: { value: '' } }, { kind: 'K', name: computed('n') }, { name: computed('') }] },
    expected: { injectors: [{ group: '', name: '' }, { kind: 'K', name: 'n' }, { name: '' }] },
  },
])('$reason', ({ template, expected }) => {
  expect(renderTemplate({ ...EMPTY, ...template }, ({ text }) => text)).toEqual(expected)
})

test('the order of evaluation is the seed’s', () => {
  const fn = (name: string) => ({
    path: [],
    written: {},
    configMap: new Map(),
    configMapExprs: [entry(computed(`${name}.key`), computed(`${name}.value`))],
  })
  const evaluated: string[] = []
  renderTemplate(
    {
      ...EMPTY,
      labelExprs: [entry(computed('label.key'), computed('label.value'))],
      annotationExprs: [entry(computed('annotation.key'), computed('annotation.value'))],
      packageContext: {
        ...context,
        dataExprs: [entry(computed('data.key'), computed('data.value'))],
        removeKeyExprs: [{ text: 'removeKey', path: [] }],
      },
      injectors: [{ name: computed('injector') }],
      pipeline: { validators: [fn('validator')], mutators: [fn('mutator')] },
    },
    ({ text }) => {
      evaluated.push(text)
      return text
    },
  )
  expect(evaluated.map((text) => text.split('.')[0])).toEqual([
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
  expect(evaluated.slice(0, 2)).toEqual(['label.key', 'label.value'])
})

test.each([
  { reason: 'empty values go', record: { a: '', b: [], c: {}, d: 0, e: 1, f: 'x' }, expected: { e: 1, f: 'x' } },
  {
    reason: 'those of records in lists too',
    record: { selectors: [{ kind: 'A', name: '' }, {}] },
    expected: { selectors: [{ kind: 'A' }, {}] },
  },
  { reason: 'entries of maps stay', record: { selectors: [{ labels: { a: '' } }] }, expected: { selectors: [{ labels: { a: '' } }] } },
])('as Go writes it: $reason', ({ record, expected }) => {
  expect(omitEmpty(record)).toEqual(expected)
})
