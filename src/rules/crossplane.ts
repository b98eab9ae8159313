import type { RuleRecords } from './rule-record.ts'

/** Packages of Crossplane, and archives of them (`catalog add`). */
export const CROSSPLANE_RECORDS = {
  'archive-refused': {
    severity: 'error',
    summary:
      'With `catalog add`: an archive or image is damaged or made to do harm: a path that leads out, a link in the place of a file, other bytes than a digest says, more entries or bytes than packages have, no `package.yaml`',
    example: 'a layer whose digest is not that of the manifest',
    toFix: 'Build or download the package again',
    shownBy: 'testdata/cli/catalog-add-faults',
  },
  'catalog-digest': {
    severity: 'error',
    summary: 'With `catalog add`: the Catalog has another digest for the version',
    example: '`digest: sha256:…` of an earlier image with the tag',
    toFix: 'Publish a new version, or remove the version from the Catalog and run again',
    shownBy: 'testdata/cli/catalog-add-published-again',
  },
  'catalog-file': {
    severity: 'error',
    summary: 'With `catalog add`: the file of `--into` holds no Catalog, or several',
    example: '`--into values.yaml`',
    toFix: 'Name the file of the Catalog; a missing file is made',
    shownBy: 'testdata/cli/catalog-add-no-catalog',
  },
  'field-removed': {
    severity: 'warning',
    summary:
      'A package or a revision of Crossplane has a field of the design of packages, or `controllerConfigRef`, that Crossplane no longer has, so the cluster drops it; the message has what is in its place',
    why: 'Not with a `cluster.crossplaneVersion` that still has the field',
    example: '`spec.imagePullSecrets`',
    toFix: 'Write the field of the message',
    bad: `apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: a}
spec: {controllerConfigRef: {name: c}, package: "xpkg.crossplane.io/a/b:v1.0.0"}
#      ^
`,
    good: ['controllerConfigRef: {name: c}, ', ''],
    shownBy: 'testdata/check-dependencies/field-removed',
  },
  'image-config-invalid': {
    severity: 'error',
    summary: 'The `rewriteImage` of an ImageConfig has no prefix, so that Crossplane pulls no package that the ImageConfig matches',
    example: '`rewriteImage: {}`',
    toFix: 'Write the prefix, or remove `rewriteImage`',
    bad: `apiVersion: pkg.crossplane.io/v1beta1
kind: ImageConfig
metadata: {name: c}
spec: {matchImages: [{prefix: xpkg.crossplane.io}], rewriteImage: {}}
#                                                   ^
`,
    good: ['rewriteImage: {}', 'rewriteImage: {prefix: mirror.example.com}'],
    shownBy: 'testdata/check-dependencies/image-config-invalid',
  },
  'image-config-suspect': {
    severity: 'warning',
    summary:
      'Two ImageConfigs rewrite one prefix, and Crossplane takes either; or an ImageConfig names a pull secret or verifies signatures for images that another one rewrites first',
    example: 'a pull secret for `xpkg.crossplane.io` beside a rewrite of it',
    toFix: 'Keep one of the two; match the rewritten path',
    bad: `apiVersion: pkg.crossplane.io/v1beta1
kind: ImageConfig
metadata: {name: a}
spec: {matchImages: [{prefix: xpkg.crossplane.io}], rewriteImage: {prefix: a.example.com}}
---
apiVersion: pkg.crossplane.io/v1beta1
kind: ImageConfig
metadata: {name: b}
spec: {matchImages: [{prefix: xpkg.crossplane.io}], rewriteImage: {prefix: b.example.com}}
#                             ^
`,
    good: [
      `name: b}
spec: {matchImages: [{prefix: xpkg.crossplane.io`,
      `name: b}
spec: {matchImages: [{prefix: ghcr.io`,
    ],
    shownBy: 'testdata/check-dependencies/image-config-suspect',
  },
  'kind-removed': {
    severity: 'error',
    summary: 'Crossplane no longer has the kind; the message has the first version without it and the kinds in its place',
    why: 'Not with a `cluster.crossplaneVersion` that still has the kind, and not for the kinds of the design of packages with `crossplaneSemantics: seed`',
    example: '`ClusterPackageInstall`',
    toFix: 'Write an object of the kind in the message',
    bad: `apiVersion: pkg.crossplane.io/v1alpha1
kind: ControllerConfig
#     ^
metadata: {name: c}
spec: {}
`,
    good: `apiVersion: pkg.crossplane.io/v1beta1
kind: DeploymentRuntimeConfig
metadata: {name: c}
spec: {}
`,
    shownBy: 'testdata/check-dependencies/seed-003-package-revision',
  },
  'lock-drift': {
    severity: 'warning',
    summary:
      'An entry of the Lock has no name, another version than the object, or no revision; or its revision is Inactive or has another source, so that Crossplane takes the entry out',
    example: 'Lock v0.18.0, Provider v0.19.0',
    toFix: 'Let Crossplane write the Lock anew',
    shownBy: 'testdata/check-dependencies/lock-drift',
  },
  'lock-invalid': {
    severity: 'error',
    summary:
      'Two Locks of Crossplane, or one that is not named `lock`: a cluster has one, so it is not known what is installed, and nothing is resolved or simulated',
    example: 'a Lock in `east.yaml` and one in `west.yaml`',
    toFix: 'Keep the Lock of one cluster',
    shownBy: 'testdata/check-dependencies/lock-invalid',
  },
  'mirror-source': {
    severity: 'warning',
    summary:
      'A package is installed from the place that an ImageConfig rewrites a source to, and another package requires the source; or the package is pulled from the source that is required: Crossplane compares original sources, so the requirement is not met',
    example: '`spec.package: registry1.com/acme/net:v2.0.0` beside a requirement of `xpkg.crossplane.io/acme/net`',
    toFix: 'Write the original source; the ImageConfig pulls it from the same place',
    shownBy: 'testdata/check-dependencies/mirror-source-reverse',
  },
  'package-contents': {
    severity: 'error',
    summary: 'With `catalog add`: a package has no object of meta.pkg.crossplane.io, or several',
    example: 'a folder whose `crossplane.yaml` is a `pkg.crossplane.io` Configuration',
    toFix: 'Name the folder or image of the package',
    shownBy: 'testdata/cli/catalog-add-faults',
  },
  'package-reference': {
    severity: 'error',
    summary:
      'With `catalog add`: the reference that installs the version is missing, or has no registry or tag, or no image of the archive has its tag',
    example: '`catalog add provider-nop.xpkg`',
    toFix: 'Write `REGISTRY/PATH:TAG=SOURCE`',
    shownBy: 'testdata/cli/catalog-add-faults',
  },
  'package-source': {
    severity: 'error',
    summary: 'With `catalog add`: a source is missing, or nothing that packages are read from',
    example: 'a folder without `crossplane.yaml`',
    toFix: 'Name an `.xpkg`, an image or the folder of a package',
    shownBy: 'testdata/cli/catalog-add-faults',
  },
  'partial-tag': {
    severity: 'warning',
    fix: 'unsafe',
    summary:
      'A Crossplane package has a tag that is no full version and is never chosen for a dependency, has no tag, so that ranges on it are not checked, or has `1.0.0` where `v1.0.0` is known, or the reverse',
    example: '`provider-helm:v1`',
    toFix: 'Name the full version, as the registry writes it',
    bad: `apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: a}
spec: {package: "xpkg.crossplane.io/a/b:v1"}
#               ^
`,
    good: [':v1"', ':v1.0.0"'],
    shownBy: 'testdata/check-dependencies/partial-tag',
  },
  'revision-gc': {
    severity: 'info',
    summary: 'The package manager deletes the revision in its next reconcile: it is beyond `revisionHistoryLimit`',
    example: 'limit 1, and revisions 1, 2 and 3',
    toFix: 'Raise the limit, or accept the deletion',
    shownBy: 'testdata/check-dependencies/revision-gc',
  },
  'revision-invalid': {
    severity: 'error',
    summary: 'A revision or a package has a number, a state or a limit that Crossplane cannot have made',
    example: '`revision: 1` twice, `revisionHistoryLimit: -1`',
    toFix: 'As the message says',
    bad: `apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: a}
spec: {package: "xpkg.crossplane.io/a/b:v2.0.0"}
---
apiVersion: pkg.crossplane.io/v1
kind: ProviderRevision
metadata: {name: a-1, labels: {pkg.crossplane.io/package: a}}
spec: {image: "xpkg.crossplane.io/a/b:v1.0.0", revision: 1, desiredState: Inactive}
---
apiVersion: pkg.crossplane.io/v1
kind: ProviderRevision
metadata: {name: a-2, labels: {pkg.crossplane.io/package: a}}
spec: {image: "xpkg.crossplane.io/a/b:v2.0.0", revision: 1, desiredState: Active}
#                                                        ^
`,
    good: ['v2.0.0", revision: 1', 'v2.0.0", revision: 2'],
    shownBy: 'testdata/check-dependencies/revision-invalid',
  },
  'revision-manual-none-active': {
    severity: 'warning',
    summary: 'A package with `revisionActivationPolicy: Manual` has revisions, and none is Active, so the package does not run',
    example: 'a new image under Manual',
    toFix: 'Set the revision Active',
    bad: `apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: a}
spec: {revisionActivationPolicy: Manual, package: "xpkg.crossplane.io/a/b:v1.0.0"}
#                                ^
---
apiVersion: pkg.crossplane.io/v1
kind: ProviderRevision
metadata: {name: a-1, labels: {pkg.crossplane.io/package: a}}
spec: {image: "xpkg.crossplane.io/a/b:v1.0.0", revision: 1, desiredState: Inactive}
`,
    good: ['desiredState: Inactive', 'desiredState: Active'],
    shownBy: 'testdata/check-dependencies/revision-manual-none-active',
  },
  'revision-many-active': {
    severity: 'error',
    summary: 'Two revisions of one Crossplane package are Active',
    example: 'helm-1 and helm-2',
    toFix: 'Set one Inactive',
    bad: `apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: a}
spec: {package: "xpkg.crossplane.io/a/b:v2.0.0"}
---
apiVersion: pkg.crossplane.io/v1
kind: ProviderRevision
metadata: {name: a-1, labels: {pkg.crossplane.io/package: a}}
spec: {image: "xpkg.crossplane.io/a/b:v1.0.0", revision: 1, desiredState: Active}
---
apiVersion: pkg.crossplane.io/v1
kind: ProviderRevision
metadata: {name: a-2, labels: {pkg.crossplane.io/package: a}}
spec: {image: "xpkg.crossplane.io/a/b:v2.0.0", revision: 2, desiredState: Active}
#                                                                         ^
`,
    good: ['revision: 1, desiredState: Active', 'revision: 1, desiredState: Inactive'],
    shownBy: 'testdata/check-dependencies/revision-many-active',
  },
  'revision-unhealthy': {
    severity: 'warning',
    summary: 'With `lifecycle`: a dependency of the revision is missing, or another package has its objects',
    example: '`missing dependency D ">=v1.0.0"`',
    toFix: 'Install the dependency, or one of the two packages',
    shownBy: 'testdata/resolve-dependencies/lifecycle-dependency-missing-current',
  },
  'revision-unknown': {
    severity: 'info',
    summary: 'With `lifecycle`: revisions are named by the digest of the image, which is unknown',
    example: '`spec.package: helm:v1.0.0`',
    toFix: 'Give the digest in `spec.package` or in a Catalog',
    shownBy: 'testdata/resolve-dependencies/lifecycle-no-digest',
  },
  'tag-and-digest': {
    severity: 'warning',
    fix: 'unsafe',
    summary: 'A Crossplane package has a tag and a digest: no dependency is ever met by it',
    example: '`provider-helm:v0.19.0@sha256:…`',
    toFix: 'Name the digest alone',
    bad: `apiVersion: pkg.crossplane.io/v1
kind: Provider
metadata: {name: a}
spec: {package: "xpkg.crossplane.io/a/b:v1.0.0@sha256:0000000000000000000000000000000000000000000000000000000000000000"}
#               ^
`,
    good: [':v1.0.0', ''],
    shownBy: 'testdata/check-dependencies/tag-and-digest',
  },
} as const satisfies RuleRecords
