import type { RuleRecords } from './rule-record.ts'

/** Where the packages of upstreams are read from. */
export const UPSTREAMS_RECORDS = {
  'out-in-upstream': {
    severity: 'error',
    summary:
      '`krm-variants render` would write packages into the folder that upstream packages are read from, or a package into its own upstream package: the next run would read the output of this run as upstream',
    example: '`--out catalog`',
    toFix: 'Choose another folder',
    shownBy: 'testdata/cli/render-out-catalog',
  },
  'outside-fleet': {
    severity: 'error',
    summary:
      'A folder of the options of `krm-variants render`, or a symbolic link on the way to an upstream package, leads out of the folder of the fleet',
    example: '`path: ../catalog`',
    toFix: 'Move the folder into the fleet, or allow it with `--allow-outside`',
    shownBy: 'testdata/cli/check-outside',
  },
  'repository-address': {
    severity: 'error',
    summary:
      'The address of a git repository has another transport than https, ssh, git, file or a path, begins with `-`, or contains a password, token or query, which every package would name',
    example: '`repo: https://ada:secret@git.example.com/catalog`',
    toFix: 'Leave the password to a credential helper of git',
    run: 'check',
    bad: `# file: catalog/web/Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
# file: fleet.yaml
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
---
apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: r}
spec: {repositories: {catalog: {git: {repo: "https://ada:secret@git.example.com/catalog"}}}}
#                                           ^
`,
    good: ['ada:secret@', ''],
    shownBy: 'testdata/render-variants/repository-object-password',
  },
  'repository-relative': {
    severity: 'warning',
    summary: 'The git repository of upstream packages is a relative path',
    why: 'Packages record the path as it is written, and `kpt pkg update` reads it as relative to the package',
    example: '`git: {repo: ../catalog}`',
    toFix: 'Write its URL, or its path from `/`',
    shownBy: 'testdata/render-variants/repository-relative',
  },
  'revision-name': {
    severity: 'error',
    summary: 'git does not allow the name of a revision for a ref (git check-ref-format), or begins with `-`',
    example: '`workspaceName: --upload-pack=x`',
    toFix: 'Name a tag, a branch, a workspace or a commit',
    shownBy: 'testdata/render-variants/revision-name',
  },
  'upstream-cycle': {
    severity: 'error',
    summary: 'A package is its own upstream, through other packages, also where one of the links names a published revision',
    example: '`r/a -> r/b -> r/a`',
    toFix: 'Give one variant another upstream',
    shownBy: 'testdata/check-dependencies/upstream-cycle',
  },
  'upstream-git': {
    severity: 'error',
    summary: "The git repository of an upstream cannot be read; the words are git's, without passwords",
    example:
      "no network, `--offline` before there is a clone, a URL of another transport than https, ssh, git and file, or a repository that is part of the fleet's own files",
    toFix: 'As the message says: `--git-timeout` for a slow server, `trusted: true` for a repository among the files of the fleet',
    shownBy: 'testdata/cli/render-no-repository',
  },
  'upstream-missing': {
    severity: ['error', 'warning'],
    summary: 'The upstream package of a variant was not found; the message names the places that were searched',
    why: '`check` looks in the folders of the fleet only, not for repositories with a `git` option, and only warns where the folder of the repository has no revision of the package',
    example: '`catalog/upf@v7`, and there is `catalog/upf@v2`',
    toFix: 'Add the package, or fix the variant',
    run: 'render --dry-run --out out',
    bad: `# file: catalog/web/Kptfile
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: web}
# file: fleet.yaml
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: wbe, revision: 1}
  #                                                 ^
  targets:
  - repositories: [{name: edge-1}]
`,
    good: ['wbe', 'web'],
    shownBy: 'testdata/render-variants/upstream-missing',
  },
  'upstream-moved': {
    severity: 'error',
    summary: 'A published tag (a tag that names a version) points to another commit than the `upstreamLock` of a package',
    why: 'Floating tags (`stable`) and branches are followed',
    example: '`git tag --force tenant/v1`',
    toFix: 'Publish another version; if the move is meant, `--allow-moved` (`allowMoved`)',
    shownBy: 'e2e/render-floating.test.ts',
  },
  'upstream-no-package': {
    severity: ['error', 'warning'],
    summary: 'The folder of an upstream package has no Kptfile',
    why: 'With `clone: kpt`, a folder of resources without packages below it is a package without a Kptfile, as in kpt. A revision that lost the Kptfile of the revision before it is an error if the package would lose functions',
    example: 'a folder of packages, or with `clone: porch` a folder of loose files',
    toFix: 'Write a Kptfile, or name the package below the folder',
    shownBy: 'testdata/render-variants/upstream-no-package',
  },
  'upstream-not-published': {
    severity: 'warning',
    summary: 'The upstream is a Draft or Proposed',
    example: '`lifecycle: Draft`',
    toFix: 'Publish it',
    bad: `apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: catalog-web-v1}
spec: {repository: catalog, packageName: web, workspaceName: v1, lifecycle: Draft}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, workspaceName: v1}
# ^
  downstream: {repo: edge-1, package: web}
`,
    good: ['lifecycle: Draft', 'lifecycle: Published, revision: 1'],
    shownBy: 'testdata/check-dependencies/upstream-not-published',
  },
  'upstream-revision-ignored': {
    severity: 'warning',
    summary: 'Porch ignores `upstream.revision`, and takes the placeholder of the main branch',
    why: '`render` finds a revision by its number: with a RenderVariants in the folder there is no warning',
    example: '`revision: 1`',
    toFix: 'Set `upstream.workspaceName`, or make the packages with `render`',
    bad: `apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: catalog-web-v1}
spec: {repository: catalog, packageName: web, revision: 1, workspaceName: v1, lifecycle: Published}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: web}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  #                                                 ^
  downstream: {repo: edge-1, package: web}
`,
    good: [
      `, revision: 1}
  downstream`,
      `, workspaceName: v1}
  downstream`,
    ],
    shownBy: 'testdata/check-dependencies/upstream-revision-ignored',
  },
} as const satisfies RuleRecords
