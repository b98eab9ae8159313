import { expect, test } from 'vitest'
import { MOST_VARIANTS, PACKAGE_VARIANT_MATRIX_SCHEMA } from './package-variant-matrix-schema.ts'
import { misfits, UNSET_PARTS, WRONG_PARTS } from './testing/misfits.ts'

const LEAST = 'upstreams: [{}], targets: [{}]'

/** The type faults of fields of the spec. */
function typesOf(fields: readonly string[]): readonly string[] {
  return fields.map((field) => `spec.${field} type`)
}

test('the parts of a PackageVariantMatrix must be set', () => {
  expect(misfits(PACKAGE_VARIANT_MATRIX_SCHEMA, '{}')).toEqual(UNSET_PARTS)
})

test('a PackageVariantMatrix has its apiVersion and kind, a status that is a map, and no other field', () => {
  const text = 'apiVersion: fleet.krm-variants.dev/v1\nkind: Matrix\nmetadata: {}\nspec: []\nstatus: []\ndata: {}\n'
  expect(misfits(PACKAGE_VARIANT_MATRIX_SCHEMA, text)).toEqual(WRONG_PARTS)
})

test.each([
  { reason: 'the least', spec: `{${LEAST}}`, expected: [] },
  {
    reason: 'every field',
    spec: `{upstreams: [{repo: a, package: b, revision: 1, workspaceName: c, packageRevisionSet: d, template: {}}], targets: [{}], exclude: [{repositories: [{name: a}], repositorySelector: {matchLabels: {a: b}}, objectSelector: {apiVersion: v1, kind: A}, packages: [b], reason: c}], inputs: [{name: a, object: {apiVersion: v1, kind: A, name: b, nameExpr: c}, optional: true}], template: {}, overrides: [{name: a, where: b, packages: [c], template: {}}], rings: [{name: a, where: b, revisions: {c: 1}}], maxVariants: 1}`,
    expected: [],
  },
  { reason: 'upstreams and targets must be set', spec: '{}', expected: ['spec.upstreams required', 'spec.targets required'] },
  {
    reason: 'a matrix has an upstream and a target',
    spec: '{upstreams: [], targets: []}',
    expected: ['spec.upstreams minItems', 'spec.targets minItems'],
  },
  {
    reason: 'lists of exclusions, inputs, overrides and rings may be empty',
    spec: `{${LEAST}, exclude: [], inputs: [], overrides: [], rings: []}`,
    expected: [],
  },
  {
    reason: 'the type of each field',
    spec: '{upstreams: {}, targets: {}, exclude: {}, inputs: {}, template: [], overrides: {}, rings: {}, maxVariants: 1.5}',
    expected: typesOf(['upstreams', 'targets', 'exclude', 'inputs', 'template', 'overrides', 'rings', 'maxVariants']),
  },
  {
    reason: 'entries are maps',
    spec: '{upstreams: [a], targets: [b], exclude: [c], inputs: [d], overrides: [e], rings: [f]}',
    expected: typesOf(['upstreams', 'targets', 'exclude', 'inputs', 'overrides', 'rings'].map((field) => `${field}[0]`)),
  },
  { reason: 'a matrix may have at least one variant', spec: `{${LEAST}, maxVariants: 0}`, expected: ['spec.maxVariants minimum'] },
  { reason: 'no other field', spec: `{${LEAST}, upstream: {}}`, expected: ['spec.upstream additionalProperties'] },
  {
    reason: 'the fields of an upstream, and no other field',
    spec: '{upstreams: [{repo: 1, package: 2, revision: [], workspaceName: 3, packageRevisionSet: 4, template: [], targets: a}], targets: [{}]}',
    expected: [
      ...typesOf(
        ['repo', 'package', 'revision', 'workspaceName', 'packageRevisionSet', 'template'].map((field) => `upstreams[0].${field}`),
      ),
      'spec.upstreams[0].targets additionalProperties',
    ],
  },
  {
    reason: 'the fields of an exclusion, and no other field',
    spec: `{${LEAST}, exclude: [{repositories: {}, repositorySelector: [], objectSelector: [], packages: {}, reason: 1, template: {}}]}`,
    expected: [
      ...typesOf(['repositories', 'repositorySelector', 'objectSelector', 'packages', 'reason'].map((field) => `exclude[0].${field}`)),
      'spec.exclude[0].template additionalProperties',
    ],
  },
  {
    reason: 'lists and texts of an exclusion must not be empty',
    spec: `{${LEAST}, exclude: [{repositories: [], packages: [], reason: ""}, {packages: [""]}]}`,
    expected: ['[0].repositories minItems', '[0].packages minItems', '[0].reason minLength', '[1].packages[0] minLength'].map(
      (fault) => `spec.exclude${fault}`,
    ),
  },
  {
    reason: 'the repositories of an exclusion have names and no packages, which packages names',
    spec: `{${LEAST}, exclude: [{repositories: [{packageNames: [a]}, {name: ""}, {name: 1}, b]}]}`,
    expected: ['[0].name required', '[0].packageNames additionalProperties', '[1].name minLength', '[2].name type', '[3] type'].map(
      (fault) => `spec.exclude[0].repositories${fault}`,
    ),
  },
  {
    reason: 'the selectors of an exclusion have the fields of a target without packageNames',
    spec: `{${LEAST}, exclude: [{repositorySelector: {matchLabels: [], matchExpressions: {}, packageNames: []}}, {objectSelector: {name: 1, packageNames: []}}]}`,
    expected: [
      '[0].repositorySelector.matchLabels type',
      '[0].repositorySelector.matchExpressions type',
      '[0].repositorySelector.packageNames additionalProperties',
      '[1].objectSelector.apiVersion required',
      '[1].objectSelector.kind required',
      '[1].objectSelector.name type',
      '[1].objectSelector.packageNames additionalProperties',
    ].map((fault) => `spec.exclude${fault}`),
  },
  {
    reason: 'an override must have a name and a template',
    spec: `{${LEAST}, overrides: [{}]}`,
    expected: ['spec.overrides[0].name required', 'spec.overrides[0].template required'],
  },
  {
    reason: 'the fields of an override, and no other field',
    spec: `{${LEAST}, overrides: [{name: 1, where: 2, packages: {}, template: [], targets: []}]}`,
    expected: [
      ...typesOf(['name', 'where', 'packages', 'template'].map((field) => `overrides[0].${field}`)),
      'spec.overrides[0].targets additionalProperties',
    ],
  },
  {
    reason: 'name and packages of an override must not be empty',
    spec: `{${LEAST}, overrides: [{name: "", packages: [], template: {}}, {name: a, packages: [""], template: {}}]}`,
    expected: ['[0].name minLength', '[0].packages minItems', '[1].packages[0] minLength'].map((fault) => `spec.overrides${fault}`),
  },
  {
    reason: 'the templates have the fields of a template',
    spec: '{upstreams: [{template: {a: b}}], targets: [{template: {a: b}}], template: {a: b}, overrides: [{name: a, template: {a: b}}]}',
    expected: ['upstreams[0].template', 'targets[0].template', 'template', 'overrides[0].template'].map(
      (field) => `spec.${field}.a additionalProperties`,
    ),
  },
  {
    reason: 'an input must have a name and an object, and the object apiVersion and kind',
    spec: `{${LEAST}, inputs: [{}, {name: a, object: {}}]}`,
    expected: ['[0].name', '[0].object', '[1].object.apiVersion', '[1].object.kind'].map((field) => `spec.inputs${field} required`),
  },
  {
    reason: 'the fields of an input, and no other field',
    spec: `{${LEAST}, inputs: [{name: 1, object: [], optional: 2, where: a}]}`,
    expected: [...typesOf(['inputs[0].name', 'inputs[0].object', 'inputs[0].optional']), 'spec.inputs[0].where additionalProperties'],
  },
  {
    reason: 'the fields of the object of an input, and no other field',
    spec: `{${LEAST}, inputs: [{name: a, object: {apiVersion: 1, kind: 2, name: 3, nameExpr: 4, namespace: b}}]}`,
    expected: [
      ...typesOf(['apiVersion', 'kind', 'name', 'nameExpr'].map((field) => `inputs[0].object.${field}`)),
      'spec.inputs[0].object.namespace additionalProperties',
    ],
  },
  {
    reason: 'texts of the object of an input must not be empty',
    spec: `{${LEAST}, inputs: [{name: a, object: {apiVersion: "", kind: "", name: ""}}]}`,
    expected: ['apiVersion', 'kind', 'name'].map((field) => `spec.inputs[0].object.${field} minLength`),
  },
  {
    reason: 'the name of an input is an identifier of CEL',
    spec: `{${LEAST}, inputs: [${['_a1', 'Region', '1a', 'a-b', 'a.b'].map((name) => `{name: ${name}, object: {apiVersion: v1, kind: A}}`).join(', ')}]}`,
    expected: [2, 3, 4].map((index) => `spec.inputs[${index}].name pattern`),
  },
  { reason: 'a ring must have a name', spec: `{${LEAST}, rings: [{}]}`, expected: ['spec.rings[0].name required'] },
  { reason: 'the name of a ring must not be empty', spec: `{${LEAST}, rings: [{name: ""}]}`, expected: ['spec.rings[0].name minLength'] },
  {
    reason: 'the fields of a ring, and no other field',
    spec: `{${LEAST}, rings: [{name: 1, where: 2, revisions: [], packages: a}]}`,
    expected: [...typesOf(['rings[0].name', 'rings[0].where', 'rings[0].revisions']), 'spec.rings[0].packages additionalProperties'],
  },
  {
    reason: 'the revisions of a ring are whole numbers from 1',
    spec: `{${LEAST}, rings: [{name: a, revisions: {b: 0, c: v2, d: 2}}]}`,
    expected: ['spec.rings[0].revisions.b minimum', 'spec.rings[0].revisions.c type'],
  },
])('the spec of a PackageVariantMatrix: $reason', ({ spec, expected }) => {
  const head = 'apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: PackageVariantMatrix\nmetadata: {name: a}\n'
  expect(misfits(PACKAGE_VARIANT_MATRIX_SCHEMA, `${head}spec: ${spec}\n`)).toEqual(expected)
})

test('a matrix without a limit of its own has ten thousand variants at most, and an input without a word must exist', () => {
  const { maxVariants, inputs, overrides, rings } = PACKAGE_VARIANT_MATRIX_SCHEMA.properties.spec.properties
  expect(MOST_VARIANTS).toBe(10_000)
  expect(maxVariants.default).toBe(10_000)
  expect(inputs.items.properties.optional.default).toBe(false)
  const expressions = [inputs.items.properties.object.properties.nameExpr, overrides.items.properties.where, rings.items.properties.where]
  expect(expressions.map(({ format }) => format)).toEqual(['cel', 'cel', 'cel'])
})
