import type { RuleRecords } from './rule-record.ts'

/** Rings of a matrix, and the revisions that go from ring to ring. */
export const RINGS_RECORDS = {
  'empty-ring': {
    severity: 'warning',
    summary: 'The `where` of a ring of a matrix holds for no target, or only for targets in earlier rings',
    why: 'No package tries a revision in this ring before the next ring gets it',
    example: "`where: target.labels.ring == 'canray'`",
    toFix: 'Correct the condition, or remove the ring',
    shownBy: 'testdata/fan-out/matrix-empty-ring',
  },
  'no-ring': {
    severity: 'error',
    summary: 'A matrix has rings, and none of them holds for a target',
    example: 'rings for `canary` and `europe` only',
    toFix: 'Add a last ring without `where`',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: edge-1, labels: {ring: canary}}
spec: {type: git, content: Package, git: {repo: "https://git.example.com/edge-1.git"}}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  targets:
  - repositorySelector: {matchLabels: {ring: canary}}
  rings:
# ^
  - {name: canary, where: target.labels.ring == 'canray'}
`,
    good: ['canray', 'canary'],
    shownBy: 'testdata/cli/mistake-matrix-no-ring',
  },
  'revision-of-ring': {
    severity: 'warning',
    when: 'warning of `outdated --write`',
    summary:
      'The revision is that of a ring of a matrix, and `--ring` does not name the ring, or the newest revision is no number, which a ring cannot have',
    why: 'The line is left: a new revision goes from ring to ring',
    example: 'ring `canary` has `revisions: {tills: 3}`, and `catalog/tills@v4` exists',
    toFix: '`outdated --write --ring canary`, or `promote`',
    shownBy: 'testdata/cli/outdated-rings',
  },
  'revision-unordered': {
    severity: ['warning', 'error'],
    when: 'warning of `outdated`, error of `promote`',
    summary:
      'The revision of an upstream has no order, because it is a branch or a workspace, so newer ones cannot be found, and no number can follow it',
    example: '`workspaceName: trial`, `revision: main`',
    toFix: 'Name a numbered revision or a version in `revision`',
    shownBy: 'testdata/cli/promote-workspace',
  },
  'revision-unseen': {
    severity: ['error', 'warning'],
    when: 'error of `promote`, or warning',
    summary: 'The revision that a ring is to get does not exist: the newest is named',
    why: 'A warning if no revision of the upstream is known, so that nothing is compared',
    example: '`--to 9`, and `v5` is the newest',
    toFix: 'Correct the number; publish the revision first',
    shownBy: 'testdata/cli/promote-unseen',
  },
  'ring-left': {
    severity: 'error',
    when: 'error of `check --against`',
    summary:
      'Packages leave their ring and get another revision in the same change: the matrix, its rings, a ring or the upstream is gone or has another name, or another ring takes them and gets a revision that it did not have',
    why: 'Packages are compared by their downstream',
    example: '`rings` removed, and `revision: 3` raised to 5',
    toFix: 'Change the rings in one pull request, with the revisions that the packages have, and the revision in another',
    shownBy: 'cli/check/check-rings.test.ts',
  },
  'ring-overtaken': {
    severity: ['error', 'warning'],
    when: 'error of `promote` and `check --against`, or warning',
    summary:
      'A ring gets a revision while packages of an earlier ring are not at it; in `check --against` those packages must be at it before the change',
    why: 'In `promote` also if an earlier ring has no package at all. If no package of the fleet is found, `promote` refuses, unless `--out` or the options name a folder that exists, which is a warning as in `check --against`',
    example: '`canary` asks for 4, and its package is at 3',
    toFix: 'Render the packages of the earlier ring and merge that change first',
    shownBy: 'testdata/cli/promote-overtaken',
  },
  'ring-package': {
    severity: 'error',
    summary: 'A ring of a matrix has a revision for a package that no upstream of the matrix has',
    example: '`revisions: {cert-manger: 4}`',
    toFix: 'Correct the name',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: edge-1, labels: {ring: canary}}
spec: {type: git, content: Package, git: {repo: "https://git.example.com/edge-1.git"}}
---
apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: web}
spec:
  upstreams:
  - {repo: catalog, package: web, revision: 1}
  targets:
  - repositorySelector: {matchLabels: {ring: canary}}
  rings:
  - {name: canary, where: target.labels.ring == 'canary', revisions: {wbe: 2}}
  #                                                                   ^
`,
    good: ['wbe', 'web'],
    shownBy: 'testdata/cli/mistake-matrix-ring-package',
  },
  'ring-skipped': {
    severity: 'error',
    when: 'error of `promote` and `check --against`',
    summary: 'A ring gets a revision that an earlier ring does not ask for, or an earlier ring goes back behind a later one',
    why: 'A revision goes from ring to ring, in their order',
    example: '`canary` has 4, and `world` is raised to 5',
    toFix: 'Give the earlier rings the revision first; go back in the last ring first; `promote --force` writes it nevertheless',
    shownBy: 'testdata/cli/promote-json-refused',
  },
  'rings-at-once': {
    severity: 'error',
    when: 'error of `promote` and `check --against`',
    summary: 'One change raises two rings of one upstream, with two lines, or with one line that gives both their revision',
    example: '`revision: 4` of the upstream, where `canary` has no revision of its own',
    toFix: 'One ring in one pull request; give the earlier ring a revision of its own',
    shownBy: 'testdata/cli/promote-at-once',
  },
  'rings-not-compared': {
    severity: 'warning',
    when: 'warning of `check --against`',
    summary: 'The revision has neither the folder of the fleet, nor one folder with a file of its sets by the same path that is gone since',
    why: 'A folder that moves is found by that path',
    example: 'a new fleet, or a copy of one',
    toFix: 'Check the folder in which the packages were; nothing to do for a new fleet',
    shownBy: 'cli/check/check-rings.test.ts',
  },
  'tag-without-revision': {
    severity: 'warning',
    when: 'warning of `outdated --tag`',
    summary:
      'A floating tag gives an upstream no newer revision: the repository lacks the tag, the tag names no revision of the package, or the revision of the upstream is later',
    example: '`tags: {stable: v9}`, and `v4` is the newest',
    toFix: 'Move the tag, or publish the revision; a tag only raises revisions',
    shownBy: 'testdata/cli/outdated-tag-later',
  },
} as const satisfies RuleRecords
