import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Computed, FunctionTemplate, InjectorTemplate, MapExpr, Template } from '../../kinds/template.ts'
import { overlayTemplate } from './layered-template.ts'
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
