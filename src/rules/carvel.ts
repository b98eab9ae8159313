import type { RuleRecords } from './rule-record.ts'

/** Packages of kapp-controller. */
export const CARVEL_RECORDS = {
  'downgrade-blocked': {
    severity: 'error',
    summary: 'kapp-controller would stop: the selected version is below the one it tried last',
    example: '1.1.0 selected, `lastAttemptedVersion: 1.2.0`',
    toFix: 'Annotate `packaging.carvel.dev/downgradable: ""`',
    bad: `apiVersion: data.packaging.carvel.dev/v1alpha1
kind: Package
metadata: {name: db.example.com.1.0.0}
spec: {refName: db.example.com, version: 1.0.0}
---
apiVersion: packaging.carvel.dev/v1alpha1
kind: PackageInstall
metadata: {name: db, namespace: a}
spec: {serviceAccountName: sa, packageRef: {refName: db.example.com, versionSelection: {constraints: "1.0.0"}}}
status: {lastAttemptedVersion: 1.2.0}
`,
    at: 'fleet.yaml:8:1',
    good: ['lastAttemptedVersion: 1.2.0', 'lastAttemptedVersion: 1.0.0'],
    shownBy: 'testdata/check-dependencies/downgrade-blocked',
  },
  'generated-edited': {
    severity: 'info',
    summary: 'A person changed a field of a PackageInstall that `resolve` generated; `resolve` keeps the edit',
    why: 'Of one that an older version generated, only a changed version is known',
    example: '`serviceAccountName: ops-sa`, generated as `default-sa`',
    toFix:
      'Nothing to fix. `dependencies.values` and `override` of the owner are the places for settings that shall reach a generated install',
    shownBy: 'testdata/check-dependencies/generated-edited-enforced',
  },
  'installation-type': {
    severity: 'error',
    summary:
      'A package is installed more often than its installationType allows; the installationType of one of its installs is enough for this finding',
    example: '`onePerCluster`, two PackageInstalls',
    toFix: 'Remove one',
    shownBy: 'testdata/check-dependencies/installation-type-version',
  },
  'override-suspect': {
    severity: 'warning',
    summary: 'An override names no dependency of the package, names one that an earlier override names, or leaves the range of its author',
    example: '`override: [{refName: pkg1}]`, and only pkg2 is required',
    toFix: 'Correct the name, or ignore the warning if the override is meant',
    shownBy: 'testdata/check-dependencies/override-suspect',
  },
  'package-name-invalid': {
    severity: 'error',
    fix: 'unsafe',
    summary: 'kapp-controller refuses the name, refName or version of a Package',
    example: 'metadata.name is not `REFNAME.VERSION`',
    toFix: 'Take the proposed value',
    bad: `apiVersion: data.packaging.carvel.dev/v1alpha1
kind: Package
metadata: {name: db.1.0.0}
#                ^
spec: {refName: db.example.com, version: 1.0.0}
`,
    good: ['db.1.0.0', 'db.example.com.1.0.0'],
    shownBy: 'testdata/check-dependencies/package-name-invalid',
  },
  'prerelease-not-selected': {
    severity: 'warning',
    fix: 'unsafe',
    summary: 'Only prereleases match, and prereleases are not selected',
    example: '`constraints: ">1.0.0"`, known is 2.0.0-rc.1',
    toFix: 'Set `prereleases: {}`',
    bad: `apiVersion: data.packaging.carvel.dev/v1alpha1
kind: Package
metadata: {name: db.example.com.2.0.0-rc.1}
spec: {refName: db.example.com, version: 2.0.0-rc.1}
---
apiVersion: packaging.carvel.dev/v1alpha1
kind: PackageInstall
metadata: {name: db, namespace: a}
spec: {serviceAccountName: sa, packageRef: {refName: db.example.com, versionSelection: {constraints: ">1.0.0"}}}
#                                                                    ^
`,
    good: ['">1.0.0"', '">1.0.0", prereleases: {}'],
    shownBy: 'testdata/check-dependencies/prerelease-not-selected',
  },
  'values-unused': {
    severity: 'warning',
    summary:
      'A PackageInstall has values for a package that is no dependency, or for an alias that no dependency has, so no generated install gets them',
    example: '`values: [{refName: pkg1, secretRef: {name: s}}]`, and only pkg2 is required',
    toFix: 'Correct the name, or remove the values',
    shownBy: 'testdata/check-dependencies/seed-002-values-unused',
  },
} as const satisfies RuleRecords
