import { expect, test } from 'vitest'
import { packageVariantResults } from '../../testdata/kind-results.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { decodePackageVariant } from './package-variant.ts'

const HEAD = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: example, namespace: default}\nspec:\n'
const ENDS = '  upstream: {repo: catalog, package: foo, revision: 1}\n  downstream: {repo: edge-01, package: foo}\n'

function variant(spec: string): KrmObject {
  return KrmObject.fromDocument(HEAD + spec, { path: 'variant.yaml', index: 0, line: 1 })
}

function findings(object: KrmObject) {
  return packageVariantResults(object).map(
    ({ severity, message, position }) => `${severity} ${position?.line}:${position?.column} ${message}`,
  )
}

test('a variant in full', () => {
  const object = variant(`${ENDS}  adoptionPolicy: adoptExisting
  deletionPolicy: orphan
  labels: {a: "1"}
  annotations: {b: "2"}
  packageContext: {data: {c: "3"}, removeKeys: [d]}
  pipeline: {mutators: [{image: set-namespace, configMap: {namespace: x}}]}
  injectors: [{group: '', kind: ConfigMap, name: m}]
`)
  const { variant: decoded, warnings } = decodePackageVariant(object)
  expect(warnings).toEqual([])
  expect(decoded).toEqual({
    object,
    name: 'example',
    namespace: 'default',
    upstream: { repo: 'catalog', package: 'foo', revision: 1 },
    downstream: { repo: 'edge-01', package: 'foo' },
    adoptionPolicy: 'adoptExisting',
    deletionPolicy: 'orphan',
    labels: new Map([['a', '1']]),
    annotations: new Map([['b', '2']]),
    packageContext: { data: new Map([['c', '3']]), removeKeys: ['d'] },
    pipeline: { mutators: [{ image: 'set-namespace', configMap: { namespace: 'x' } }], validators: [] },
    injectors: [{ group: '', kind: 'ConfigMap', name: 'm' }],
  })
})

test('what a variant leaves out is empty', () => {
  const { variant: decoded } = decodePackageVariant(variant(ENDS))
  expect(decoded).toMatchObject({
    labels: new Map(),
    annotations: new Map(),
    packageContext: { data: new Map(), removeKeys: [] },
    pipeline: { mutators: [], validators: [] },
    injectors: [],
  })
  expect(decoded).not.toHaveProperty('adoptionPolicy')
})

test.each([
  {
    reason: 'a revision as a string (seed 000, examples)',
    object: variant('  upstream: {repo: a, package: b, revision: v1}\n  downstream: {repo: c, package: d}\n'),
    warnings: ["warning 5:45 `spec.upstream.revision` must be an integer, got the string 'v1'; write 1"],
  },
  {
    reason: 'injectors as one map (seed 000, PackageVariantSet API)',
    object: variant(`${ENDS}  injectors:\n    name: useast1-endpoints\n`),
    warnings: ['warning 7:3 `spec.injectors` must be a list, got a map; the map is taken as the one entry of the list'],
  },
  {
    reason: 'neither revision nor workspaceName, which the controller does not ask for (docs/porch.md 35)',
    object: variant('  upstream: {repo: a, package: b}\n  downstream: {repo: c, package: d}\n'),
    warnings: [
      "warning 5:3 `spec.upstream` must have 'revision' or 'workspaceName' to say what it follows; Porch takes it without and then finds no upstream",
    ],
  },
])('accepted with a warning: $reason', ({ object, warnings }) => {
  expect(findings(object)).toEqual(warnings)
  expect(decodePackageVariant(object).variant.injectors.length).toBeLessThanOrEqual(1)
})

test.each([
  {
    reason: 'adoption, resourceName: names of public files',
    spec: `${ENDS}  adoption: adoptExisting\n  injectors: [{name: a, resourceName: b}]\n`,
    expected: [
      "error 7:3 `spec.adoption` is not a field of spec; did you mean 'adoptionPolicy'?",
      "error 8:25 `spec.injectors[0].resourceName` is not a field of injectors[]; did you mean 'name'?",
    ],
  },
  {
    reason: 'reserved keys of the package context, once for each list (docs/porch.md 35), at the key',
    spec: `${ENDS}  packageContext:\n    data: {ok: "1", name: x}\n    removeKeys: [a, package-path]\n`,
    expected: [
      "error 8:21 `spec.packageContext.data` must not contain the key 'name', which kpt sets",
      "error 9:21 `spec.packageContext.removeKeys` must not contain the key 'package-path', which kpt sets",
    ],
  },
  {
    reason: 'a number without quotes',
    spec: `${ENDS}  pipeline: {mutators: [{image: x, configMap: {cluster-id: 1}}]}\n`,
    expected: ['error 7:60 `spec.pipeline.mutators[0].configMap.cluster-id` must be a string, got the number 1; write "1"'],
  },
])('refused: $reason', ({ spec, expected }) => {
  expect(findings(variant(spec))).toEqual(expected)
})

test('a variant of another apiVersion is refused with the right one proposed', () => {
  const object = KrmObject.fromDocument(`${HEAD.replace('v1alpha1', 'v1alpha2')}${ENDS}`)
  const [only] = packageVariantResults(object)
  expect(only?.message).toBe("`apiVersion` must be 'config.porch.kpt.dev/v1alpha1', got 'config.porch.kpt.dev/v1alpha2'")
  expect(only?.field?.proposedValue).toBe('config.porch.kpt.dev/v1alpha1')
})
