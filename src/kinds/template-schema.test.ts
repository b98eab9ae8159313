import { expect, test } from 'vitest'
import { TEMPLATE } from './template-schema.ts'
import { misfits } from './testing/misfits.ts'

/** The type faults of fields of one map. */
function typesOf(place: string, fields: string): readonly string[] {
  return fields.split(' ').map((field) => `${place}${field} type`)
}

test.each([
  { reason: 'no field must be set', text: '{}', expected: [] },
  {
    reason: 'every field',
    text: `
downstream: {repo: a, repoExpr: b, package: c, packageExpr: d}
adoptionPolicy: adoptExisting
deletionPolicy: orphan
labels: {a: b}
labelExprs: [{key: a, keyExpr: b, value: c, valueExpr: d}]
annotations: {a: b}
annotationExprs: [{key: a, keyExpr: b, value: c, valueExpr: d}]
packageContext: {data: {a: b}, dataExprs: [{key: a}], removeKeys: [b], removeKeyExprs: [c]}
injectors: [{group: a, version: b, kind: c, name: d, nameExpr: e, point: f}]
injectorExprs: [{nameExpr: a}]
pipeline: {mutators: [{image: a, configMapExprs: [{key: b}]}], validators: [{image: a}]}`,
    expected: [],
  },
  {
    reason: 'seed 000 writes one entry as a map',
    text: '{labelExprs: {key: a, value: b}, annotationExprs: {key: c}, injectors: {name: d}, injectorExprs: {nameExpr: e}}',
    expected: [],
  },
  {
    reason: 'the type of each field',
    text: '{downstream: [], labels: [], labelExprs: a, annotations: [], annotationExprs: a, packageContext: [], injectors: a, injectorExprs: a, pipeline: []}',
    expected: typesOf('', 'downstream labels labelExprs annotations annotationExprs packageContext injectors injectorExprs pipeline'),
  },
  {
    reason: 'the values of policies',
    text: '{adoptionPolicy: a, deletionPolicy: b}',
    expected: ['adoptionPolicy enum', 'deletionPolicy enum'],
  },
  {
    reason: 'labels and annotations are texts',
    text: '{labels: {a: 1}, annotations: {b: 2}}',
    expected: ['labels.a type', 'annotations.b type'],
  },
  {
    reason: 'the type of each field of downstream, which may be empty texts',
    text: '{downstream: {repo: [], repoExpr: [], package: [], packageExpr: []}}',
    expected: typesOf('downstream.', 'repo repoExpr package packageExpr'),
  },
  { reason: 'empty texts of downstream', text: '{downstream: {repo: "", repoExpr: "", package: "", packageExpr: ""}}', expected: [] },
  {
    reason: 'the type of each field of packageContext',
    text: '{packageContext: {data: [], dataExprs: {}, removeKeys: {}, removeKeyExprs: {}}}',
    expected: typesOf('packageContext.', 'data dataExprs removeKeys removeKeyExprs'),
  },
  {
    reason: 'data, keys and expressions of packageContext are texts',
    text: '{packageContext: {data: {a: 1}, dataExprs: [{keyExpr: 2}], removeKeys: [3], removeKeyExprs: [4]}}',
    expected: typesOf('packageContext.', 'data.a dataExprs[0].keyExpr removeKeys[0] removeKeyExprs[0]'),
  },
  ...['labelExprs', 'annotationExprs', 'packageContext: {dataExprs', 'pipeline: {mutators: [{image: a, configMapExprs'].map((field) => {
    const place = field.replace(': {', '.').replace(': [{image: a, ', '[0].')
    const end = `${field.includes('[') ? '}]' : ''}${field.includes('{') ? '}' : ''}`
    return {
      reason: `the type of each field of ${place}, and no other field`,
      text: `{${field}: [{key: [], keyExpr: [], value: [], valueExpr: [], name: a}]${end}}`,
      expected: [...typesOf(`${place}[0].`, 'key keyExpr value valueExpr'), `${place}[0].name additionalProperties`],
    }
  }),
  {
    reason: 'one map in the place of a list has the same fields',
    text: '{labelExprs: {key: 1, name: a}, annotationExprs: {value: 2, name: a}, injectors: {name: 3, path: a}, injectorExprs: {nameExpr: 4, path: a}}',
    expected: [
      'labelExprs.key type',
      'labelExprs.name additionalProperties',
      'annotationExprs.value type',
      'annotationExprs.name additionalProperties',
      'injectors.name type',
      'injectors.path additionalProperties',
      'injectorExprs.nameExpr type',
      'injectorExprs.path additionalProperties',
    ],
  },
  ...['injectors', 'injectorExprs'].map((field) => ({
    reason: `the type of each field of ${field}, and no other field`,
    text: `{${field}: [{group: [], version: [], kind: [], name: [], nameExpr: [], point: [], path: a}]}`,
    expected: [...typesOf(`${field}[0].`, 'group version kind name nameExpr point'), `${field}[0].path additionalProperties`],
  })),
  {
    reason: 'the name of an injection point must not be empty',
    text: '{injectors: [{name: a, point: ""}]}',
    expected: ['injectors[0].point minLength'],
  },
  {
    reason: 'lists of functions',
    text: '{pipeline: {mutators: {}, validators: {}}}',
    expected: ['pipeline.mutators type', 'pipeline.validators type'],
  },
  ...['mutators', 'validators'].flatMap((field) => [
    {
      reason: `a function of ${field} must have an image`,
      text: `{pipeline: {${field}: [{name: a}]}}`,
      expected: [`pipeline.${field}[0].image required`],
    },
    {
      reason: `the image of ${field} must not be empty`,
      text: `{pipeline: {${field}: [{image: ""}]}}`,
      expected: [`pipeline.${field}[0].image minLength`],
    },
    {
      reason: `the fields of ${field} are those of a pipeline and configMapExprs`,
      text: `{pipeline: {${field}: [{image: a, tag: 1, configMapExprs: {}, configs: b}]}}`,
      expected: [...typesOf(`pipeline.${field}[0].`, 'tag configMapExprs'), `pipeline.${field}[0].configs additionalProperties`],
    },
  ]),
  {
    reason: 'no other field in a template and its maps',
    text: '{spec: {}, downstream: {name: a}, packageContext: {keys: []}, pipeline: {functions: []}}',
    expected: ['spec', 'downstream.name', 'packageContext.keys', 'pipeline.functions'].map((field) => `${field} additionalProperties`),
  },
])('a template: $reason', ({ text, expected }) => {
  expect(misfits(TEMPLATE, text)).toEqual(expected)
})

test('injectorExprs of seed 000 is not proposed for a misspelt field', () => {
  const deprecated = Object.entries(TEMPLATE.properties).flatMap(([name, field]) =>
    'deprecated' in field && field.deprecated ? [name] : [],
  )
  expect(deprecated).toEqual(['injectorExprs'])
})

test('expressions are marked as CEL, so that placeholders in them are errors', () => {
  const { downstream, packageContext, labelExprs, injectors } = TEMPLATE.properties
  expect([
    downstream.properties.repoExpr.format,
    downstream.properties.packageExpr.format,
    packageContext.properties.removeKeyExprs.items.format,
    labelExprs.items.properties.keyExpr.format,
    labelExprs.items.properties.valueExpr.format,
    injectors.items.properties.nameExpr.format,
  ]).toEqual(['cel', 'cel', 'cel', 'cel', 'cel', 'cel'])
})
