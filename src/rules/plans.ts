import type { RuleRecords } from './rule-record.ts'

/** Saved plans, and what a cluster has. */
export const PLANS_RECORDS = {
  'cluster-blocked': {
    severity: 'error',
    summary:
      'With `plan --against-cluster`: the cluster has variants with the names of those that the controller of a set makes, and without the uid of the set',
    why: 'The controller cannot create them and stalls',
    example: 'variants of `fan-out` that were applied, and then their set',
    toFix: 'Write the uid into the variants with `adopt` and apply them',
    shownBy: 'testdata/cli/plan-against-cluster-blocked',
  },
  'cluster-controlled': {
    severity: 'warning',
    summary:
      'With `plan --against-cluster`: variants that are applied, of a matrix or a local set, have a controller in the cluster, which undoes what is applied',
    example: 'a set that was applied once',
    toFix: 'Choose one of the ways of docs/recipes/porch.md for the set',
    shownBy: 'testdata/cli/plan-against-cluster-applied',
  },
  'plan-outdated': {
    severity: 'error',
    when: 'error of the tool',
    summary:
      '`render --plan` carries out a saved plan exactly or not at all: since the plan was saved, a file, an upstream revision or an option has changed',
    example: 'A tag that now points to another commit',
    toFix: 'Plan again with `plan --out`, and review that plan',
    shownBy: 'testdata/cli/render-plan-outdated',
  },
  'saved-plan': {
    severity: 'error',
    when: 'error of the tool',
    summary: 'A saved plan does not have the form that `plan --out` writes',
    example: 'An unknown field, a digest that is none',
    toFix: 'Plan again with `plan --out`',
    shownBy: 'testdata/cli/render-plan-form',
  },
  'set-not-in-cluster': {
    severity: 'error',
    summary: '`adopt`: the file of the cluster does not have a set whose variants are in the folder',
    example: 'a set that was never applied',
    toFix: 'Apply the set, and print the sets of the cluster anew',
    shownBy: 'testdata/cli/adopt-refused',
  },
  'variant-being-deleted': {
    severity: 'warning',
    summary: 'With `plan --against-cluster`: the cluster is deleting a variant that the fleet has',
    why: 'The plan compares its fields, but it will be gone',
    example: '`deletionTimestamp: "2026-01-01T00:00:00Z"`',
    toFix: 'Wait until it is gone, or find out who deleted it; whoever makes the variants makes it anew',
    shownBy: 'testdata/cli/plan-against-cluster-deleting',
  },
  'variant-controlled': {
    severity: 'error',
    summary: '`adopt`: a variant of the set names another object as its controller; an API server allows one',
    example: '`ownerReferences: [{kind: Fleet, controller: true}]`',
    toFix: 'Remove the owner reference, or give the variant to no set',
    shownBy: 'testdata/cli/adopt-refused',
  },
  'variants-adopted': {
    severity: 'info',
    summary: '`adopt`: the number of variants of a set that got the uid of the set in the cluster',
    example: '`gives 23 of 23 PackageVariants to the set of the cluster`',
    toFix: 'Nothing to fix',
    shownBy: 'testdata/cli/adopt-nothing-to-do',
  },
} as const satisfies RuleRecords
