import { isDns1123Label, isDns1123Subdomain } from '../kubernetes/names.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'

/**
 * Returns a fault for a name or namespace that an API server refuses. Two names are skipped: one with a `$`, which the rule about
 * placeholders reports, and an empty one, which the schema reports.
 */
export function objectNameFaults({ name, namespace = '' }: { readonly name: string; readonly namespace?: string }): Fault[] {
  return [
    ...(isDns1123Subdomain(name) || isReportedElsewhere(name) ? [] : [nameFault('name', SUBDOMAIN, name)]),
    ...(isDns1123Label(namespace) || isReportedElsewhere(namespace) ? [] : [nameFault('namespace', LABEL, namespace)]),
  ]
}

const SUBDOMAIN = "at most 253 of a-z, 0-9, '-' and '.', beginning and ending with a letter or digit"
const LABEL = "at most 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit"

function isReportedElsewhere(name: string): boolean {
  return name === '' || name.includes('$')
}

function nameFault(field: 'name' | 'namespace', allowed: string, found: string): Fault {
  return { severity: 'error', rule: 'object-name', path: ['metadata', field], message: `must be ${allowed}, got ${quoteText(found)}` }
}
