import { expect, test } from 'vitest'
import { packageVariantSetResults } from '../../testdata/kind-results.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { decodePackageVariantSet } from './package-variant-set.ts'
import type { Target } from './target.ts'

const UPSTREAM = 'spec:\n  upstream: {repo: catalog, package: foo, revision: 1}\n'
const REPOSITORIES = '    repositories: [{name: edge-01}]\n'

function set(
  spec: string,
  head = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: example}\n',
): KrmObject {
  return KrmObject.fromDocument(head + spec, { path: 'set.yaml', index: 0, line: 1 })
}

function target(fields: string): KrmObject {
  return set(`${UPSTREAM}  targets:\n  -\n${fields}`)
}

function findings(object: KrmObject) {
  return packageVariantSetResults(object).map(
    ({ severity, message, position }) => `${severity} ${position?.line}:${position?.column} ${message}`,
  )
}

function rules(object: KrmObject) {
  return packageVariantSetResults(object).map(({ severity, tags }) => `${severity} ${tags.rule}`)
}

test('a set in full', () => {
  const { set: decoded, warnings } = decodePackageVariantSet(
    set(`spec:
  upstream: {repo: catalog, package: net/foo, revision: 3, workspaceName: main}
  targets:
  - repositories:
    - name: edge-01
      packageNames: [a, b]
    - name: edge-02
  - repositorySelector:
      matchLabels: {env: prod}
      matchExpressions: [{key: zone, operator: Exists}]
  - objectSelector: {apiVersion: v1, kind: ConfigMap, matchLabels: {site: a}}
    template:
      downstream: {repo: '', packageExpr: target.name}
      adoptionPolicy: adoptExisting
      deletionPolicy: orphan
      labels: {a: "1", __proto__: x}
      labelExprs: [{key: org, valueExpr: "target.labels['org']"}]
      annotations: {b: "2"}
      annotationExprs: [{keyExpr: "'k'", value: v}]
      packageContext:
        data: {c: "3"}
        dataExprs: [{key: d, valueExpr: target.name}]
        removeKeys: [e]
        removeKeyExprs: ["'f'"]
      injectors:
      - {group: g, version: v1, kind: K, name: m}
      - {nameExpr: target.name}
      pipeline:
        mutators:
        - {image: set-namespace, name: ns, configMap: {namespace: x}, configMapExprs: [{key: z, valueExpr: repository.name}]}
`),
  )
  const template = ['spec', 'targets', 2, 'template']
  // `__proto__` is an ordinary key here, though no label of an API server.
  expect(warnings.map(({ tags }) => tags.rule)).toEqual(['label-key'])
  expect(decoded).toMatchObject({
    name: 'example',
    upstream: { repo: 'catalog', package: 'net/foo', revision: 3, workspaceName: 'main' },
  })
  expect(decoded.upstream.written).toEqual({ repo: 'catalog', package: 'net/foo', revision: 3, workspaceName: 'main' })
  const expected: readonly Target[] = [
    {
      path: ['spec', 'targets', 0],
      criteria: {
        type: 'repositories',
        repositories: [
          { name: 'edge-01', packageNames: ['a', 'b'] },
          { name: 'edge-02', packageNames: [] },
        ],
      },
    },
    {
      path: ['spec', 'targets', 1],
      criteria: {
        type: 'repositorySelector',
        selector: { matchLabels: new Map([['env', 'prod']]), matchExpressions: [{ key: 'zone', operator: 'Exists', values: [] }] },
        packageNames: [],
      },
    },
    {
      path: ['spec', 'targets', 2],
      criteria: {
        type: 'objectSelector',
        apiVersion: 'v1',
        kind: 'ConfigMap',
        selector: { matchLabels: new Map([['site', 'a']]), matchExpressions: [] },
        packageNames: [],
      },
      template: {
        downstream: { package: { expression: { text: 'target.name', path: [...template, 'downstream', 'packageExpr'] } } },
        adoptionPolicy: 'adoptExisting',
        deletionPolicy: 'orphan',
        labels: new Map([
          ['a', '1'],
          ['__proto__', 'x'],
        ]),
        labelExprs: [
          {
            key: { value: 'org', path: [...template, 'labelExprs', 0, 'key'] },
            value: { expression: { text: "target.labels['org']", path: [...template, 'labelExprs', 0, 'valueExpr'] } },
          },
        ],
        annotations: new Map([['b', '2']]),
        annotationExprs: [
          {
            key: { expression: { text: "'k'", path: [...template, 'annotationExprs', 0, 'keyExpr'] } },
            value: { value: 'v', path: [...template, 'annotationExprs', 0, 'value'] },
          },
        ],
        packageContext: {
          data: new Map([['c', '3']]),
          dataExprs: [
            {
              key: { value: 'd', path: [...template, 'packageContext', 'dataExprs', 0, 'key'] },
              value: { expression: { text: 'target.name', path: [...template, 'packageContext', 'dataExprs', 0, 'valueExpr'] } },
            },
          ],
          removeKeys: ['e'],
          removeKeyExprs: [{ text: "'f'", path: [...template, 'packageContext', 'removeKeyExprs', 0] }],
        },
        injectors: [
          { group: 'g', version: 'v1', kind: 'K', name: { value: 'm', path: [...template, 'injectors', 0, 'name'] } },
          { name: { expression: { text: 'target.name', path: [...template, 'injectors', 1, 'nameExpr'] } } },
        ],
        pipeline: {
          validators: [],
          mutators: [
            {
              written: { image: 'set-namespace', name: 'ns' },
              configMap: new Map([['namespace', 'x']]),
              configMapExprs: [
                {
                  key: { value: 'z', path: [...template, 'pipeline', 'mutators', 0, 'configMapExprs', 0, 'key'] },
                  value: {
                    expression: {
                      text: 'repository.name',
                      path: [...template, 'pipeline', 'mutators', 0, 'configMapExprs', 0, 'valueExpr'],
                    },
                  },
                },
              ],
            },
          ],
        },
      },
    },
  ]
  expect(decoded.targets).toEqual(expected)
})

