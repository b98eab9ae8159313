import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { findingsOf } from '../result.ts'
import { decodePackageVariantMatrix } from './package-variant-matrix.ts'

function matrix(spec: string, metadata = '{name: base}'): KrmObject {
  return KrmObject.fromDocument(
    `apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: PackageVariantMatrix\nmetadata: ${metadata}\nspec: {${spec}}\n`,
  )
}

const LEAST = 'upstreams: [{packageRevisionSet: a}], targets: [{repositories: [{name: b}]}]'

/** Returns every fault and warning about a matrix, with its rule. */
function findings(object: KrmObject): readonly string[] {
  return findingsOf(() => decodePackageVariantMatrix(object).warnings).map(
    ({ severity, message, tags }) => `${severity} ${message} [${tags.rule}]`,
  )
}

test('a matrix with what it must have', () => {
  const object = matrix(LEAST)
  expect(decodePackageVariantMatrix(object)).toEqual({
    matrix: {
      set: {
        object,
        targets: [{ path: ['spec', 'targets', 0], criteria: { type: 'repositories', repositories: [{ name: 'b', packageNames: [] }] } }],
        exclusions: [],
        overrides: [],
        inputs: [],
        rings: [],
        maxVariants: 10_000,
      },
      upstreams: [{ path: ['spec', 'upstreams', 0], packageRevisionSet: 'a' }],
    },
    warnings: [],
  })
})

test('the limit is that of the matrix', () => {
  expect(decodePackageVariantMatrix(matrix(`${LEAST}, maxVariants: 7`)).matrix.set.maxVariants).toBe(7)
})

test('the templates of the matrix, of an upstream and of an override are decoded at their paths', () => {
  const { set, upstreams } = decodePackageVariantMatrix(
    matrix(
      'upstreams: [{repo: a, package: b, revision: 1, template: {labels: {c: d}}}, {packageRevisionSet: e}], targets: [{repositorySelector: {}, template: {}}], template: {annotations: {f: g}}, overrides: [{name: h, template: {labels: {i: j}}}]',
    ),
  ).matrix
  expect(upstreams).toMatchObject([
    {
      upstream: { repo: 'a', package: 'b', revision: 1 },
      template: { path: ['spec', 'upstreams', 0, 'template'], labels: new Map([['c', 'd']]) },
    },
    { packageRevisionSet: 'e' },
  ])
  expect(upstreams[1]).not.toHaveProperty('template')
  expect(set.template).toMatchObject({ path: ['spec', 'template'], annotations: new Map([['f', 'g']]) })
  expect(set.targets[0]?.template?.path).toEqual(['spec', 'targets', 0, 'template'])
  expect(set.overrides).toMatchObject([{ template: { path: ['spec', 'overrides', 0, 'template'], labels: new Map([['i', 'j']]) } }])
})

test('exclusions: the criteria of a target, the packages and the reason', () => {
  const { exclusions } = decodePackageVariantMatrix(
    matrix(`${LEAST}, exclude: [{repositories: [{name: a}], packages: [b, c], reason: d}, {repositorySelector: {matchLabels: {e: f}}}]`),
  ).matrix.set
  expect(exclusions).toEqual([
    {
      path: ['spec', 'exclude', 0],
      criteria: { type: 'repositories', repositories: [{ name: 'a', packageNames: [] }] },
      packages: new Set(['b', 'c']),
      reason: 'd',
    },
    {
      path: ['spec', 'exclude', 1],
      criteria: { type: 'repositorySelector', selector: { matchLabels: new Map([['e', 'f']]), matchExpressions: [] }, packageNames: [] },
      packages: new Set(),
    },
  ])
})

test('overrides: where they hold, and for which packages; without a word everywhere and for all', () => {
  const { overrides } = decodePackageVariantMatrix(
    matrix(`${LEAST}, overrides: [{name: a, where: b, packages: [c], template: {}}, {name: d, template: {}}]`),
  ).matrix.set
  expect(overrides).toMatchObject([
    { path: ['spec', 'overrides', 0], name: 'a', where: { text: 'b', path: ['spec', 'overrides', 0, 'where'] }, packages: new Set(['c']) },
    { path: ['spec', 'overrides', 1], name: 'd', packages: new Set() },
  ])
  expect(overrides[1]).not.toHaveProperty('where')
})

test('inputs: a name as it is or computed, and required unless they say otherwise', () => {
  const { inputs } = decodePackageVariantMatrix(
    matrix(
      `${LEAST}, inputs: [{name: a, object: {apiVersion: v1, kind: A, name: b}}, {name: c, optional: true, object: {apiVersion: v2, kind: B, nameExpr: d}}]`,
    ),
  ).matrix.set
  expect(inputs).toEqual([
    {
      name: 'a',
      apiVersion: 'v1',
      kind: 'A',
      objectName: { value: 'b', path: ['spec', 'inputs', 0, 'object', 'name'] },
      optional: false,
    },
    {
      name: 'c',
      apiVersion: 'v2',
      kind: 'B',
      objectName: { expression: { text: 'd', path: ['spec', 'inputs', 1, 'object', 'nameExpr'] } },
      optional: true,
    },
  ])
})

test('rings: the targets and the revisions of each, in their order', () => {
  const { rings } = decodePackageVariantMatrix(matrix(`${LEAST}, rings: [{name: a, where: b, revisions: {c: 2, d: 3}}, {name: e}]`)).matrix
    .set
  expect(rings).toEqual([
    {
      path: ['spec', 'rings', 0],
      name: 'a',
      where: { text: 'b', path: ['spec', 'rings', 0, 'where'] },
      revisions: new Map([
        ['c', 2],
        ['d', 3],
      ]),
    },
    { path: ['spec', 'rings', 1], name: 'e', revisions: new Map() },
  ])
})

