import type { RuleRecords } from './rule-record.ts'

/** Packages that `import` makes of what vendors publish. */
export const IMPORTS_RECORDS = {
  'import-source': {
    severity: 'error',
    summary:
      'With `import`: a part of what a vendor publishes is no object, has no apiVersion, kind or name, or occurs twice with other fields',
    example: 'the message of a program between the objects',
    toFix: 'Remove the part, or one of the two objects, from the source',
    shownBy: 'src/intake/intake.test.ts',
  },
} as const satisfies RuleRecords
