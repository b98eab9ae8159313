import type { RuleRecords } from './rule-record.ts'

/** Packages of Glasskube. */
export const GLASSKUBE_RECORDS = {
  'auto-update-unpinned': {
    severity: 'info',
    summary: 'A Glasskube package has no version, or is updated by itself, and others require a range of it',
    example: '`packageInfo: {name: d}` beside a requirement `d 1.x.x`',
    toFix: 'Set `spec.packageInfo.version`',
    shownBy: 'testdata/check-dependencies/auto-update-unpinned',
  },
  'package-repository': {
    severity: ['error', 'warning'],
    summary:
      'A repository folder of Glasskube contradicts itself: a manifest has another name than its folder, the latest version is not listed, a file is no map or a link',
    why: 'As a warning: versions without a `package.yaml` or a line in `versions.yaml`, and an `index.yaml` that differs from the folders',
    example: '`latestVersion: v1.9.0+1`, and `versions` does not list it',
    toFix: 'Correct the file that the message names',
    shownBy: 'testdata/cli/catalog-add-repository',
  },
  'repository-ambiguous': {
    severity: 'error',
    summary: 'A missing Glasskube package is in several repositories, and the operator chooses none',
    example: '`d` in main and mirror',
    toFix: 'Install it with a `repositoryName`',
    shownBy: 'testdata/check-dependencies/repository-ambiguous',
  },
  'scope-mismatch': {
    severity: 'error',
    fix: 'unsafe',
    summary: 'A manifest for namespaces is installed as a ClusterPackage, or the reverse',
    example: '`kind: ClusterPackage`, scope Namespaced',
    toFix: 'Change the kind',
    shownBy: 'testdata/check-dependencies/scope-mismatch',
  },
} as const satisfies RuleRecords
