import { formatFieldPath } from '../../src/field-path.ts'
import { formatResourceRef } from '../../src/result.ts'
import { RULES } from '../generated/rules.ts'
import { printJson } from '../print/print-value.ts'
import type { CheckView, Finding } from './check-view.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** What a check found as SARIF 2.1.0, as code scanning of GitHub, GitLab and editors reads it (OASIS, 2020). */
export function checkSarif({ findings }: CheckView, version: string): string {
  const used = new Set(findings.map(({ result }) => result.tags.rule))
  const rules = RULES.filter(({ id }) => used.has(id))
  // `1.2.3` of `1.2.3 (commit 0123456789ab, Porch v1.5)`.
  const driver = { name: 'krm-variants', version: version.replace(/ .*/, ''), rules: rules.map(describeRule) }
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const results = findings.map((finding) => describeFinding(finding, indexes))
  const run = { tool: { driver }, columnKind: 'unicodeCodePoints', results }
  return `${printJson({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, 2)}\n`
}

function describeRule({ id, severity, meaning, example, mending }: (typeof RULES)[number]) {
  return {
    id,
    shortDescription: { text: meaning },
    help: { text: `Example: ${example}. To mend it: ${mending}`, markdown: `Example: ${example}\n\nTo mend it: ${mending}` },
    defaultConfiguration: { level: severity === 'error' || severity === 'warning' ? severity : 'note' },
  }
}

/** What readers take for a link in a plain message (SARIF 2.1.0, 3.11.6): a user wrote it. */
const LINK = /\[(?=[^[\]]*\]\()/g

function describeFinding({ result, fix }: Finding, indexes: ReadonlyMap<string, number>) {
  const { severity, message, file, position, resourceRef, field, proposedKey, tags } = result
  const region = position && { region: { startLine: position.line, startColumn: position.column } }
  const physicalLocation = file && {
    physicalLocation: { artifactLocation: { uri: encodeURI(file.path.replaceAll(/\p{Cs}/gu, '\ufffd')) }, ...region },
  }
  const name = resourceRef && [formatResourceRef(resourceRef), ...(field === undefined ? [] : [formatFieldPath(field.path)])].join(' ')
  const location = { ...physicalLocation, ...(name !== undefined && { logicalLocations: [{ fullyQualifiedName: name }] }) }
  return {
    ruleId: tags.rule,
    ...(indexes.has(tags.rule) && { ruleIndex: indexes.get(tags.rule) }),
    level: severity === 'info' ? 'note' : severity,
    message: { text: message.replaceAll(LINK, '\\\\[') },
    locations: [location],
    ...(fix !== undefined && { properties: { fix, proposedValue: field?.proposedValue, proposedKey } }),
  }
}
