import { expect, test } from 'vitest'
import { packageVariantSetResults } from '../../testdata/kind-results.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { decodePackageVariantSet } from './package-variant-set.ts'
import { findings, REPOSITORIES, set, target, UPSTREAM } from './testing/written-set.ts'

function rules(object: KrmObject) {
  return packageVariantSetResults(object).map(({ severity, tags }) => `${severity} ${tags.rule}`)
}

test.each([
  {
    reason: 'packageName for packageNames (public files)',
    object: target('    repositories: [{name: a, packageName: b}]\n'),
    expected: ["error 8:30 `spec.targets[0].repositories[0].packageName` is not a field of repositories[]; did you mean 'packageNames'?"],
  },
  {
    reason: 'repoName of v1alpha1',
    object: target(`${REPOSITORIES}    repoName: a\n`),
    expected: ["error 9:5 `spec.targets[0].repoName` is not a field of targets[]; did you mean 'repositories'?"],
  },
  {
    reason: 'packageContext.data as a list of pairs',
    object: target(`${REPOSITORIES}    template: {packageContext: {data: [{key: a, value: "1"}]}}\n`),
    expected: ['error 9:33 `spec.targets[0].template.packageContext.data` must be a map, got a list; write a: 1, without dashes'],
  },
  {
    reason: 'a number for a string',
    object: target(`${REPOSITORIES}    template: {packageContext: {data: {mode: 0644}}}\n`),
    expected: ['error 9:46 `spec.targets[0].template.packageContext.data.mode` must be a string, got the number 0644; write "0644"'],
  },
  {
    reason: 'a placeholder in an expression is an error, elsewhere a warning',
    object: target(
      `${REPOSITORIES}    template: {downstream: {packageExpr: "\${cluster.name}", repoExpr: "'\${a}'"}, labels: {b: $NAME}}\n`,
    ),
    expected: [
      "error 9:42 `spec.targets[0].template.downstream.packageExpr` must not hold a placeholder in an expression: CEL has variables instead, such as target.name, got '${cluster.name}'",
      "warning 9:71 `spec.targets[0].template.downstream.repoExpr` must not hold a placeholder that nothing here replaces, got '${a}'",
      "warning 9:94 `spec.targets[0].template.labels.b` must not hold a placeholder that nothing here replaces, got '$NAME'",
    ],
  },
  {
    reason: 'a hashed password is no placeholder',
    object: target(`${REPOSITORIES}    template: {labels: {b: $6$n7odPOn$px8Vm7z/xj}}\n`),
    expected: [],
  },
  {
    reason: 'a value that setters replace is no placeholder, but for what their comment does not name',
    object: target(`${REPOSITORIES}    template:\n      labels:\n        b: '\${x}-\${y}' # kpt-set: \${x}-\${z}\n`),
    expected: ["warning 11:12 `spec.targets[0].template.labels.b` must not hold a placeholder that nothing here replaces, got '${y}'"],
  },
  {
    reason: 'what search-replace gets is no placeholder, but what another function gets is',
    object: target(
      `${REPOSITORIES}    template: {pipeline: {mutators: [{image: ghcr.io/kptdev/search-replace:v0.2.0, configMap: {put-value: 'b\${1}'}}, {image: a, configMap: {put-value: '\${1}'}}]}}\n`,
    ),
    expected: [
      "warning 9:152 `spec.targets[0].template.pipeline.mutators[1].configMap.put-value` must not hold a placeholder that nothing here replaces, got '${1}'",
    ],
  },
  {
    reason: 'packageNames beside repositories',
    object: target(`${REPOSITORIES}    packageNames: [b]\n`),
    expected: [
      "error 9:5 `spec.targets[0].packageNames` is not a field of targets[] beside 'repositories'; it is a field of spec.targets[].repositories[]",
    ],
  },
  {
    reason: 'v0 is the number 0, which says no revision',
    object: set('spec:\n  upstream: {repo: r, package: p, revision: v0}\n  targets: [{repositories: [{name: a}]}]\n'),
    expected: [
      "error 5:35 `spec.upstream` must have 'revision' or 'workspaceName'",
      "warning 5:45 `spec.upstream.revision` must be an integer, got the string 'v0'; 0 is no revision; the first is 1",
    ],
  },
  {
    reason: 'a number beyond 2^53 is no workspace: it is not proposed as a text',
    object: set('spec:\n  upstream: {repo: r, package: p, revision: 9999999999999999999}\n  targets: [{repositories: [{name: a}]}]\n'),
    expected: [
      'error 5:45 `spec.upstream.revision` must be an integer or a string, got the number 9999999999999999999, which is beyond 2^53',
    ],
  },
  {
    reason: 'rules between fields are checked although a field has another type, but not on that field',
    object: set('spec:\n  upstream: {repo: r, package: p, revision: true}\n  targets: [{}]\n'),
    expected: [
      "error 6:13 `spec.targets[0]` must have exactly one of 'repositories', 'repositorySelector', 'objectSelector', got none",
      'error 5:45 `spec.upstream.revision` must be an integer or a string, got the boolean true; write "true"',
    ],
  },
])('refused: $reason', ({ object, expected }) => {
  expect(findings(object)).toEqual(expected)
})

