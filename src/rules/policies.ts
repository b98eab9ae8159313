import type { RuleRecords } from './rule-record.ts'

/** FleetPolicies. */
export const POLICIES_RECORDS = {
  'no-policy': {
    severity: 'warning',
    summary: 'check-policies got no FleetPolicy: neither among the items nor as functionConfig',
    example: 'a list of Repositories and sets',
    toFix: 'Add a FleetPolicy, or remove the function from the pipeline',
    shownBy: 'testdata/check-policies/no-policy',
  },
  'policy-empty': {
    severity: ['warning', 'error'],
    when: 'warning; error for a ring or kind that is most likely misspelt',
    summary: 'A FleetPolicy judges nothing: the fleet has no item of the kind that `forEach` names, or `where` holds for none',
    example: "`where: item.labels.env == 'production'` where the label is `prod`",
    toFix: 'Fix `where`, with the nearest name if the message has one, or remove the policy',
    shownBy: 'testdata/check-policies/policy-empty',
  },
  'policy-evaluation': {
    severity: 'error',
    summary:
      'An expression of a FleetPolicy has no value for an item, or a value of another type than it must give; or the policy costs more than a policy may, or comes after policies that cost all that a run may',
    example: '`100 / int(item.labels.size)` for a target with the label `size: "0"`',
    toFix: "As the hint says; test first if the value exists, as in `'size' in item.labels`",
    shownBy: 'testdata/check-policies/policy-evaluation',
  },
  'policy-expression': {
    severity: 'error',
    summary:
      'An expression of a FleetPolicy does not compile, or gives another type than it must: true or false, for `messageExpression` a string; or two variables have one name',
    example: "`item.label.env == 'prod'`",
    toFix: 'Take the proposed name; `docs/policies.md` has the fields of each value',
    shownBy: 'testdata/check-policies/object-types',
  },
  'policy-violation': {
    severity: ['error', 'warning', 'info'],
    when: 'error, warning or info, as the policy says',
    summary:
      "A validation of a FleetPolicy does not hold for a target, variant, package or object; the message is the policy's, and ends with the line of the validation",
    example: 'a prod cluster without an ingress variant',
    toFix: 'Change the named target, variant, package or object, or the policy',
    shownBy: 'testdata/check-policies/function-config',
  },
} as const satisfies RuleRecords
