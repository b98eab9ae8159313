import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { injectorEntries, templateFaults } from './template-rules.ts'
import type { TemplateFields } from './template-schema.ts'

/** Returns the faults of a template, each with its severity, its rule and the field to point at. */
function faults(template: TemplateFields): readonly string[] {
  return templateFaults(template, ['t']).map(({ severity, rule, path, place = path }) => `${severity} ${rule} ${formatFieldPath(place)}`)
}

const ROWS: readonly { readonly reason: string; readonly template: TemplateFields; readonly expected: readonly string[] }[] = [
  { reason: 'an empty template', template: {}, expected: [] },
  {
    reason: 'a fixed field beside a computed one of another field',
    template: { downstream: { repo: 'a', packageExpr: 'target.name' } },
    expected: [],
  },
  {
    reason: 'a fixed and a computed field, empty texts included',
    template: { downstream: { repo: '', repoExpr: '', package: 'a', packageExpr: 'b' } },
    expected: ['error exclusive-fields t.downstream.repoExpr', 'error exclusive-fields t.downstream.packageExpr'],
  },
  {
    reason: 'labels and annotations that an API server refuses',
    template: { labels: { 'a b': 'c' }, annotations: { 'd e': 'f' } },
    expected: ['warning label-key t.labels["a b"]', 'warning annotation-key t.annotations["d e"]'],
  },
  {
    reason: 'an entry with key and value, fixed or computed',
    template: { labelExprs: [{ key: 'a', value: '' }], annotationExprs: [{ keyExpr: 'a', valueExpr: 'b' }] },
    expected: [],
  },
  {
    reason: 'an entry without a key, and without a value',
    template: { labelExprs: [{ value: 'a' }], annotationExprs: [{ key: 'a' }] },
    expected: ['error map-entry t.labelExprs[0]', 'warning map-entry t.annotationExprs[0]'],
  },
  {
    reason: 'an entry with both fields of a pair',
    template: { labelExprs: [{ key: 'a', keyExpr: 'b', value: 'c' }], annotationExprs: [{ key: 'a', value: 'b', valueExpr: 'c' }] },
    expected: ['error exclusive-fields t.labelExprs[0].keyExpr', 'error exclusive-fields t.annotationExprs[0].valueExpr'],
  },
  {
    reason: 'an expression as the key and as the value of an entry',
    template: { labelExprs: [{ key: 'target.name', value: 'repository.name' }] },
    expected: ['warning expression-as-text t.labelExprs[0].key', 'warning expression-as-text t.labelExprs[0].value'],
  },
  {
    reason: 'reserved keys of the package context',
    template: { packageContext: { data: { name: 'a' }, removeKeys: ['package-path'] } },
    expected: ['error reserved-context-key t.packageContext.data.name', 'error reserved-context-key t.packageContext.removeKeys[0]'],
  },
  {
    reason: 'computed entries of the package context',
    template: { packageContext: { dataExprs: [{ key: 'name', value: 'a' }, { keyExpr: "'name'", value: 'a' }, { value: 'b' }] } },
    expected: ['error reserved-context-key t.packageContext.dataExprs[0].key', 'error map-entry t.packageContext.dataExprs[2]'],
  },
  {
    reason: 'an injector with a name or an expression, and with neither or both',
    template: { injectors: [{ name: 'a' }, { nameExpr: 'b' }, { kind: 'A' }, { name: 'a', nameExpr: 'b' }] },
    expected: ['error injector-name t.injectors[2]', 'error exclusive-fields t.injectors[3].nameExpr'],
  },
  {
    reason: 'an expression as the name of an injector',
    template: { injectors: [{ name: 'target.name' }] },
    expected: ['warning expression-as-text t.injectors[0].name'],
  },
  {
    reason: 'injectorExprs of seed 000 have the rules of injectors',
    template: { injectorExprs: [{ kind: 'A' }] },
    expected: ['error injector-name t.injectorExprs[0]', 'warning not-in-api t.injectorExprs'],
  },
  {
    reason: 'one map in the place of a list',
    template: {
      labelExprs: { key: 'a', value: 'b' },
      annotationExprs: { key: 'a', value: 'b' },
      injectors: { name: 'a' },
      injectorExprs: { name: 'b' },
    },
    expected: [
      'warning single-entry t.labelExprs',
      'warning single-entry t.annotationExprs',
      'warning single-entry t.injectors',
      'warning single-entry t.injectorExprs',
      'warning not-in-api t.injectorExprs',
    ],
  },
  {
    reason: 'a fixed repository and package that are expressions',
    template: { downstream: { repo: 'target.name', package: "'a-' + repository.name" } },
    expected: ['warning expression-as-text t.downstream.repo', 'warning expression-as-text t.downstream.package'],
  },
  {
    reason: 'validators come before mutators, as in the controller',
    template: { pipeline: { mutators: [{ image: 'a', name: 'b.c' }], validators: [{ image: 'a', name: 'd.e' }] } },
    expected: ['error function-name t.pipeline.validators[0].name', 'error function-name t.pipeline.mutators[0].name'],
  },
  {
    reason: 'a function with one config, and without',
    template: {
      pipeline: {
        mutators: [
          { image: 'a' },
          { image: 'a', exec: '', name: 'b' },
          { image: 'a', configPath: 'b' },
          { image: 'a', configMap: { b: 'c' } },
          { image: 'a', configMap: { b: 'c' }, configMapExprs: [{ key: 'd', value: 'e' }] },
          { image: 'a', configRef: { kind: 'A', name: 'b' } },
        ],
      },
    },
    expected: [],
  },
  {
    reason: 'a file beside a config map, fixed or computed',
    template: {
      pipeline: {
        mutators: [
          { image: 'a', configPath: 'b', configMap: {} },
          { image: 'a', configPath: 'b', configMapExprs: [] },
        ],
      },
    },
    expected: ['warning config-path-and-map t.pipeline.mutators[0]', 'warning config-path-and-map t.pipeline.mutators[1]'],
  },
  {
    reason: 'a configRef beside a file or a config map, fixed or computed',
    template: {
      pipeline: {
        validators: [{ configPath: 'b' }, { configMap: {} }, { configMapExprs: [] }].map((config) => ({
          image: 'a',
          configRef: { kind: 'A', name: 'b' },
          ...config,
        })),
      },
    },
    expected: [0, 1, 2].map((index) => `error function-configs t.pipeline.validators[${index}].configRef`),
  },
  {
    reason: 'computed options of a function',
    template: { pipeline: { mutators: [{ image: 'a', configMapExprs: [{ value: 'b' }] }] } },
    expected: ['error map-entry t.pipeline.mutators[0].configMapExprs[0]'],
  },
]