test('an apiVersion of another group is refused, with the right one, beside the other faults', () => {
  const head = 'apiVersion: config.nephio.org/v1alpha1\nkind: PackageVariantSet\nmetadata: {name: example}\n'
  expect(findings(set('spec: {}\n', head))).toEqual([
    "error 1:13 `apiVersion` must be 'config.porch.kpt.dev/v1alpha2', got 'config.nephio.org/v1alpha1'",
    'error 4:1 `spec.targets` must be set',
    'error 4:1 `spec.upstream` must be set',
  ])
})

test('a v1alpha1 set gets one error, which has its fields and those of v1alpha2 side by side', () => {
  const head = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariantSet\nmetadata: {name: example}\n'
  const object = set('spec: {upstream: {package: {repo: r, name: p}}, targets: [{package: {repo: a, name: b}}]}\n', head)
  const [only, ...others] = packageVariantSetResults(object)
  expect(others).toEqual([])
  expect(only?.tags).toEqual({ rule: 'older-api-version' })
  expect(only?.message).toContain(
    'spec.upstream.package.name → spec.upstream.package, spec.targets[0].package → spec.targets[0].repositories[0]',
  )
  expect(() => decodePackageVariantSet(object)).toThrow(FunctionError)
})

test.each([
  { reason: 'a name no API server takes', name: 'Example', expected: ['error object-name'] },
  { reason: 'a placeholder in a name, one fault', name: 'a-${B}', expected: ['error placeholder'] },
  { reason: 'no name', name: '""', expected: ['error empty'] },
  { reason: 'a subdomain', name: 'a.b-c', expected: [] },
])('metadata.name: $reason', ({ name, expected }) => {
  const head = `apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: ${name}\n`
  expect(rules(set(`${UPSTREAM}  targets: [{repositories: [{name: a}]}]\n`, head))).toEqual(expected)
})

test('what an API server keeps in metadata is let through, a misspelt namespace is not', () => {
  const head = (line: string) => `apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: a\n  ${line}\n`
  const spec = `${UPSTREAM}  targets: [{repositories: [{name: a}]}]\n`
  expect(findings(set(spec, head('creationTimestamp: null\n  ownerReferences: []')))).toEqual([])
  expect(findings(set(spec, head('namespce: b')))).toEqual([
    "error 5:3 `metadata.namespce` is not a field of metadata; did you mean 'namespace'?",
  ])
})

test('all faults at once: the error carries them, each with its object, field, place and reason', () => {
  const object = set('spec:\n  upstream: {}\n  targets: [{}]\n  extra: 1\n')
  const results = packageVariantSetResults(object)
  expect(() => decodePackageVariantSet(object)).toThrow(new FunctionError(results))
  expect(results.map(({ tags }) => tags)).toEqual([
    { rule: 'unknown-field' },
    { rule: 'target-criteria', reason: 'ValidationError' },
    { rule: 'upstream-revision', reason: 'ValidationError' },
    { rule: 'required', reason: 'ValidationError' },
    { rule: 'required', reason: 'ValidationError' },
  ])
  expect(results[0]).toEqual({
    severity: 'error',
    message: "`spec.extra` is not a field of spec; its fields are 'upstream', 'targets'",
    resourceRef: { apiVersion: 'config.porch.kpt.dev/v1alpha2', kind: 'PackageVariantSet', name: 'example' },
    field: { path: ['spec', 'extra'], currentValue: 1 },
    file: { path: 'set.yaml', index: 0 },
    position: { line: 7, column: 3 },
    tags: { rule: 'unknown-field' },
  })
})