const OPEN =
  'must be set: only the last ring may be without, this one would have every target and leave none to the rings after it [required]'

test.each([
  {
    reason: 'an input without a name, and with two',
    spec: `${LEAST}, inputs: [{name: a, object: {apiVersion: v1, kind: A}}, {name: b, object: {apiVersion: v1, kind: A, name: c, nameExpr: d}}]`,
    expected: [
      "error `spec.inputs[0].object` must have 'name' or 'nameExpr', got neither [input-name]",
      "error `spec.inputs[1].object` must have 'name' or 'nameExpr', got both [input-name]",
    ],
  },
  {
    reason: 'rings without where before the last',
    spec: `${LEAST}, rings: [{name: a}, {name: b, where: c}, {name: d}, {name: e}]`,
    expected: [`error \`spec.rings[0].where\` ${OPEN}`, `error \`spec.rings[2].where\` ${OPEN}`],
  },
  {
    reason: 'each ring with the name of an earlier one',
    spec: `${LEAST}, rings: [{name: a, where: b}, {name: c, where: d}, {name: a, where: e}, {name: a}]`,
    expected: [2, 3].map(
      (index) => `error \`spec.rings[${index}].name\` must be a name of its own, got 'a', the name of \`spec.rings[0]\` [duplicate-name]`,
    ),
  },
  {
    reason: 'a ring with the name of the ring before it',
    spec: `${LEAST}, rings: [{name: a, where: b}, {name: c, where: d}, {name: c}]`,
    expected: ["error `spec.rings[2].name` must be a name of its own, got 'c', the name of `spec.rings[1]` [duplicate-name]"],
  },
  {
    reason: 'overrides and inputs of one name, but not an override and an input',
    spec: `${LEAST}, overrides: [{name: a, template: {}}, {name: a, template: {}}], inputs: [{name: a, object: {apiVersion: v1, kind: A, name: b}}, {name: a, object: {apiVersion: v1, kind: A, name: b}}]`,
    expected: [
      "error `spec.inputs[1].name` must be a name of its own, got 'a', the name of `spec.inputs[0]` [duplicate-name]",
      "error `spec.overrides[1].name` must be a name of its own, got 'a', the name of `spec.overrides[0]` [duplicate-name]",
    ],
  },
  {
    reason: 'entries of upstreams',
    spec: 'upstreams: [{}], targets: [{repositories: [{name: b}]}]',
    expected: ["error `spec.upstreams[0]` must have 'repo' and 'package', or 'packageRevisionSet', got none of them [upstream-entry]"],
  },
  {
    reason: 'targets',
    spec: 'upstreams: [{packageRevisionSet: a}], targets: [{repositories: [{name: b}]}, {}]',
    expected: [
      "error `spec.targets[1]` must have exactly one of 'repositories', 'repositorySelector', 'objectSelector', got none [target-criteria]",
    ],
  },
  {
    reason: 'exclusions, whose packages and reason are no criteria',
    spec: `${LEAST}, exclude: [{packages: [a], reason: b}]`,
    expected: [
      "error `spec.exclude[0]` must have exactly one of 'repositories', 'repositorySelector', 'objectSelector', got none [target-criteria]",
    ],
  },
  {
    reason: 'templates of upstreams, of the matrix and of overrides',
    spec: 'upstreams: [{packageRevisionSet: a, template: {injectors: [{}]}}], targets: [{repositories: [{name: b}]}], template: {injectors: [{}]}, overrides: [{name: c, template: {injectors: [{}]}}]',
    expected: ['overrides[0].template', 'template', 'upstreams[0].template'].map(
      (field) => `error \`spec.${field}.injectors[0]\` must have 'name' or 'nameExpr' [injector-name]`,
    ),
  },
  {
    reason: 'words of older versions',
    spec: 'upstreams: [{packageRevisionSet: a}], targets: [{repoName: b, objects: {}, repositorySelector: {labelSelector: {}, labels: {}}}]',
    expected: [
      "error `spec.targets[0].objects` is not a field of targets[]; did you mean 'objectSelector'? [unknown-field]",
      "error `spec.targets[0].repoName` is not a field of targets[]; did you mean 'repositories'? [unknown-field]",
      "error `spec.targets[0].repositorySelector.labelSelector` is not a field of repositorySelector; did you mean 'matchLabels'? [unknown-field]",
      "error `spec.targets[0].repositorySelector.labels` is not a field of repositorySelector; did you mean 'matchLabels'? [unknown-field]",
    ],
  },
  {
    reason: 'words of other tools for an upstream',
    spec: 'upstreams: [{repo: a, package: b, revision: 1, set: c}], targets: [{repositories: [{name: b}]}]',
    expected: ["error `spec.upstreams[0].set` is not a field of upstreams[]; did you mean 'packageRevisionSet'? [unknown-field]"],
  },
  {
    reason: 'operators of other tools',
    spec: "upstreams: [{packageRevisionSet: a}], targets: [{repositorySelector: {matchExpressions: [{key: b, operator: '==', values: [c]}]}}]",
    expected: [
      "error `spec.targets[0].repositorySelector.matchExpressions[0].operator` must be one of 'In', 'NotIn', 'Exists', 'DoesNotExist', got '=='; write In with one value [allowed-values]",
    ],
  },
])('faults: $reason', ({ spec, expected }) => {
  expect(findings(matrix(spec))).toEqual(expected)
})

test('the name of a matrix is checked', () => {
  expect(findings(matrix(LEAST, '{name: Base}'))).toEqual([
    "error `metadata.name` must be at most 253 of a-z, 0-9, '-' and '.', beginning and ending with a letter or digit, got 'Base' [object-name]",
  ])
})
