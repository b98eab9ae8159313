import type { FieldPath } from '../field-path.ts'
import { ALLOWED_KEY, ALLOWED_LABEL_VALUE, REFUSED_LATER } from '../kinds/metadata-rules.ts'
import { reservedKeyMessage } from '../kinds/reserved-context-key.ts'

/** A fault of a value that a template gave for one place. Complaints of one rule and field become one result. */
export interface Complaint {
  readonly rule: Rule
  readonly path: FieldPath
  readonly value: string
  /** The place, for messages, if the value alone does not identify the place. */
  readonly forWhom?: string
}

type Rule = keyof typeof DEMANDS

/** The message of each rule: the requirement, and the values that were found. */
export const DEMANDS = {
  'empty-downstream': () => 'must not be empty',
  'repository-not-found': (values: string) => `must name a Repository of the list in the set's namespace, got ${values}`,
  'package-path': (values: string) => `must be a package path, parts joined by '/' and none of them empty, '.' or '..', got ${values}`,
  'label-key': (values: string) => `must give a label key ${ALLOWED_KEY}, got ${values}${REFUSED_LATER}`,
  'label-value': (values: string) => `must give a label value: ${ALLOWED_LABEL_VALUE}, got ${values}${REFUSED_LATER}`,
  'annotation-key': (values: string) => `must give an annotation key ${ALLOWED_KEY}, got ${values}${REFUSED_LATER}`,
  'reserved-context-key': (values: string) => reservedKeyMessage('give', values),
} as const

/** The rules whose faults are warnings: the PackageVariant may have such a value, its package revision may not. */
export const WARNINGS: ReadonlySet<Rule> = new Set<Rule>(['label-key', 'label-value', 'annotation-key'])
