import { groupBy } from '../../src/group-by.ts'
import { printable, printableMessage } from '../../src/printable.ts'
import { formatResourceRef, type Result } from '../../src/result.ts'
import type { CheckView } from './check-view.ts'

/** What a check found as JUnit XML, as CI servers read it: a suite for each file, a case for each finding; warnings do not fail. */
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

/** Characters that XML 1.0 cannot hold, and those that nobody sees, are escapes already. */
function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
}
