import type { FieldPath } from '../field-path.ts'
import { isAnnotationKey, isLabelKey, isLabelValue } from '../kubernetes/names.ts'
import type { Complaint } from './complaint.ts'
import { ANNOTATIONS, type FilledField, LABELS } from './render-template.ts'
import type { RenderedVariant } from './render-variant.ts'
import { describePlace } from './unroll-targets.ts'

/**
 * The keys and values of labels and annotations that a template gave and an API server refuses; fixed entries are refused with the
 * set. What an expression failed to give is passed over.
 */
export function metadataComplaints({ place, filled }: RenderedVariant): Complaint[] {
  const forWhom = ` for ${describePlace(place)}`
  return filled.flatMap((field) => {
    const { within, value } = field
    const key = String(field.key)
    if (within !== LABELS && within !== ANNOTATIONS) return []
    const isKey = within === LABELS ? isLabelKey(key) : isAnnotationKey(key)
    const isValue = within === ANNOTATIONS || isLabelValue(value)
    return [
      ...(isKey || key === ''
        ? []
        : [{ rule: within === LABELS ? 'label-key' : 'annotation-key', path: keyField(field), value: key, forWhom } as const]),
      ...(isValue ? [] : [{ rule: 'label-value', path: field.writtenAt, value, forWhom } as const]),
    ]
  })
}

/** The key of an entry stands beside its value. */
function keyField({ keyFrom, writtenAt }: FilledField): FieldPath {
  return keyFrom?.path ?? [...writtenAt.slice(0, -1), 'key']
}
