import { expect, test } from 'vitest'
import type { Result } from '../../src/result.ts'
import { checkGithub, checkJson, checkJunit, checkSarif } from './check-formats.ts'
import { viewCheck } from './check-view.ts'

const ERROR: Result = {
  severity: 'error',
  message: '`x` must be <set>, "now"',
  resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'n' },
  field: { path: ['data', 'x'], currentValue: 1, proposedValue: '1' },
  file: { path: 'ä b/a.yaml', index: 0 },
  position: { line: 3, column: 7 },
  tags: { rule: 'wrong-type' },
}
const WARNING: Result = { severity: 'warning', message: 'of the folder', tags: { rule: 'no-match' } }
const INFO: Result = { severity: 'info', message: 'known', file: { path: 'b.yaml', index: 0 }, tags: { rule: 'no-runner' } }

interface LeveledRule {
  readonly id: string
  readonly defaultConfiguration: { readonly level: string }
}

/** A part of a document of JSON: the tests below ask for their fields only. */
const sarifOf = (...results: readonly Result[]) => JSON.parse(checkSarif(viewCheck(results), '1.2.3 (commit abc)')).runs[0]

test('SARIF has the place of a finding as an encoded path with line and column, and the object with its field', () => {
  const [result] = sarifOf(ERROR).results
  expect(result.locations).toEqual([
    {
      physicalLocation: { artifactLocation: { uri: '%C3%A4%20b/a.yaml' }, region: { startLine: 3, startColumn: 7 } },
      logicalLocations: [{ fullyQualifiedName: 'ConfigMap n/a data.x' }],
    },
  ])
  expect(result).toMatchObject({ ruleId: 'wrong-type', level: 'error' })
})

test('SARIF names an object without a field, a file without a line, and a finding without a place', () => {
  const { field: _, position: __, ...whole } = ERROR
  expect(sarifOf(whole).results[0].locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: '%C3%A4%20b/a.yaml' } }, logicalLocations: [{ fullyQualifiedName: 'ConfigMap n/a' }] },
  ])
  expect(sarifOf(WARNING).results[0].locations).toEqual([{}])
})

test('SARIF calls an info a note, and lists only the rules that are found', () => {
  const { results, tool } = sarifOf(WARNING, INFO)
  expect(results.map(({ level }: { readonly level: string }) => level).sort()).toEqual(['note', 'warning'])
  expect(tool.driver.rules.map(({ id }: { readonly id: string }) => id)).toEqual(['no-match', 'no-runner'])
  const [noMatch, noRunner] = tool.driver.rules
  expect(noMatch.shortDescription.text).not.toBe('')
  expect(noRunner.help.text).toMatch(/^Example: .*\. To fix it: /)
})

test('the level of a rule in SARIF is the first of its severities, and an info is a note', () => {
  const { rules } = sarifOf(WARNING, INFO, { ...INFO, tags: { rule: 'fan-out' } }).tool.driver
  const levels = rules.map((rule: LeveledRule) => `${rule.id} ${rule.defaultConfiguration.level}`)
  expect(levels).toEqual(['fan-out note', 'no-match warning', 'no-runner error'])
})

test('a finding that check --fix writes has the fix and the value in SARIF and JSON; another has neither', () => {
  expect(sarifOf(ERROR).results[0].properties).toEqual({ fix: 'safe', proposedValue: '1' })
  expect(sarifOf(WARNING).results[0].properties).toBeUndefined()
  const { findings, counts } = JSON.parse(checkJson(viewCheck([ERROR, WARNING])))
  expect(counts).toEqual({ errors: 1, warnings: 1, safe: 1, unsafe: 0 })
  expect(findings.map(({ fix }: { readonly fix?: string }) => fix).sort()).toEqual(['safe', undefined])
})

test('the key that was meant is in JSON', () => {
  const misspelt: Result = { ...WARNING, proposedKey: 'name' }
  const [found] = JSON.parse(checkJson(viewCheck([misspelt]))).findings
  expect(found).toMatchObject({ severity: 'warning', message: 'of the folder', proposedKey: 'name' })
})

test('JUnit has a suite for each file, fails only for errors, and escapes what XML reads as markup', () => {
  expect(
    checkJunit(viewCheck([ERROR, { ...ERROR, severity: 'warning', message: 'a & b' }, INFO])),
  ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="krm-variants check" tests="3" failures="1">
  <testsuite name="b.yaml" tests="1" failures="0">
    <testcase classname="b.yaml" name="no-runner" file="b.yaml">
      <system-out>info: known</system-out>
    </testcase>
  </testsuite>
  <testsuite name="ä b/a.yaml" tests="2" failures="1">
    <testcase classname="ä b/a.yaml" name="wrong-type 3:7" file="ä b/a.yaml" line="3">
      <failure type="wrong-type" message="\`x\` must be &lt;set&gt;, &quot;now&quot;">ConfigMap n/a: \`x\` must be &lt;set&gt;, &quot;now&quot;</failure>
    </testcase>
    <testcase classname="ä b/a.yaml" name="wrong-type 3:7" file="ä b/a.yaml" line="3">
      <system-out>warning: ConfigMap n/a: a &amp; b</system-out>
    </testcase>
  </testsuite>
</testsuites>
`)
})

test('JUnit without a finding has one case that passes, and names the folder where a finding has no file', () => {
  expect(checkJunit(viewCheck([]))).toContain('tests="1" failures="0">\n  <testsuite name="check" tests="1" failures="0">')
  expect(checkJunit(viewCheck([WARNING]))).toContain('<testsuite name="the folder" tests="1" failures="0">')
})

test('GitHub Actions gets a command for each finding, with the place as far as it is known', () => {
  expect(checkGithub(viewCheck([ERROR]))).toBe('::error file=ä b/a.yaml,line=3,col=7,title=wrong-type::`x` must be <set>, "now"\n')
  expect(checkGithub(viewCheck([INFO]))).toBe('::notice file=b.yaml,title=no-runner::known\n')
  expect(checkGithub(viewCheck([WARNING]))).toBe('::warning title=no-match::of the folder\n')
})