test.each([
  {
    reason: 'a revision vN is looked up as N (seed 000, examples)',
    object: set('spec:\n  upstream: {repo: r, package: p, revision: v1}\n  targets: [{repositories: [{name: a}]}]\n'),
    warnings: ["warning 5:45 `spec.upstream.revision` must be an integer, got the string 'v1'; write 1"],
  },
  {
    reason: 'any other revision text is a workspaceName',
    object: set('spec:\n  upstream: {repo: r, package: p, revision: main}\n  targets: [{repositories: [{name: a}]}]\n'),
    warnings: [
      "warning 5:45 `spec.upstream.revision` must be an integer, got the string 'main'; it is taken as workspaceName, the field to write it in, and as it is an API server refuses the variant",
    ],
  },
  {
    reason: 'labelExprs as one map, injectorExprs (seed 000, PackageVariant Template)',
    object: target(`${REPOSITORIES}    template:
      labelExprs: {key: org, valueExpr: "repository.labels['org']"}
      injectorExprs:
      - nameExpr: repository.name
`),
    warnings: [
      "warning 11:7 `spec.targets[0].template.injectorExprs` is not in Porch's API, which drops it; here its entries are taken as entries of 'injectors'",
      'warning 10:7 `spec.targets[0].template.labelExprs` must be a list, got a map; the map is taken as the one entry of the list',
    ],
  },
  {
    reason: 'packageNames in and beside a selector (seed 000, PackageVariantSet API)',
    object: target('    repositorySelector: {packageNames: [a]}\n    packageNames: [b]\n'),
    warnings: [
      "warning 9:5 `spec.targets[0].packageNames` is not in Porch's API, which drops it; here each selected repository gets these packages",
      "warning 8:26 `spec.targets[0].repositorySelector.packageNames` is not in Porch's API, which drops it; here each selected repository gets these packages",
    ],
  },
  {
    reason: 'objectSelector.name is ignored by the controller (docs/porch.md 4)',
    object: target('    objectSelector: {apiVersion: v1, kind: ConfigMap, name: a}\n'),
    warnings: [
      "warning 8:61 `spec.targets[0].objectSelector.name` is ignored by Porch's controller, which selects by labels only; here it selects by name too",
    ],
  },
  {
    reason: 'configPath and configMap in one function',
    object: target(`${REPOSITORIES}    template: {pipeline: {mutators: [{image: x, configPath: a.yaml, configMap: {}}]}}\n`),
    warnings: [
      "warning 9:38 `spec.targets[0].template.pipeline.mutators[0]` must not have both 'configPath' and a config map: kpt refuses to run such a function",
    ],
  },
])('accepted with a warning: $reason', ({ object, warnings }) => {
  expect(findings(object)).toEqual(warnings)
  expect(decodePackageVariantSet(object).set.targets).toHaveLength(1)
})

