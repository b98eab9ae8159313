import type { RuleRecords } from './rule-record.ts'

/** Targets of sets: what they select, and what two of them give. */
export const TARGETS_RECORDS = {
  'duplicate-target': {
    severity: 'warning',
    summary:
      'A variant is asked for more than once with the same spec: by two targets, by two sets, or by a set and a variant without an owner',
    example: '`packageNames: [a, a]`',
    toFix: 'Remove one',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1, packageNames: [web, web]}]
  #                                                   ^
`,
    good: ['[web, web]', '[web]'],
    shownBy: 'testdata/fan-out/duplicate-target',
  },
  'ignored-by-porch': {
    severity: 'warning',
    summary: "`objectSelector.name` selects by name here; Porch's controller has the field and ignores it",
    example: '`objectSelector: {apiVersion: v1, kind: ConfigMap, name: a}`',
    toFix: 'Select by a label that only this object has',
    bad: `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - objectSelector: {apiVersion: v1, kind: ConfigMap, name: a}
  #                                                         ^
    template: {downstream: {repo: edge-1}}
`,
    good: [
      `, name: a}
`,
      `, matchLabels: {app: a}}
`,
    ],
    shownBy: 'testdata/fan-out/object-selector-by-name',
  },
  'max-variants': {
    severity: 'error',
    summary: 'A PackageVariantMatrix gives more variants, or names more upstreams, than its `maxVariants` (10,000)',
    example: '12 upstreams for 1,000 targets',
    toFix: 'Raise `spec.maxVariants` if the variants are meant, else select less',
    bad: `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  maxVariants: 1
  #            ^
  targets:
  - repositories: [{name: edge-1}, {name: edge-2}]
`,
    good: ['maxVariants: 1', 'maxVariants: 2'],
    shownBy: 'testdata/fan-out/matrix-max-variants',
  },
  'name-taken': {
    severity: 'error',
    summary: 'A new variant would get the name of a PackageVariant that belongs to no set',
    example: '`fleet-edge-01-app`, written by hand',
    toFix: "Rename that one, or give it the set's annotation",
    shownBy: 'testdata/fan-out/collision-with-foreign',
  },
  'no-match': {
    severity: ['warning', 'error'],
    when: 'warning; error of `plan` where no set has a variant',
    summary: "A selector matches no object of the set's namespace; where the list has the kind in other versions only, it says which",
    example: '`matchLabels: {env: moon}`',
    toFix: 'Fix the selector, or the labels; where all sets may be empty, set `allowEmpty`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: edge-1, labels: {}}
spec: {type: git, content: Package, git: {repo: "https://git.example.com/edge-1.git"}}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositorySelector: {matchLabels: {env: prod}}
  # ^
`,
    good: ['labels: {}', 'labels: {env: prod}'],
    shownBy: 'testdata/fan-out/no-match',
  },
  'no-such-kind': {
    severity: 'error',
    summary:
      'With `lookups: required`: an `objectSelector` wants a kind that is not built in and of which the list has neither a CustomResourceDefinition nor an object',
    example: '`{apiVersion: v1, kind: Configmap}`',
    toFix: 'Fix apiVersion or kind',
    shownBy: 'testdata/fan-out/object-selector-other-version-required',
  },
  'not-in-api': {
    severity: 'warning',
    summary:
      "Porch's documentation has the field, but Porch's API refuses or drops it: `injectorExprs`, and `packageNames` in or beside a selector",
    why: 'Here it is used',
    example: '`repositorySelector: {packageNames: [a]}`',
    toFix: '`injectors` with `nameExpr`; a target per name with `downstream.package`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositorySelector: {packageNames: [web]}
  #                      ^
`,
    good: ['repositorySelector: {packageNames: [web]}', 'repositories: [{name: edge-1, packageNames: [web]}]'],
    shownBy: 'testdata/fan-out/same-repository-in-two-targets',
  },
  'placeholder-object': {
    severity: 'info',
    summary:
      'A selector leaves out objects with `kpt.dev/config-injection`: these are injection points inside packages, and no cluster has them',
    example: 'a `WorkloadCluster example` in a package of the same folder',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/fan-out/placeholder-object',
  },
  'repository-not-found': {
    severity: ['error', 'warning'],
    summary: "The list has Repositories, but not the downstream one in the set's namespace",
    why: 'An error where the target has a template, since Porch looks it up there; else a warning of `check` and `plan` for a listed name that is nearly that of a Repository; not for `prod-us` beside `prod-eu`, nor near a listed one',
    example: '`downstream: {repo: egde-01}`',
    toFix: 'Write the name in "did you mean", or add the Repository',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: edge-1, labels: {}}
spec: {type: git, content: Package, git: {repo: "https://git.example.com/edge-1.git"}}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
    template:
      downstream: {repo: egde-1}
      #                  ^
`,
    good: ['egde-1', 'edge-1'],
    shownBy: 'testdata/fan-out/repository-not-found',
  },
  'target-collision': {
    severity: 'error',
    summary:
      'Two targets of a set, two sets, or a set and a variant without an owner have one repository and package with different specs; or two variants would get one name',
    why: 'In Porch the last one wins',
    example: '`edge` with `01-foo` and `edge-01` with `foo`',
    toFix: 'Other package names, or narrower selectors',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1, packageNames: [web]}]
  - repositories: [{name: edge-1, packageNames: [web]}]
  #                                              ^
    template: {deletionPolicy: orphan}
`,
    good: [
      `packageNames: [web]}]
    template`,
      `packageNames: [shop]}]
    template`,
    ],
    shownBy: 'testdata/fan-out/matrix-collision',
  },
  'target-criteria': {
    severity: 'error',
    summary: 'A target has none, or more than one, of `repositories`, `repositorySelector`, `objectSelector`',
    example: '`targets: [{template: {}}]`',
    toFix: 'Keep exactly one; make a second target of the other',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - template: {}
  # ^
`,
    good: ['template: {}', 'repositories: [{name: edge-1}]'],
    shownBy: 'testdata/fan-out/target-criteria',
  },
  'variant-name': {
    severity: 'error',
    summary: 'A new variant would get a name that an API server refuses',
    why: 'The name is made of set, repository and package, so packages with slashes or capitals cannot be fanned out',
    example: '`package: net/core`',
    toFix: "Another package name; or write that PackageVariant by hand under a legal name with the set's annotation",
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1, packageNames: [net/core]}]
  #                                              ^
`,
    good: ['net/core', 'net-core'],
    shownBy: 'testdata/fan-out/illegal-variant-name',
  },
} as const satisfies RuleRecords
