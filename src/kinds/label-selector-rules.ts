import type { FieldPath } from '../field-path.ts'
import { isLabelKey, isLabelValue } from '../kubernetes/names.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import type { OtherValue } from '../schema/validator.ts'
import { ALLOWED_KEY, ALLOWED_LABEL_VALUE } from './metadata-rules.ts'
import { refusedField, SELECTION_ERROR } from './rule-fault.ts'

/** The fields of metav1.LabelSelector. */
export interface LabelSelectorFields {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly RequirementFields[]
}

interface RequirementFields {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values?: readonly string[]
}

/**
 * Returns the faults that an API server refuses in a label selector, each at its field (apimachinery validation.ValidateLabelSelector).
 * Porch's controller finds such faults only when the controller selects objects (docs/porch.md 12).
 */
export function labelSelectorFaults({ matchLabels = {}, matchExpressions = [] }: LabelSelectorFields, path: FieldPath): Fault[] {
  return [
    ...Object.entries(matchLabels).flatMap(([key, value]) => {
      const at = [...path, 'matchLabels', key]
      return [...keyFaults(key, at), ...valueFaults(value, at)]
    }),
    ...matchExpressions.flatMap((requirement, index) => requirementFaults(requirement, [...path, 'matchExpressions', index])),
  ]
}

// The schema reports every other operator.
const VALUES_OF: Readonly<Record<string, { readonly wanted: boolean; readonly must: string }>> = {
  In: { wanted: true, must: 'must have a value' },
  NotIn: { wanted: true, must: 'must have a value' },
  Exists: { wanted: false, must: 'must not be set' },
  DoesNotExist: { wanted: false, must: 'must not be set' },
}

function requirementFaults({ key, operator, values = [] }: RequirementFields, path: FieldPath): Fault[] {
  // `operator` may have any type here: rules also run on values with schema faults.
  const rule = typeof operator === 'string' && Object.hasOwn(VALUES_OF, operator) ? VALUES_OF[operator] : undefined
  const fits = rule === undefined || rule.wanted === values.length > 0
  return [
    ...(key === '' ? [] : keyFaults(key, [...path, 'key'])),
    ...(fits ? [] : [selectorFault([...path, 'values'], `${rule.must} with the operator '${operator}'`)]),
    ...values.flatMap((value, index) => valueFaults(value, [...path, 'values', index])),
  ]
}

function keyFaults(key: string, path: FieldPath): Fault[] {
  return isLabelKey(key) ? [] : [selectorFault(path, `must be a label key ${ALLOWED_KEY}, got ${quoteText(key)}`)]
}

function valueFaults(value: string, path: FieldPath): Fault[] {
  const message = `must be a label value: ${ALLOWED_LABEL_VALUE}, got ${quoteText(value)}`
  return isLabelValue(value) || value.includes('$') ? [] : [selectorFault(path, message)]
}

function selectorFault(path: FieldPath, message: string): Fault {
  return { ...refusedField('label-selector', path, message), reason: SELECTION_ERROR }
}

const COMPARED = 'labels are texts that In, NotIn, Exists and DoesNotExist compare, not numbers'

/** Operators of kubectl's selectors and of other languages, with those of matchExpressions. */
const OTHER_OPERATORS: Readonly<Record<string, OtherValue>> = {
  ...Object.fromEntries(['=', '==', 'Equals', 'Equal', 'Eq', 'eq'].map((name) => [name, { value: 'In', hint: 'write In with one value' }])),
  ...Object.fromEntries(
    ['!=', 'NotEquals', 'NotEqual', 'Ne', 'ne'].map((name) => [name, { value: 'NotIn', hint: 'write NotIn with one value' }]),
  ),
  ...Object.fromEntries(['!', 'NotExists', 'NotExist'].map((name) => [name, { value: 'DoesNotExist', hint: 'write DoesNotExist' }])),
  ...Object.fromEntries(['>', '<', '>=', '<=', 'Gt', 'Lt', 'gt', 'lt'].map((name) => [name, { hint: COMPARED }])),
}

/** Values of other tools for the fields of a label selector. */
export const OTHER_SELECTOR_VALUES = { operator: OTHER_OPERATORS } as const