test.each(ROWS)('$reason', ({ template, expected }) => {
  expect(faults(template)).toEqual(expected)
})

test.each([
  { fields: { image: '', exec: 'a' }, says: 'names a program of the machine that runs the pipeline' },
  { fields: { image: 'b', exec: 'a' }, says: "must not be set beside 'image'" },
])('a program of a function is reported, with an image and without: $says', ({ fields, says }) => {
  const [only, ...others] = templateFaults({ pipeline: { mutators: [fields] } }, [])
  expect(others).toEqual([])
  expect(only).toMatchObject({ severity: 'warning', rule: 'function-program', path: ['pipeline', 'mutators', 0, 'exec'] })
  expect(only?.message.startsWith(says)).toBe(true)
})

test.each([
  ...['target.name', ' repository.name ', 'upstream.repo', 'upstream.package', 'target.namespace', 'repoDefault', 'packageDefault+1'],
  ...["target.name + '-a'", "'store-' + target.name", "'a' +repository.labels.b", "'a' + upstream.kind"],
  ...['target.labels', "region-target.annotations['a']", 'x repository.labels.region'],
])('the text %s is an expression', (text) => {
  expect(faults({ downstream: { package: text } })).toEqual(['warning expression-as-text t.downstream.package'])
})

test.each([
  ...['target', 'targets.name', 'target.name-a', 'target.names', 'target.kind', 'my target.name', 'repoDefaults', 'mypackageDefault'],
  ...["'a' + b", "'a' + target", 'mytarget.labels', 'target.labelsets', 'a+mytarget.b', ''],
])('the text %s is no expression', (text) => {
  expect(faults({ downstream: { package: text } })).toEqual([])
})

test('the injectors of a template come before the injectorExprs of seed 000', () => {
  const template: TemplateFields = { injectorExprs: [{ name: 'a' }], injectors: [{ name: 'b' }, { name: 'c' }] }
  expect(injectorEntries(template, ['t']).map(({ path, value }) => [formatFieldPath(path), value.name])).toEqual([
    ['t.injectors[0]', 'b'],
    ['t.injectors[1]', 'c'],
    ['t.injectorExprs[0]', 'a'],
  ])
})
