import { expect, test } from 'vitest'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { resourceListOf, setOf } from '../../src/fleet/testing/fleet-of-objects.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import type { Result } from '../../src/result.ts'
import { writtenObject } from '../../testdata/written-objects.ts'
import { dependencyFindings, fanOutFindings } from './function-findings.ts'

const rules = (results: readonly Result[]) => results.map(({ tags }) => tags.rule)
const withConfig = (list: ResourceList, data: string) =>
  list.withConfig(writtenObject(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata: ${data}\n`))
const fanOut = (list: ResourceList, upstreamsOf: (plan: FleetPlan) => readonly Result[] = () => []) => fanOutFindings(list, upstreamsOf, {})

const NO_MATCH = resourceListOf([setOf([{ repositorySelector: { matchLabels: { env: 'prod' } } }])])

test('a folder without a set has no finding', () => {
  expect(fanOut(resourceListOf([]))).toEqual([])
})

test('faults of the options of fan-out hide no finding of the sets', () => {
  const sets = rules(fanOut(NO_MATCH))
  expect(sets).toEqual(['no-match', 'fan-out'])
  expect(rules(fanOut(withConfig(NO_MATCH, '{allowEmty: "true"}')))).toEqual(['unknown-field', ...sets])
})

test('the upstream packages of the plan are judged with its findings', () => {
  const finding: Result = { severity: 'error', message: 'm', tags: { rule: 'upstream-missing' } }
  expect(rules(fanOut(NO_MATCH, () => [finding]))).toEqual(['no-match', 'fan-out', 'upstream-missing'])
})

test('faults of the options of check-dependencies hide no finding of the packages', () => {
  const configuration = {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Configuration',
    metadata: { name: 'own' },
    spec: { dependsOn: [{ provider: 'xpkg.example.org/a/p', version: '>=one' }] },
  }
  const list = resourceListOf([configuration])
  const packages = rules(dependencyFindings(list, {}))
  expect(packages).toContain('constraint-invalid')
  expect(rules(dependencyFindings(withConfig(list, '{exludeKinds: x}'), {}))).toEqual(['unknown-field', ...packages])
})
