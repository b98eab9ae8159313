import type { RuleRecords } from './rule-record.ts'

/** PackageVariantSets: their upstream, and the variants that they make. */
export const SETS_RECORDS = {
  'deletion-guard': {
    severity: ['error', 'warning'],
    summary:
      'A set would lose its variants by surprise: its targets match nothing, or it would remove more than 5 of its variants and more than a fifth',
    why: 'In `render-variants`: as many packages would be removed, or all packages of another fleet. A warning if no more than 5 are removed, and these are more than half of at least 4, without `maxDeletions` and `allowEmpty`',
    example: 'the label that `repositorySelector` wants is renamed',
    toFix: 'Fix the selector; if the loss is meant, set `allowEmpty` or `maxDeletions`',
    shownBy: 'testdata/fan-out/matrix-deletion-guard',
  },
  'duplicate-in-fleet': {
    severity: 'warning',
    summary:
      'Two Repositories, PackageRevisions, PackageRevisionSets, FleetPolicies, objects of a kind that a target selects, or objects that inputs read, have one namespace and name',
    why: 'A cluster can have one; here the first counts, of policies both',
    example: 'one Repository in `a.yaml` and in `b.yaml`',
    toFix: 'Remove one',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: edge-1, labels: {}}
spec: {type: git, content: Package, git: {repo: "https://git.example.com/edge-1.git"}}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: edge-1, labels: {}}
#                ^
spec: {type: git, content: Package, git: {repo: "https://git.example.com/edge-1.git"}}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['{name: edge-1,', '{name: edge-2,'],
    shownBy: 'testdata/fan-out/duplicate-in-fleet',
  },
  'duplicate-set': {
    severity: 'error',
    summary: 'Two PackageVariantSets have one name and namespace, or one `metadata.uid`: each would remove the variants of the other',
    example: 'a set copied into another folder',
    toFix: 'Rename one, and drop the uid of the copy',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
#                ^
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-2}]
`,
    good: ['{name: web}', '{name: shop}'],
    shownBy: 'testdata/fan-out/duplicate-set',
  },
  'duplicate-variant': {
    severity: 'error',
    summary: 'Two PackageVariants belong to one set and have one downstream',
    why: 'Porch updates one of them and forgets the other',
    example: 'a variant copied under another name',
    toFix: 'Remove one',
    shownBy: 'testdata/fan-out/duplicate-variant',
  },
  'fan-out': {
    severity: 'info',
    summary: 'How many variants a set has, for how many targets',
    example: '`12 package variants for 3 targets`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/fan-out/beside-existing-variants',
  },
  'no-set': {
    severity: ['warning', 'error'],
    when: 'warning; error of `plan`',
    summary: 'The list has no PackageVariantSet; the message names what was read, and objects that are nearly a set',
    example: '`kind: PackageVariantset`',
    toFix: 'Fix kind or group, or the folder',
    run: 'fn fan-out .',
    bad: `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {}
`,
    good: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
`,
    shownBy: 'testdata/fan-out/nothing-to-do',
  },
  'older-api-version': {
    severity: 'error',
    fix: 'safe',
    summary: 'The set is a v1alpha1 one, a version that no API server serves',
    why: 'The message has the first fields that move, or all that have no counterpart in v1alpha2, or several. It is the only error of such a set',
    example: '`apiVersion: config.porch.kpt.dev/v1alpha1`',
    toFix:
      '`check --fix` converts the set and keeps its comments, and leaves a set with fields without a counterpart as it is: take them out first, and write them in the new form afterwards, `{upstream: {repo, package, revision}, targets: [{repositories: [{name, packageNames}]} or {repositorySelector: {matchLabels}} or {objectSelector: {apiVersion, kind, matchLabels}}, each with template: {downstream: {repo, package}, adoptionPolicy, deletionPolicy, labels, annotations}]}`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
#           ^
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {package: {repo: catalog, name: web}, revision: v1}
  targets:
  - package: {repo: edge-1, name: web}
`,
    good: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1, packageNames: [web]}]
`,
    shownBy: 'testdata/fan-out/older-api-version',
  },
  orphaned: {
    severity: 'warning',
    summary: 'PackageVariants name a set that is not in the list, or in another namespace',
    why: 'They stay unchanged',
    example: 'the set was deleted, its variants were not',
    toFix: 'Remove the variants, or restore the set',
    shownBy: 'testdata/fan-out/orphaned',
  },
  'repository-name': {
    severity: 'warning',
    summary: '`upstream.repo` is the address of a git repository: the field has the name of a Repository',
    example: '`repo: https://git.example.com/catalog`',
    toFix: 'Name the Repository, or the repository of a RenderVariants, that has the address',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: https://git.example.com/catalog, package: web, revision: 1}
  #                ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['https://git.example.com/catalog', 'catalog'],
    shownBy: 'testdata/cli/mistake-address-for-repository',
  },
  'set-uid-missing': {
    severity: 'warning',
    summary:
      "A set has no uid, and variants of it in the list are controlled by the set of a cluster: new variants get no uid, and Porch's controller stalls where it finds them",
    example: 'a folder of variants that `adopt` wrote, or that were read from a cluster',
    toFix: 'As proposed: the uid; or run `adopt` again after new variants',
    shownBy: 'testdata/fan-out/set-uid-missing',
  },
  'string-revision': {
    severity: 'warning',
    fix: 'safe',
    summary: "`upstream.revision` is text, as in older documentation; today's API takes an integer",
    why: '`3` and `v3` are read as revision 3, and variants get the number. Any other text is read as a `workspaceName` and stays unchanged; an API server refuses it. `v0` has no proposal: 0 is no revision',
    example: '`revision: v1`',
    toFix: 'The integer in `proposedValue`, or `workspaceName`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: v1}
  #                                                 ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['revision: v1', 'revision: 1'],
    shownBy: 'testdata/fan-out/revision-as-text',
  },
  'upstream-not-found': {
    severity: 'error',
    fix: 'unsafe',
    summary: "The list has PackageRevisions, but none with the repo, package and revision (or workspaceName) in the set's namespace",
    example: '`revision: 7` when there are 1 and 2',
    toFix: 'One of the revisions in the message, the name in "did you mean", or the namespace that the message names',
    bad: `apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: catalog-web-v1}
spec: {repository: catalog, packageName: web, revision: 1, workspaceName: v1, lifecycle: Published}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 7}
  #                                                 ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['revision: 7', 'revision: 1'],
    shownBy: 'testdata/fan-out/matrix-ring-upstream-not-found',
  },
  'upstream-revision': {
    severity: ['error', 'warning'],
    summary: 'The upstream has neither `revision` nor `workspaceName` (0 counts as none)',
    why: 'A warning for a PackageVariant, since its controller does not ask for it',
    example: '`upstream: {repo: a, package: b}`',
    toFix: 'Set one',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web}
# ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['package: web}', 'package: web, revision: 1}'],
    shownBy: 'testdata/cli/mistake-revision-none',
  },
} as const satisfies RuleRecords