test('odd shapes are decoded in their regular form, at the path where they are written', () => {
  const object = target(`    repositorySelector: {packageNames: [a]}
    packageNames: [b]
    template:
      labelExprs: {key: org, valueExpr: repository.name}
      injectorExprs: {nameExpr: target.name}
`)
  const [decoded] = decodePackageVariantSet(object).set.targets
  const template = ['spec', 'targets', 0, 'template']
  expect(decoded?.criteria).toMatchObject({ type: 'repositorySelector', packageNames: ['a', 'b'] })
  expect(decoded?.template?.labelExprs).toEqual([
    {
      key: { value: 'org', path: [...template, 'labelExprs', 'key'] },
      value: { expression: { text: 'repository.name', path: [...template, 'labelExprs', 'valueExpr'] } },
    },
  ])
  expect(decoded?.template?.injectors).toEqual([
    { name: { expression: { text: 'target.name', path: [...template, 'injectorExprs', 'nameExpr'] } } },
  ])
})

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
    expected: ['error 9:33 `spec.targets[0].template.packageContext.data` must be a map, got a list'],
  },
  {
    reason: 'a number for a string',
    object: target(`${REPOSITORIES}    template: {packageContext: {data: {mode: 0644}}}\n`),
    expected: ['error 9:46 `spec.targets[0].template.packageContext.data.mode` must be a string, got the number 0644; write "0644"'],
  },
  {
    reason: 'a placeholder in an expression is an error, elsewhere a warning',
    object: target(`${REPOSITORIES}    template: {downstream: {packageExpr: "'a-\${cluster.name}'"}, labels: {b: $NAME}}\n`),
    expected: [
      "error 9:42 `spec.targets[0].template.downstream.packageExpr` must not hold a placeholder in an expression: CEL has variables instead, such as target.name, got '${cluster.name}'",
      "warning 9:78 `spec.targets[0].template.labels.b` must not hold a placeholder that nothing here replaces, got '$NAME'",
    ],
  },
  {
    reason: 'a hashed password is no placeholder',
    object: target(`${REPOSITORIES}    template: {labels: {b: $6$n7odPOn$px8Vm7z/xj}}\n`),
    expected: [],
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
      "warning 5:45 `spec.upstream.revision` must be an integer, got the string 'v0'; write 0",
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

test('a v1alpha1 set gets one error, which shows the v1alpha2 form', () => {
  const head = 'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariantSet\nmetadata: {name: example}\n'
  const object = set('spec: {upstream: {package: {repo: r, name: p}}, targets: [{package: {repo: a, name: b}}]}\n', head)
  const [only, ...others] = packageVariantSetResults(object)
  expect(others).toEqual([])
  expect(only?.tags).toEqual({ rule: 'older-api-version' })
  expect(only?.message).toContain('targets: [{repositories: [{name, packageNames}]}')
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
