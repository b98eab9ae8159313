import { expect, test } from 'vitest'
import { configText, KPTFILE_TEXT, stateOfFiles, variantText } from '../../src/diff/testing/states-of-files.ts'
import { recordingHost } from '../../testdata/cli/recorded-run.ts'
import { type CompareOptions, compareStates } from './compare-states.ts'

const POLICY = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: FleetPolicy
metadata: {name: no-two}
spec:
  forEach: objects
  where: item.kind == 'ConfigMap'
  validations: [{expression: "item.data.value != 'two'", message: must not be two}]
`

const filesWith = (value: string) => ({
  'catalog/web@1/Kptfile': KPTFILE_TEXT,
  'catalog/web@1/a.yaml': configText('a', value),
  'fleet/a.yaml': variantText('a', 'edge/a'),
  'fleet/policy.yaml': POLICY,
})

function compared(from = filesWith('one'), to = filesWith('two'), options: CompareOptions = { run: true }) {
  return compareStates({ from: stateOfFiles(from), to: stateOfFiles(to), results: [], made: new Set() }, options, recordingHost('.').host)
}

test('a comparison reports what changes, and the policies that the later state breaks', async () => {
  const { report, diffs } = await compared()
  expect(report.packages.length).toBe(1)
  expect(report.results.map(({ message }) => message)).toEqual([expect.stringContaining('must not be two')])
  expect(diffs).toEqual([])
})

test('the unified diffs of packages are made where they are asked for', async () => {
  const { diffs } = await compared(filesWith('one'), filesWith('three'), { run: true, unified: true })
  expect(diffs.join('')).toContain('-data: {value: one}\n+data: {value: three}\n')
})
