import type { DangerRecords } from './danger-record.ts'

/** The dangers of objects that package managers read. */
export const PACKAGE_DANGER_RECORDS = {
  'package-deleted': {
    when: 'a Provider, Configuration or Function of Crossplane, a PackageInstall or App of Carvel, a package of Glasskube is deleted or renamed',
    source:
      '[crossplane#6001](https://github.com/crossplane/crossplane/issues/6001): the definitions of a Provider are deleted with it, and every object of their kinds; Carvel and Glasskube delete what the package installed. Not for a PackageInstall or App that keeps what it installed with `noopDelete: true`',
    dangerous: [
      ['{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x:v1"}}', ''],
      ['{kind: Configuration, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x:v1"}}', ''],
      ['{kind: Function, apiVersion: pkg.crossplane.io/v1beta1, metadata: {name: a}, spec: {package: "x:v1"}}', ''],
      [
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x:v1"}}',
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: b}, spec: {package: "x:v1"}}',
      ],
      ['{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}}', ''],
      ['{kind: App, apiVersion: kappctrl.k14s.io/v1alpha1, metadata: {name: a}, spec: {noopDelete: false}}', ''],
      ['{kind: ClusterPackage, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}}', ''],
      ['{kind: Package, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a, namespace: n}}', ''],
    ],
    safe: [
      ['', '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x:v1"}}'],
      [
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x:v1"}}',
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x:v2"}}',
      ],
      ['{kind: Provider, apiVersion: notification.toolkit.fluxcd.io/v1, metadata: {name: a}, spec: {type: slack}}', ''],
      ['{kind: Configuration, apiVersion: serving.knative.dev/v1, metadata: {name: a}}', ''],
      ['{kind: ProviderConfig, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}}', ''],
      ['{kind: Package, apiVersion: data.packaging.carvel.dev/v1alpha1, metadata: {name: a}}', ''],
      ['{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}, spec: {noopDelete: true}}', ''],
    ],
  },
  'package-repository-deleted': {
    when: 'a PackageRepository of Carvel or Glasskube is deleted or renamed',
    source:
      '[Package consumption](https://carvel.dev/kapp-controller/docs/latest/package-consumption/): the Packages of the repository are deleted with it, and installs of them fail to reconcile',
    dangerous: [
      ['{kind: PackageRepository, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}}', ''],
      [
        '{kind: PackageRepository, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {url: x}}',
        '{kind: PackageRepository, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: b}, spec: {url: x}}',
      ],
    ],
    safe: [
      ['', '{kind: PackageRepository, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}}'],
      ['{kind: HelmRepository, apiVersion: source.toolkit.fluxcd.io/v1, metadata: {name: a}}', ''],
    ],
  },
  'package-replaced': {
    when: 'a package object names another package: `spec.package` of Crossplane another repository (not another tag or digest), `spec.packageRef.refName` of a PackageInstall another Package, `spec.packageInfo.name` or its repository of Glasskube another package',
    source:
      '[crossplane#6001](https://github.com/crossplane/crossplane/issues/6001): the old revision loses the control of its definitions; [kapp-controller](https://carvel.dev/kapp-controller/docs/latest/packaging/) deletes what the other Package does not have',
    dangerous: [
      [
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/sql:v1"}}',
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/b/sql:v1"}}',
      ],
      [
        '{kind: Function, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io:5000/a/f"}}',
        '{kind: Function, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "y.io:5000/a/f"}}',
      ],
      [
        '{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}, spec: {packageRef: {refName: a.x}}}',
        '{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}, spec: {packageRef: {refName: b.x}}}',
      ],
      [
        '{kind: ClusterPackage, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: a, version: v1}}}',
        '{kind: ClusterPackage, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: b, version: v1}}}',
      ],
      [
        '{kind: Package, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: a, repositoryName: one}}}',
        '{kind: Package, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: a, repositoryName: two}}}',
      ],
    ],
    safe: [
      [
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io:5000/a/sql:v1"}}',
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io:5000/a/sql:v2"}}',
      ],
      [
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/sql:v1"}}',
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/sql@sha256:ab"}}',
      ],
      [
        '{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}, spec: {packageRef: {refName: a.x, versionSelection: {constraints: 1.0.0}}}}',
        '{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}, spec: {packageRef: {refName: a.x, versionSelection: {constraints: 2.0.0}}}}',
      ],
      [
        '{kind: ClusterPackage, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: a, version: v1}}}',
        '{kind: ClusterPackage, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: a, version: v2}}}',
      ],
      [
        '{kind: Package, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: a}}}',
        '{kind: Package, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: a, repositoryName: main}}}',
      ],
      [
        '{kind: Provider, apiVersion: example.com/v1, metadata: {name: a}, spec: {package: "x.io/a/sql:v1"}}',
        '{kind: Provider, apiVersion: example.com/v1, metadata: {name: a}, spec: {package: "x.io/b/sql:v1"}}',
      ],
    ],
  },
  'package-downgraded': {
    when: 'a package object names a lower version of its package: a tag of Crossplane, an exact `versionSelection.constraints` of Carvel, `packageInfo.version` of Glasskube',
    source:
      '[Versions in CustomResourceDefinitions](https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version): a definition without a version in which objects are stored is refused; kapp-controller refuses a downgrade without `packaging.carvel.dev/downgradable`',
    dangerous: [
      [
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/sql:v1.10.0"}}',
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/sql:v1.9.0"}}',
      ],
      [
        '{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}, spec: {packageRef: {refName: a.x, versionSelection: {constraints: 2.0.0}}}}',
        '{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}, spec: {packageRef: {refName: a.x, versionSelection: {constraints: 1.0.0}}}}',
      ],
      [
        '{kind: ClusterPackage, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: a, version: v2.0.0+1}}}',
        '{kind: ClusterPackage, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, spec: {packageInfo: {name: a, version: v1.0.0+2}}}',
      ],
    ],
    safe: [
      [
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/sql:v1.9.0"}}',
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/sql:v1.10.0"}}',
      ],
      [
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/sql:v2.0.0"}}',
        '{kind: Provider, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/b/other:v1.0.0"}}',
      ],
      [
        '{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}, spec: {packageRef: {refName: a.x, versionSelection: {constraints: ">=2.0.0"}}}}',
        '{kind: PackageInstall, apiVersion: packaging.carvel.dev/v1alpha1, metadata: {name: a}, spec: {packageRef: {refName: a.x, versionSelection: {constraints: ">=1.0.0"}}}}',
      ],
      [
        '{kind: Function, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/f:stable"}}',
        '{kind: Function, apiVersion: pkg.crossplane.io/v1, metadata: {name: a}, spec: {package: "x.io/a/f:edge"}}',
      ],
    ],
  },
} as const satisfies DangerRecords
