import type { RuleRecords } from './rule-record.ts'

/** PackageVariantMatrices and PackageRevisionSets. */
export const MATRICES_RECORDS = {
  'input-missing': {
    severity: 'error',
    summary:
      'An input of a matrix names an object that the fleet does not have in the namespace of the matrix; the message names the target, the object and the nearest one',
    example: '`nameExpr: target.labels.region` gives `eu-wst`',
    toFix: 'Add the object, correct the name, or set `optional: true`',
    bad: `apiVersion: v1
kind: ConfigMap
metadata: {name: eu-west}
data: {vlan: "1"}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
  inputs:
  - {name: region, object: {apiVersion: v1, kind: ConfigMap, name: eu-wst}}
  #                                                                ^
`,
    good: ['eu-wst', 'eu-west'],
    shownBy: 'testdata/cli/mistake-matrix-input-missing',
  },
  'input-name': {
    severity: 'error',
    summary: 'The object of an input has neither `name` nor `nameExpr`, or both',
    example: '`object: {apiVersion: v1, kind: ConfigMap}`',
    toFix: 'Write one of them',
    bad: `apiVersion: v1
kind: ConfigMap
metadata: {name: eu-west}
data: {vlan: "1"}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
  inputs:
  - {name: region, object: {apiVersion: v1, kind: ConfigMap}}
  #                ^
`,
    good: ['kind: ConfigMap}', 'kind: ConfigMap, name: eu-west}'],
    shownBy: 'testdata/fan-out/matrix-input-faults',
  },
  'nothing-excluded': {
    severity: 'warning',
    summary: 'An exclusion of a matrix excludes nothing; the nearest name is proposed',
    example: '`repositories: [{name: store-kel-1}]` for `store-kel-01`',
    toFix: 'Correct the name, or remove the exclusion',
    bad: `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: store-kel-01}, {name: store-kel-02}]
  exclude:
  - repositories: [{name: store-kel-1}]
  # ^
`,
    good: ['store-kel-1}', 'store-kel-01}'],
    shownBy: 'testdata/fan-out/matrix-exclude-nothing',
  },
  'nothing-overridden': {
    severity: 'warning',
    summary: 'An override of a matrix applies to no variant',
    example: '`packages: [cert-manger]`',
    toFix: 'Correct its `packages` or `where`, or remove it',
    shownBy: 'testdata/fan-out/matrix-override-nothing',
  },
  'revision-set-circle': {
    severity: 'error',
    summary: 'PackageRevisionSets name each other in a circle; the message has the circle',
    example: '`a → b → a`',
    toFix: 'Remove one of the entries',
    bad: `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageRevisionSet
metadata: {name: a}
spec: {upstreams: [{packageRevisionSet: a}]}
#                                       ^
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - packageRevisionSet: a
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['[{packageRevisionSet: a}]', '[{repo: catalog, package: web, revision: 1}]'],
    shownBy: 'testdata/fan-out/revision-set-circle',
  },
  'revision-set-not-found': {
    severity: 'error',
    summary:
      'A matrix or a PackageRevisionSet names a PackageRevisionSet that the list does not have in its namespace; the nearest is proposed',
    example: '`packageRevisionSet: observabilty`',
    toFix: 'Correct the name, or add the set',
    bad: `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageRevisionSet
metadata: {name: observability}
spec: {upstreams: [{repo: catalog, package: web, revision: 1}]}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - packageRevisionSet: observabilty
  #                     ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['observabilty', 'observability'],
    shownBy: 'testdata/cli/mistake-matrix-revision-set-elsewhere',
  },
  'upstream-entry': {
    severity: 'error',
    summary: 'An entry of `upstreams` is neither a package revision nor the name of a PackageRevisionSet, or both',
    example: '`{package: dns, revision: 1}` without `repo`',
    toFix: 'Write `repo` and `package`, or `packageRevisionSet`',
    bad: `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {package: web, revision: 1}
  # ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['package: web', 'repo: catalog, package: web'],
    shownBy: 'testdata/cli/mistake-matrix-upstream-of-two-kinds',
  },
  'workspace-beside-revision': {
    severity: 'warning',
    summary:
      'An upstream of a matrix or PackageRevisionSet has a `revision`, by which it is found, and a `workspaceName` that is the name of another revision',
    why: 'Porch needs both and takes the workspace',
    example: '`{revision: 1, workspaceName: v2}`',
    toFix: 'Write the workspace of the revision',
    shownBy: 'testdata/fan-out/matrix-revision-and-workspace',
  },
} as const satisfies RuleRecords
