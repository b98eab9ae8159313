import type { RuleRecords } from './rule-record.ts'

/** Requirements of packages in every ecosystem. */
export const DEPENDENCIES_RECORDS = {
  'alternatives-unfulfilled': {
    severity: 'error',
    summary: 'None of the alternatives of an `or` holds; the message has the reason for each',
    example: '`or: [{gvk: …}, {package: …}]`, and neither is installed',
    toFix: 'Install one of them',
    shownBy: 'testdata/check-dependencies/alternatives-unfulfilled',
  },
  'constraint-invalid': {
    severity: 'error',
    fix: 'unsafe',
    summary: "The text is no version constraint of the system that reads it; the message quotes the system's library",
    why: 'For a range of another ecosystem, `~=0.45`, `[0.45,0.50)` or `latest`, `proposedValue` is the same range in the syntax of the system',
    example: 'Carvel: `~>1.0.0`',
    toFix: 'As proposed: `>=1.0.0 <1.1.0`',
    bad: `apiVersion: data.packaging.carvel.dev/v1alpha1
kind: Package
metadata: {name: db.example.com.1.0.0}
spec: {refName: db.example.com, version: 1.0.0}
---
apiVersion: packaging.carvel.dev/v1alpha1
kind: PackageInstall
metadata: {name: db, namespace: a}
spec: {serviceAccountName: sa, packageRef: {refName: db.example.com, versionSelection: {constraints: "~>1.0.0"}}}
#                                                                                                    ^
`,
    good: ['~>1.0.0', '>=1.0.0 <1.1.0'],
    shownBy: 'testdata/resolve-dependencies/forms',
  },
  'constraint-suspect': {
    severity: 'warning',
    fix: 'unsafe',
    summary: 'The constraint is valid, but most likely means something else than its author wanted',
    example: 'Carvel: `^1.x` is exactly 1.0.0; Masterminds: `~0.0.0` is everything',
    toFix: 'Take the proposed value',
    bad: `apiVersion: data.packaging.carvel.dev/v1alpha1
kind: Package
metadata: {name: db.example.com.1.0.0}
spec: {refName: db.example.com, version: 1.0.0}
---
apiVersion: packaging.carvel.dev/v1alpha1
kind: PackageInstall
metadata: {name: db, namespace: a}
spec: {serviceAccountName: sa, packageRef: {refName: db.example.com, versionSelection: {constraints: "^1.x"}}}
#                                                                                                    ^
`,
    good: ['^1.x', '>=1.0.0 <2.0.0'],
    shownBy: 'testdata/check-dependencies/constraint-suspect',
  },
  'controllers-fight': {
    severity: 'warning',
    summary:
      "`simulate` found controllers that undo each other's steps in every reconcile: two packages write one Deployment or Service, or two files one package",
    example: '`deploymentTemplate.metadata.name` in a DeploymentRuntimeConfig of two Providers',
    toFix: 'Give each package a DeploymentRuntimeConfig of its own, or leave the name out',
    shownBy: 'testdata/cli/simulate-shared-deployment',
  },
  'dependency-conflict': {
    severity: 'error',
    fix: 'unsafe',
    summary:
      'D is installed in a version outside of the required range, or is not installed and no known version satisfies every parent; the message ends with a way out',
    why: 'A warning when the requirement is optional',
    example: 'P requires D `^1.2.3`, installed is 1.2.1',
    toFix: 'Take the proposed version, or change one of the ranges',
    shownBy: 'testdata/check-dependencies/dependency-conflict-together-itself',
  },
  'dependency-cycle': {
    severity: 'error',
    summary: 'Packages require each other in a circle; the message names each with its place',
    why: '`resolve-dependencies` refuses a plan that would close a circle',
    example: '`a -> b -> c -> a`',
    toFix: 'Take one of the requirements away',
    shownBy: 'testdata/check-dependencies/dependency-cycle',
  },
  'dependency-form-invalid': {
    severity: 'error',
    fix: 'safe',
    summary: 'A dependency has no form, several forms, an unknown or misspelt key, or a value of the wrong type',
    why: "A warning for what the system accepts nevertheless: several forms of today's dependsOn, a source without a registry",
    example: '`versionSelection: {contraints: 1.0.1}`',
    toFix: 'Write it as proposed',
    shownBy: 'testdata/check-dependencies/seed-002-handed-down-form',
  },
  'dependency-implied': {
    severity: 'info',
    summary:
      'An object refers to another one that its package does not hold: a Namespace, the definition of a custom resource, what a pod needs',
    example: '`metadata.namespace: team-a` without that Namespace',
    toFix: 'Add the object, or have another package install it first',
    shownBy: 'testdata/check-dependencies/dependency-implied',
  },
  'dependency-missing': {
    severity: 'error',
    summary: 'D is not installed',
    why: 'When a version of it is known that satisfies every requirement, it is named',
    example: 'P requires D `>= 1.0.0`, which is not installed',
    toFix: 'Install the named version',
    shownBy: 'testdata/check-dependencies/dependency-missing',
  },
  'dependency-unused': {
    severity: 'info',
    summary: 'A package was installed as a dependency, and nothing requires it any more',
    example: '`installed-as-dependency: "true"` without a parent',
    toFix: 'Remove it',
    shownBy: 'testdata/check-dependencies/dependency-unused',
  },
  'dependency-unverified': {
    severity: ['info', 'warning'],
    summary: 'The requirement was not checked: D, the requirements of D, or the installed version are unknown',
    why: 'A warning if nothing in the fleet meets the requirement and `provided` does not say that the cluster does; else an info',
    example: 'a Provider of which no catalog has metadata',
    toFix: 'Install D, or list what the cluster has beside the fleet under `provided` of a CheckDependencies; for an info, add a Catalog',
    shownBy: 'testdata/check-dependencies/field-removed-passes',
  },
  'digest-conflict': {
    severity: 'error',
    summary:
      'A digest is required and a tag or another digest is installed, a range is required and a digest is installed, or parents require different digests',
    example: '`version: sha256:…` against an installed tag',
    toFix: 'Name one digest everywhere, or a range everywhere',
    shownBy: 'testdata/check-dependencies/digest-conflict-absent',
  },
  'duplicate-dependency': {
    severity: 'warning',
    summary: 'One package requires D twice',
    example: '`d >=1.0.0` and `d <2.0.0`',
    toFix: 'Join the ranges',
    shownBy: 'testdata/check-dependencies/duplicate-dependency',
  },
  'duplicate-package': {
    severity: 'error',
    summary: 'Two objects install one package; Crossplane then refuses every package of the cluster',
    example: 'two Providers of one source',
    toFix: 'Remove one',
    bad: `apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: a}
spec: {package: "xpkg.crossplane.io/a/b:v1.0.0"}
---
apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: b}
spec: {package: "xpkg.crossplane.io/a/b:v1.0.0"}
#               ^
`,
    good: [
      `a/b:v1.0.0"}
---`,
      `a/c:v1.0.0"}
---`,
    ],
    shownBy: 'testdata/check-dependencies/duplicate-package',
  },
  'function-tag-unresolved': {
    severity: 'error',
    fix: 'unsafe',
    summary: "No known tag is in the range of a pipeline function's `tag`, or its `image` is no image reference",
    why: 'A warning if an unknown tag may be in the range',
    example: '`tag: ~0.3.0`, known are 0.2.x',
    toFix: 'Name a tag that exists, or add the image to a Catalog',
    shownBy: 'testdata/check-dependencies/function-tag-unresolved-unknown',
  },
  'generated-name-collision': {
    severity: 'error',
    summary: 'Crossplane would give a dependency the name of an existing object with another source, and use that object in its place',
    example: 'two registries with one path',
    toFix: 'Rename the object',
    shownBy: 'testdata/resolve-dependencies/crossplane-collision',
  },
  'gvk-missing': {
    severity: 'error',
    summary: 'A required kind is not served; the message names the packages that would install it',
    example: '`gvk: {apiVersion: some.api.org/v1, kind: MainAPI}`',
    toFix: 'Install a provider, or list the kind under `cluster.apis`',
    shownBy: 'testdata/check-dependencies/gvk-missing',
  },
  'no-version-available': {
    severity: 'error',
    summary:
      'D is absent, or a PackageInstall selects nothing, because no known version passes every filter (the message has the number of versions after each filter), or because none of the remaining versions runs on the cluster or has the scope',
    example: '`all=2 -> … -> after-constraints-filter=0`',
    toFix: 'Widen the range, or add the version',
    bad: `apiVersion: data.packaging.carvel.dev/v1alpha1
kind: Package
metadata: {name: db.example.com.1.0.0}
spec: {refName: db.example.com, version: 1.0.0}
---
apiVersion: packaging.carvel.dev/v1alpha1
kind: PackageInstall
metadata: {name: db, namespace: a}
spec: {serviceAccountName: sa, packageRef: {refName: db.example.com, versionSelection: {constraints: "2.0.0"}}}
#                                                                                                    ^
`,
    good: ['"2.0.0"', '"1.0.0"'],
    shownBy: 'testdata/check-dependencies/no-version-available-scope',
  },
  'object-not-found': {
    severity: 'error',
    summary:
      'A change of `krm-variants simulate` deletes an object that does not exist, or changes a part of one that does not exist; only a whole object can be added',
    example: '`metadata: {name: sqll}` with only `revisionActivationPolicy`, where the Provider is `sql`',
    toFix: 'Write the name of an object of the folder, or the whole new object',
    shownBy: 'testdata/cli/simulate-deleted-missing',
  },
  'optional-unfulfilled': {
    severity: 'info',
    summary: 'An optional dependency is not installed',
    example: '`optional: true`',
    toFix: 'Nothing to fix, or install it',
    shownBy: 'testdata/check-dependencies/optional-unfulfilled',
  },
  'owner-conflict': {
    severity: 'error',
    summary:
      'Two installed packages install one object, or an object has two controllers; the message names both, and all objects that both install',
    example: 'two Providers with one CustomResourceDefinition',
    toFix: 'Remove one',
    shownBy: 'testdata/check-dependencies/owner-conflict-held',
  },
  'owner-cycle': {
    severity: 'error',
    summary: 'Objects own each other by their ownerReferences, so the garbage collector never deletes them',
    example: 'a is owned by b, b by a',
    toFix: 'Remove one of the references',
    bad: `apiVersion: v1
kind: ConfigMap
metadata: {name: a, uid: "1", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: b, uid: "2"}]}
#                             ^
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b, uid: "2", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a, uid: "1"}]}
---
apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: a}
spec: {package: "xpkg.crossplane.io/a/b:v1.0.0"}
`,
    good: [', ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: a, uid: "1"}]', ''],
    shownBy: 'testdata/check-dependencies/owner-cycle',
  },
  'package-conflicting': {
    severity: 'error',
    summary: 'One version exists twice, with different content',
    example: 'two repositories, two catalogs',
    toFix: 'Remove one, or annotate `packaging.carvel.dev/revision`',
    shownBy: 'testdata/check-dependencies/package-conflicting',
  },
  'platform-incompatible': {
    severity: 'error',
    summary: 'The cluster is outside the range of Crossplane, Kubernetes or kapp-controller versions a package runs on',
    why: "Info when the cluster's version is not given",
    example: '`spec.crossplane.version: ">=v1.14.0"` on v1.13.2',
    toFix: 'Take another version, or give `cluster`',
    shownBy: 'testdata/check-dependencies/universe-platform-open',
  },
  'prune-unsafe': {
    severity: 'warning',
    summary:
      '`resolve-dependencies` with `prune` keeps a generated object that nothing here requires: people edited the object, the PackageInstall for which it was installed is not here, no person installed a package, or it is not known what an installed package requires',
    example: '`PackageInstall b.1.0.0`, made for an install of another folder',
    toFix:
      'Nothing to fix, if the object is needed. Else resolve both folders together, name a git revision that has the owner with `resolve --prune --against`, add the missing Package or Catalog, or remove the object by hand',
    shownBy: 'testdata/resolve-dependencies/glasskube-prune-edited',
  },
  'removal-breaks': {
    severity: 'warning',
    summary: 'A package requires a package whose install is removed, and nothing else meets the requirement',
    why: '`simulate` reports it for a deletion in a change, `check --against` for an install that a git revision has',
    example: '`PackageInstall shop` is removed, and portal requires shop',
    toFix: 'Keep the install, or remove the package that requires it',
    shownBy: 'testdata/cli/simulate-removal',
  },
  'removal-leaves': {
    severity: 'info',
    summary:
      'An object that was installed for an install that is removed, and what becomes of it: `prune` removes it, or the reason why it stays',
    example: '`PackageInstall db.example.com.1.0.0`, installed for `PackageInstall shop`',
    toFix: '`krm-variants resolve --prune` removes it',
    shownBy: 'testdata/cli/simulate-removal-leaves',
  },
  resolution: {
    severity: 'info',
    summary: 'The reason for a generated object',
    why: 'After a failure: the version of each package if everything could be resolved',
    example: '`ClusterPackage d installs d 1.7.4, which p 1.0.0 requires`',
    shownBy: 'testdata/resolve-dependencies/glasskube-versionless',
  },
  'resolution-exceeded': {
    severity: 'error',
    summary: 'The search for versions was ended by `maxSteps`; nothing is changed',
    example: 'a universe of ranges that nearly fit',
    toFix: 'Raise `maxSteps`, or narrow ranges',
    shownBy: 'testdata/resolve-dependencies/max-steps',
  },
  'unknown-cluster': {
    severity: 'error',
    summary:
      '`--cluster` names no cluster, `clusters` matches no file, `provided` names another cluster, or `simulate` does not know which of several clusters it simulates',
    example: '`--cluster brelin`',
    toFix: 'Write the name of a Repository of the fleet, or of a folder that `clusters` captures',
    shownBy: 'testdata/cli/simulate-clusters',
  },
  unresolvable: {
    severity: ['error', 'warning'],
    summary:
      'No versions meet all requirements, or what is needed cannot be installed; the message has the fewest facts that exclude each other, and the option that would help',
    example: 'p requires d `^1.2.3`, d 1.2.1 is installed by a user',
    toFix: 'Set the option that the message names, or change one of the facts',
    shownBy: 'testdata/resolve-dependencies/glasskube-versionless-range',
  },
  update: {
    severity: 'info',
    summary: 'The version of a package that `update` names, and what keeps it from the latest version; or why the package moves by itself',
    example: '`ClusterPackage shop is at v1.9.0+1, and v2.0.0+1 is the latest: … portal v1.0.0+1 requires shop "<2.0.0"`',
    toFix: 'Update the package that the message names too, or nothing',
    shownBy: 'testdata/resolve-dependencies/update-version',
  },
  'update-invalid': {
    severity: 'error',
    summary:
      'An entry of `update` cannot be followed: no such package, several of that name, an unknown version, one below the installed version, or a package that has no version to move; nothing is changed',
    example: '`update: [{name: shpo}]`',
    toFix: 'What the message proposes',
    shownBy: 'testdata/resolve-dependencies/update-native',
  },
} as const satisfies RuleRecords
