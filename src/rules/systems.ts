import type { RuleRecords } from './rule-record.ts'

/** What a version of kpt or Porch does with the files: `check --target`. */
export const SYSTEMS_RECORDS = {
  'kpt-needs-allow-exec': {
    severity: 'warning',
    summary: 'With `check --target kpt`: a function is a program of the machine; kpt runs it only with `--allow-exec`',
    example: '`exec: ./local.sh`',
    toFix: 'Make an image of the program, or call kpt with `--allow-exec`',
    run: 'check --target kpt',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {exec: ./local.sh}
  #        ^
`,
    good: ['exec: ./local.sh', 'image: set-labels:v0.1.5, configMap: {a: b}'],
    shownBy: 'testdata/cli/check-target-kpt',
  },
  'kpt-unknown-field': {
    severity: 'error',
    summary:
      'With `check --target kpt`: this version of kpt does not know the field (before 1.0 `when` and `configRef`, for beta.56 also `tag` and `status.renderStatus`) and refuses the Kptfile; a warning where no release is proven to know it',
    example: '`when: resources.size() > 0`',
    toFix: 'Leave the condition to the function; name the config in `configPath`; write the tag into `image`',
    shownBy: 'testdata/cli/check-target-kpt-old',
  },
  'kpt-unknown-kind': {
    severity: 'warning',
    fix: 'safe',
    summary: 'With `check --target kpt`: `kpt live apply` would send an object of our own kinds to the API server',
    example: 'a FleetPolicy without the annotation',
    toFix: 'As proposed: `config.kubernetes.io/local-config: "true"`',
    shownBy: 'testdata/cli/check-target-kpt-old',
  },
  'other-image': {
    severity: 'warning',
    summary:
      'With `check --target` for an old kpt, or a Porch with an old kpt: a name without a slash is looked for at another registry than here',
    example: '`image: set-labels:v0.2.0`',
    toFix: 'Write the image with its registry',
    shownBy: 'testdata/cli/check-target-kpt-old',
  },
  'other-workspace': {
    severity: ['warning', 'error'],
    when: 'warning; error with `check --target porch`',
    fix: 'safe',
    summary: '`upstream.revision` and `upstream.workspaceName` are those of different PackageRevisions',
    why: '`render` takes the revision, Porch the workspace',
    example: '`revision: 4` raised, `workspaceName: v3` left behind',
    toFix: 'As proposed: the workspace of the revision',
    bad: `apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: catalog-web-v1}
spec: {repository: catalog, packageName: web, revision: 1, workspaceName: v1, lifecycle: Published}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1, workspaceName: v2}
  #                                                                   ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['workspaceName: v2', 'workspaceName: v1'],
    shownBy: 'testdata/cli/check-target-porch-other-workspace',
  },
  'porch-blocked-set': {
    severity: 'warning',
    summary: 'With `check --target porch`: the files have a set without a uid and variants of the set',
    why: "Porch's controller finds its variants by the uid of the set, so it tries to create variants that exist, and stalls",
    example: 'a set and its variants in one folder',
    toFix: 'Apply the set only, or the variants only',
    shownBy: 'testdata/cli/check-target-porch',
  },
  'porch-dotted-name': {
    severity: 'error',
    summary: 'With `check --target porch`: Porch recognises the functions of a variant by four parts between dots',
    why: "With a dot in the variant's name it finds none and adds them again with every reconcile",
    example: '`name: web.south`',
    toFix: 'Call the variant without a dot',
    shownBy: 'testdata/cli/check-target-porch-dotted-name',
  },
  'porch-drops-field': {
    severity: 'error',
    summary:
      'With `check --target porch`: the CustomResourceDefinitions of this version do not have the field (`when`, `configRef`, in 1.5.3 `tag`; `point` in no version); its API server refuses the object to kubectl and to server-side apply, and drops the field for a client that asks for no validation',
    example: '`when: resources.size() > 0`',
    toFix: 'Remove the field, or render the fleet with `krm-variants render`',
    shownBy: 'testdata/cli/check-target-porch-old-fields',
  },
  'porch-image': {
    severity: 'info',
    summary: 'With `check --target porch`: where Porch runs an image: in its own process, or in the function runner',
    example: '`image: gcr.io/kpt-fn/set-namespace:v0.4.1` with 1.5.3',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/cli/check-target-porch-main-images',
  },
  'porch-image-latest': {
    severity: 'warning',
    summary:
      "With `check --target porch`: an image without a tag is `latest`, and Porch's function runner keeps the image of a tag that it once fetched",
    example: '`image: gcr.io/kpt-fn/set-labels`',
    toFix: 'Write a version',
    run: 'check --target porch',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: gcr.io/kpt-fn/set-labels, configMap: {a: b}}
  #         ^
