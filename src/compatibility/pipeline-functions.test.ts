import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { formatFieldPath } from '../field-path.ts'
import type { JsonRecord } from '../json.ts'
import { isVariantSet, pipelineFunctions, recordsAt, templatesOf } from './pipeline-functions.ts'

const PORCH = 'config.porch.kpt.dev/v1alpha1'
const MATRIX = { apiVersion: 'fleet.krm-variants.dev/v1alpha1', kind: 'PackageVariantMatrix' }
const SET = { apiVersion: 'config.porch.kpt.dev/v1alpha2', kind: 'PackageVariantSet' }

const object = (value: JsonRecord) => writtenObject(JSON.stringify({ metadata: { name: 'a' }, ...value }))
const PIPELINE = { mutators: [{ image: 'one' }, { image: 'two' }], validators: [{ image: 'three' }] }
const IN_TEMPLATE = [{}, { template: { pipeline: { mutators: [{ image: 'one' }] } } }]

/** Returns the functions of an object, a line each: `spec.pipeline.mutators[0] one`. */
const functionsOf = (value: JsonRecord) =>
  pipelineFunctions([object(value)]).map(({ path, fields }) => `${formatFieldPath(path)} ${JSON.stringify(fields.image)}`)

test.each<readonly [string, JsonRecord, readonly string[]]>([
  [
    'a Kptfile has mutators, then validators',
    { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', pipeline: PIPELINE },
    ['pipeline.mutators[0] "one"', 'pipeline.mutators[1] "two"', 'pipeline.validators[0] "three"'],
  ],
  [
    'a PackageVariant has them in its spec',
    { apiVersion: PORCH, kind: 'PackageVariant', spec: { pipeline: PIPELINE } },
    ['spec.pipeline.mutators[0] "one"', 'spec.pipeline.mutators[1] "two"', 'spec.pipeline.validators[0] "three"'],
  ],
  ['a PackageVariant of another API has none', { apiVersion: 'x.io/v1', kind: 'PackageVariant', spec: { pipeline: PIPELINE } }, []],
  [
    'a set has them in the templates of targets',
    { ...SET, spec: { targets: IN_TEMPLATE } },
    ['spec.targets[1].template.pipeline.mutators[0] "one"'],
  ],
  ['a set has none in upstreams', { ...SET, spec: { upstreams: IN_TEMPLATE, template: IN_TEMPLATE[1]?.template ?? {} } }, []],
  ['a set of another API has none', { ...SET, apiVersion: 'x.io/v1', spec: { targets: IN_TEMPLATE } }, []],
  [
    'a matrix has them in its template, upstreams, targets and overrides, in this order',
    {
      ...MATRIX,
      spec: {
        overrides: IN_TEMPLATE,
        targets: IN_TEMPLATE,
        upstreams: IN_TEMPLATE,
        template: { pipeline: { validators: [{ image: 'v' }] } },
      },
    },
    [
      'spec.template.pipeline.validators[0] "v"',
      'spec.upstreams[1].template.pipeline.mutators[0] "one"',
      'spec.targets[1].template.pipeline.mutators[0] "one"',
      'spec.overrides[1].template.pipeline.mutators[0] "one"',
    ],
  ],
  ['a matrix of another API has none', { ...MATRIX, apiVersion: 'x.io/v1', spec: { template: IN_TEMPLATE[1]?.template ?? {} } }, []],
  ['another kind has none', { apiVersion: 'v1', kind: 'ConfigMap', pipeline: PIPELINE, spec: { pipeline: PIPELINE } }, []],
])('%s', (_what, value, expected) => {
  expect(functionsOf(value)).toEqual(expected)
})

test('each function knows its object, and objects follow each other', () => {
  const [first, second] = ['a', 'b'].map((name) =>
    object({ kind: 'Kptfile', metadata: { name }, pipeline: { mutators: [{ image: name }] } }),
  )
  const found = first && second ? pipelineFunctions([first, second]) : []
  expect(found.map(({ object: { name }, fields }) => [name, fields.image])).toEqual([
    ['a', 'a'],
    ['b', 'b'],
  ])
})

test('the places of templates are those of each entry, also of an entry without a template', () => {
  expect(templatesOf(object({ ...SET, spec: { targets: [{}, 1] } })).map(formatFieldPath)).toEqual([
    'spec.targets[0].template',
    'spec.targets[1].template',
  ])
  expect(templatesOf(object(SET))).toEqual([])
  expect(templatesOf(object(MATRIX)).map(formatFieldPath)).toEqual(['spec.template'])
  expect(templatesOf(object({ kind: 'Kptfile', spec: { targets: [{}] } }))).toEqual([])
})

test('a set is known by its kind and the group of its API, of any version', () => {
  expect(isVariantSet(object(SET))).toBe(true)
  expect(isVariantSet(object({ ...SET, apiVersion: PORCH }))).toBe(true)
  expect(isVariantSet(object({ ...SET, apiVersion: 'x.io/v1' }))).toBe(false)
  expect(isVariantSet(object({ ...SET, kind: 'PackageVariant' }))).toBe(false)
})

test('an entry that is no map is an empty one, and what is no list has no entries', () => {
  expect(recordsAt(object({ list: [{ a: 1 }, 'text', null] }), ['list'])).toEqual([{ a: 1 }, {}, {}])
  expect(recordsAt(object({ list: { a: 1 } }), ['list'])).toEqual([])
  expect(recordsAt(object({}), ['list'])).toEqual([])
})
