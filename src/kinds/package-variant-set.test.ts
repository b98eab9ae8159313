import { expect, test } from 'vitest'
import { decodePackageVariantSet } from './package-variant-set.ts'
import type { Target } from './target.ts'
import { findings, REPOSITORIES, set, target } from './testing/written-set.ts'

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
    upstreams: [{ repo: 'catalog', package: 'net/foo', revision: 3, workspaceName: 'main', path: ['spec', 'upstream'] }],
  })
  expect(decoded.upstreams[0]?.written).toEqual({ repo: 'catalog', package: 'net/foo', revision: 3, workspaceName: 'main' })
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
        path: template,
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
          {
            path: [...template, 'injectors', 0],
            group: 'g',
            version: 'v1',
            kind: 'K',
            name: { value: 'm', path: [...template, 'injectors', 0, 'name'] },
          },
          {
            path: [...template, 'injectors', 1],
            name: { expression: { text: 'target.name', path: [...template, 'injectors', 1, 'nameExpr'] } },
          },
        ],
        pipeline: {
          validators: [],
          mutators: [
            {
              path: [...template, 'pipeline', 'mutators', 0],
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
      "warning 11:7 `spec.targets[0].template.injectorExprs` is not in Porch's API, which refuses or drops it; here its entries are taken as entries of 'injectors'",
      'warning 10:7 `spec.targets[0].template.labelExprs` must be a list, got a map; the map is taken as the one entry of the list',
    ],
  },
  {
    reason: 'packageNames in and beside a selector (seed 000, PackageVariantSet API)',
    object: target('    repositorySelector: {packageNames: [a], matchLabels: {a: b}}\n    packageNames: [b]\n'),
    warnings: [
      "warning 9:5 `spec.targets[0].packageNames` is not in Porch's API, which refuses or drops it; here each selected repository gets these packages",
      "warning 8:26 `spec.targets[0].repositorySelector.packageNames` is not in Porch's API, which refuses or drops it; here each selected repository gets these packages",
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
    {
      path: [...template, 'injectorExprs'],
      name: { expression: { text: 'target.name', path: [...template, 'injectorExprs', 'nameExpr'] } },
    },
  ])
})
