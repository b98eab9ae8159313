import type { FieldPath } from '../field-path.ts'
import { isAnnotationKey, isDns1123Label, isDns1123Subdomain, isLabelKey, isLabelValue } from '../kubernetes/names.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { mayHoldPlaceholder } from '../schema/placeholders.ts'
import { tolerated } from './rule-fault.ts'

/** The form of keys of labels and annotations that an API server accepts, for messages. */
export const ALLOWED_KEY = "such as 'env' or 'example.com/env'"

/** The form of label values that an API server accepts, for messages. */
export const ALLOWED_LABEL_VALUE = "at most 63 of A-Z, a-z, 0-9, '-', '_' and '.', beginning and ending with a letter or digit"

/** The labels and annotations that a variant puts on its package revision. */
interface Metadata {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

/**
 * Returns a warning for each label and annotation of the package revision that an API server refuses. The faults are warnings because an
 * API server accepts the PackageVariant itself, which then never gets a package. A text with `$` or `{{` is skipped: the rule about
 * placeholders reports such a text.
 */
export function metadataFaults({ labels = {}, annotations = {} }: Metadata, path: FieldPath): Fault[] {
  return [
    ...Object.entries(labels).flatMap(([key, value]) => {
      const at = [...path, 'labels', key]
      return [
        ...(isLabelKey(key) || mayHoldPlaceholder(key) ? [] : [keyFault('label-key', 'a label key', key, at)]),
        ...(isLabelValue(value) || mayHoldPlaceholder(value) ? [] : [valueFault(value, at)]),
      ]
    }),
    ...Object.keys(annotations).flatMap((key) =>
      isAnnotationKey(key) || mayHoldPlaceholder(key)
        ? []
        : [keyFault('annotation-key', 'an annotation key', key, [...path, 'annotations', key])],
    ),
  ]
}

/** The consequence of such a key or value, for messages. */
export const REFUSED_LATER = '; an API server refuses the package revision'

function keyFault(rule: RuleId, what: string, key: string, path: FieldPath): Fault {
  const message = `must have ${what} ${ALLOWED_KEY}, got ${quoteText(key)}${REFUSED_LATER}`
  return { severity: 'warning', rule, path, message, place: path, atKey: true }
}

function valueFault(value: string, path: FieldPath): Fault {
  return tolerated('label-value', path, `must be a label value: ${ALLOWED_LABEL_VALUE}, got ${quoteText(value)}${REFUSED_LATER}`)
}

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
