import type { RuleRecords } from './rule-record.ts'

/** Packages that `import` makes of what vendors publish, and ApplicationSets that `convert` reads. */
export const IMPORTS_RECORDS = {
  'applicationset-field': {
    severity: 'error',
    summary:
      'With `convert applicationset`: a field that the conversion cannot follow, a parameter that no generator gives, or data that is not in the folder',
    example: '`pullRequest`, `templatePatch`, a git repository of others',
    toFix: 'Write what the field gives into the set, such as elements of a list generator, or bring the data into the folder',
    shownBy: 'testdata/cli/convert-set-pull-request',
  },
  'import-edited': {
    severity: 'warning',
    summary:
      "With `import`: people changed objects of the last revision after its import, or it was not imported. The next revision has the vendor's fields, with the comments of setters",
    example: 'a fixed image in `catalog/web@v1`',
    toFix: 'Write the change into the new revision, or better into the set',
    shownBy: 'testdata/cli/import-next',
  },
  'import-hook': {
    severity: 'warning',
    summary: 'With `import --helm`: a hook is left out, since only Helm runs hooks; a test is always left out',
    example: '`helm.sh/hook: pre-upgrade`',
    toFix: '`--hooks keep` makes an object of the hook',
    shownBy: 'testdata/cli/import-hooks',
  },
  'import-lookup': {
    severity: 'warning',
    summary: 'With `import --helm`: a template asks the cluster, and there is none. The result is that of a first installation',
    example: '`{{ lookup "v1" "Secret" … }}`',
    toFix: 'Set with `--values` what the template looks for',
    shownBy: 'testdata/cli/import-hooks',
  },
  'import-random': {
    severity: 'error',
    summary:
      'With `import --helm`: a field differs between two runs of the chart, so that each revision would change it: a password, a certificate, a time',
    example: '`{{ randAlphaNum 12 }}`',
    toFix: 'Set the values that the message names with `--values`',
    shownBy: 'testdata/cli/import-random',
  },
  'import-setter': {
    severity: ['error', 'warning'],
    summary:
      'With `import`: the field that `--setters` names does not exist. A warning for a setter comment of the last revision whose field is gone or has another form',
    example: '`--setters replicas=spec.replica@Deployment/web`',
    toFix: 'Name a field that exists; write the lost comment behind the new field',
    shownBy: 'testdata/cli/import-no-field',
  },
  'import-source': {
    severity: 'error',
    summary:
      'With `import`: a part of what a vendor publishes is no object, has no apiVersion, kind or name, or occurs twice with other fields',
    example: 'the message of a program between the objects',
    toFix: 'Remove the part, or one of the two objects, from the source',
    shownBy: 'testdata/cli/import-no-objects',
  },
} as const satisfies RuleRecords