`,
    good: ['set-labels,', 'set-labels:v0.1.5,'],
    shownBy: 'testdata/cli/check-target-porch-images',
  },
  'porch-needs-workspace': {
    severity: 'error',
    fix: 'safe',
    summary:
      'With `check --target porch`: Porch ignores `upstream.revision` and waits for the placeholder of the main branch, so it makes no package',
    example: '`upstream: {repo: catalog, package: web, revision: 3}`',
    toFix: 'As proposed: `workspaceName`, the workspace of the PackageRevision with that number',
    run: 'check --target porch',
    bad: `apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: catalog-web-v1}
spec: {repository: catalog, packageName: web, revision: 1, workspaceName: v1, lifecycle: Published}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
# ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: [
      `, revision: 1}
  targets`,
      `, workspaceName: v1}
  targets`,
    ],
    shownBy: 'testdata/cli/check-target-porch',
  },
  'porch-no-function-config': {
    severity: 'warning',
    summary: 'With `check --target porch@1.5`: this version has no kind FunctionConfig, and its API server refuses the object',
    example: "a FunctionConfig for Porch's main branch",
    toFix: 'Leave it out of what is applied',
    shownBy: 'testdata/cli/check-target-porch-function-config',
  },
  'porch-refuses-kptfile': {
    severity: 'error',
    summary:
      'With `check --target porch`: the kpt in this version of Porch does not know a field of a function and refuses the Kptfile, so each render of the package fails',
    example: '`when: resources.size() > 0`',
    toFix: 'Leave the condition to the function; name the config in `configPath`; write the tag into `image`',
    run: 'check --target porch@1.5.3',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {image: set-labels:v0.1.5, configMap: {a: b}, when: resources.size() > 0}
  #                                               ^
`,
    good: [', when: resources.size() > 0', ''],
    shownBy: 'testdata/cli/check-target-porch-old-fields',
  },
  'porch-runs-no-programs': {
    severity: 'error',
    summary:
      'With `check --target porch`: a Kptfile or a variant names a program; Porch runs images only, so each render of the package fails',
    example: '`exec: ./local.sh`',
    toFix: 'Make an image of the program',
    run: 'check --target porch',
    bad: `# file: Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
pipeline:
  mutators:
  - {exec: ./local.sh}
  #        ^
`,
    good: ['exec: ./local.sh', 'image: set-labels:v0.1.5, configMap: {a: b}'],
    shownBy: 'testdata/cli/check-target-porch-template-exec',
  },
  'porch-unknown-kind': {
    severity: 'warning',
    fix: 'safe',
    summary:
      'With `check --target porch`: an object of our own kinds would be sent to the API server, which has no such kind; with our CustomResourceDefinitions it takes the object, and no controller acts on it',
    example: 'a RenderVariants or PackageVariantMatrix without the annotation',
    toFix: 'As proposed: `config.kubernetes.io/local-config: "true"`. Apply the variants that `fan-out` makes',
    shownBy: 'testdata/cli/check-target-porch-own-kinds',
  },
  'porch-unknown-workspace': {
    severity: 'error',
    fix: 'unsafe',
    summary: 'With `check --target porch`: as `porch-needs-workspace`, of a package without a PackageRevision in the folder',
    why: '`vN` is a guess, since people choose the names of workspaces in Porch',
    example: '`upstream: {repo: catalog, package: web, revision: 3}`',
    toFix: 'Look the name up (`kubectl get packagerevisions`), or add the PackageRevision. `--unsafe-fixes` writes `vN`',
    run: 'check --target porch',
    bad: `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
# ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['revision: 1', 'workspaceName: v1'],
    shownBy: 'testdata/cli/check-target-porch-matrix',
  },
} as const satisfies RuleRecords
