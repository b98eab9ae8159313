import { formatFieldPath } from '../../src/field-path.ts'
import { groupBy } from '../../src/group-by.ts'
import { isRecord } from '../../src/json.ts'
import { printable, printableMessage } from '../../src/printable.ts'
import { formatResourceRef, type Result, resultToJson } from '../../src/result.ts'
import { meaningOf, RULES, type Rule } from '../../src/rules/all-rules.ts'
import { githubCommand, sarifMessage, sarifText } from '../print/code-hosts.ts'
import { printDocument } from '../print/print-value.ts'
import type { CheckFinding, CheckView } from './check-view.ts'

/** Returns the findings of a check as SARIF 2.1.0 for code scanning of GitHub, GitLab and editors (OASIS, 2020). */
export function checkSarif({ findings }: CheckView, version: string): string {
  return sarifText({ name: 'krm-variants', version, rules: Array.from(RULES.values(), describeRule) }, findings.map(describeFinding))
}

function describeRule(rule: Rule) {
  const { id, example, toFix = 'Nothing to fix' } = rule
  const [level] = [rule.severity].flat()
  return {
    id,
    shortDescription: { text: meaningOf(rule) },
    help: { text: `Example: ${example}. To fix it: ${toFix}`, markdown: `Example: ${example}\n\nTo fix it: ${toFix}` },
    defaultConfiguration: { level: level === 'info' ? 'note' : level },
  }
}

function describeFinding({ result, fix }: CheckFinding) {
  const { severity, message, file, position, resourceRef, field, proposedKey, tags } = result
  const region = position && { region: { startLine: position.line, startColumn: position.column } }
  const physicalLocation = file && {
    physicalLocation: { artifactLocation: { uri: encodeURI(file.path.replaceAll(/\p{Cs}/gu, '\ufffd')) }, ...region },
  }
  const name = resourceRef && [formatResourceRef(resourceRef), ...(field === undefined ? [] : [formatFieldPath(field.path)])].join(' ')
  const location = { ...physicalLocation, ...(name !== undefined && { logicalLocations: [{ fullyQualifiedName: name }] }) }
  return {
    ruleId: tags.rule,
    level: severity === 'info' ? 'note' : severity,
    message: sarifMessage(message),
    locations: [location],
    ...(fix !== undefined && { properties: { fix, proposedValue: field?.proposedValue, proposedKey } }),
  }
}

/** Returns the findings of a check for other programs: one JSON document. */
export function checkJson({ counts, findings }: CheckView): string {
  const shown = findings.map(({ result, fix }) => {
    const json = resultToJson(result)
    const { proposedKey } = result
    return { ...(isRecord(json) && json), ...(fix !== undefined && { fix }), ...(proposedKey !== undefined && { proposedKey }) }
  })
  return printDocument({ counts, findings: shown })
}

/** Returns the findings of a check as JUnit XML for CI servers: a suite for each file, a case for each finding. Warnings do not fail. */
export function checkJunit({ findings, counts }: CheckView): string {
  const suites = [...groupBy(findings, ({ result }) => printable(result.file?.path ?? 'the folder'))].map(([name, found]) =>
    suiteOf(
      name,
      found.map(({ result }) => result),
    ),
  )
  const body =
    suites.length > 0
      ? suites.join('')
      : '  <testsuite name="check" tests="1" failures="0">\n    <testcase classname="check" name="no finding"/>\n  </testsuite>\n'
  const tests = Math.max(findings.length, 1)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="krm-variants check" tests="${tests}" failures="${counts.errors}">\n${body}</testsuites>\n`
}

function suiteOf(name: string, results: readonly Result[]): string {
  const failures = results.filter(({ severity }) => severity === 'error').length
  const cases = results.map((result) => caseOf(name, result)).join('')
  return `  <testsuite name=${quote(name)} tests="${results.length}" failures="${failures}">\n${cases}  </testsuite>\n`
}

function caseOf(file: string, { severity, message: text, field, position, resourceRef, tags }: Result): string {
  const message = printableMessage(text, field?.currentValue)
  const place = position === undefined ? '' : ` ${position.line}:${position.column}`
  const line = position === undefined ? '' : ` line="${position.line}"`
  const about = `${resourceRef === undefined ? '' : `${printable(formatResourceRef(resourceRef))}: `}${message}`
  const said =
    severity === 'error'
      ? `<failure type=${quote(tags.rule)} message=${quote(message)}>${escapeXml(about)}</failure>`
      : `<system-out>${escapeXml(`${severity}: ${about}`)}</system-out>`
  return `    <testcase classname=${quote(file)} name=${quote(`${tags.rule}${place}`)} file=${quote(file)}${line}>\n      ${said}\n    </testcase>\n`
}

function quote(text: string): string {
  return `"${escapeXml(text)}"`
}

/** Escapes a text for XML 1.0. Invisible characters and those that XML 1.0 cannot hold were escaped before. */
function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
}

/** Returns the findings of a check as workflow commands of GitHub Actions. */
export function checkGithub({ findings }: CheckView): string {
  return findings
    .map(({ result: { severity, message, field, file, position, tags } }) => {
      const place = { ...(file && { file: file.path }), ...(position && { line: position.line, col: position.column }) }
      const level = severity === 'info' ? 'notice' : severity
      return githubCommand(level, { ...place, title: tags.rule }, printableMessage(message, field?.currentValue))
    })
    .join('')
}
