import { expect, test } from 'vitest'
import { RULE_FAMILIES } from '../rules/generated/rule-families.ts'
import type { RuleFamily } from '../rules/rule-record.ts'
import { RULE_SEVERITIES } from './rule-severities.ts'

const rulesOf = (titles: readonly string[]) =>
  RULE_FAMILIES.filter(({ title }) => titles.includes(title)).flatMap(({ rules }: RuleFamily) => Object.entries(rules))

// Faults of the arguments of the tool and of the files of `catalog add`, and a rule with a severity for each case.
const FIXED = [
  'archive-refused',
  'catalog-digest',
  'catalog-file',
  'package-contents',
  'package-reference',
  'package-repository',
  'package-source',
  'unknown-cluster',
  'update-invalid',
]

test('users may change the severity of every rule on packages', () => {
  const all = rulesOf(['Dependencies', 'Carvel', 'Crossplane', 'Glasskube']).map(([id]) => id)
  expect(all.filter((id) => !RULE_SEVERITIES.has(id)).toSorted()).toEqual(FIXED)
})

test('the default severity of a rule is the first of its record', () => {
  const records = new Map(rulesOf(RULE_FAMILIES.map(({ title }) => title)))
  const differing = [...RULE_SEVERITIES].filter(([id, severity]) => [records.get(id)?.severity].flat()[0] !== severity)
  expect(differing).toEqual([])
})
