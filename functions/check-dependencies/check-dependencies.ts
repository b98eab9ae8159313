import { checkObjects } from '../../src/dependencies/check-objects.ts'
import type { Finding } from '../../src/dependencies/finding.ts'
import { RULES } from '../../src/dependencies/rule.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import type { Result, Severity } from '../../src/result.ts'
import { readCatalogObjects } from './catalogs.ts'
import { decodeOptions, type Options } from './function-config.ts'

/** Says what is missing, in conflict, owned twice or unknown among the packages of a list, and what would mend it. Changes no item. */
export function checkDependencies(list: ResourceList): void {
  const options = decodeOptions(list.functionConfig)
  const { read, apis, catalog } = options
  const catalogs = [...readCatalogObjects(list.items), ...(catalog === undefined ? [] : [catalog])]
  const findings = checkObjects({ objects: list.items, catalogs, apis, options: read, policy: { downgrades: false } })
  for (const finding of findings) list.results.push(...toResult(finding, options))
}

/** The finding as a result, with the severity that the user gives its rule. */
function toResult(finding: Finding, options: Options): Result[] {
  const severity = severityOf(finding, options)
  if (severity === 'off') return []
  const { message, place, proposedValue, rule, tags } = finding
  const { ref, file, path, currentValue } = place
  const position = path.length > 0 ? place.position : undefined
  return [
    {
      severity,
      message,
      resourceRef: ref,
      ...(path.length > 0 && {
        field: { path, ...(currentValue !== undefined && { currentValue }), ...(proposedValue !== undefined && { proposedValue }) },
      }),
      ...(file && { file }),
      ...(position && { position }),
      tags: { rule, ...tags },
    },
  ]
}

function severityOf({ rule, severity = RULES[rule] }: Finding, { severities, strict }: Options): Severity | 'off' {
  const wanted = severities.get(rule) ?? severity
  return strict && wanted === 'warning' ? 'error' : wanted
}
