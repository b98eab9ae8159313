import { type FieldPath, formatFieldPath } from '../../src/field-path.ts'
import type { VariantChange } from '../../src/fleet/change.ts'
import { type Earlier, reasonByHand, reasonOf } from '../../src/fleet/change-reason.ts'
import type { FleetObject } from '../../src/fleet/fleet.ts'
import type { SetPlan } from '../../src/fleet/plan-fan-out.ts'
import type { UnrolledTarget } from '../../src/fleet/targets/unrolled-target.ts'
import { type ExplainedExpression, type FieldSource, sourceFinder } from '../../src/fleet/templates/field-sources.ts'
import type { JsonValue } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { diffFields } from '../plan/field-diff.ts'
import { placed } from '../print/print-results.ts'
import type { WayStep } from './explain-way.ts'

/** An object with the place in its file, `FILE:LINE`, as the caller sees it. */
export interface PlacedObject {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly place?: string
}

/** The explanation of a variant: the origin of the variant and of each of its values. */
export interface VariantExplanation {
  readonly name: string
  readonly namespace: string
  readonly op: VariantChange['op'] | 'by-hand'
  /** The former name of a renamed variant. */
  readonly oldName?: string
  /** `FILE:LINE` of a variant that exists. */
  readonly place?: string
  readonly set?: PlacedObject
  readonly target?: { readonly path: string; readonly place?: string }
  /** The ring of the target in a matrix with rings. */
  readonly ring?: { readonly name: string; readonly path: string; readonly place?: string }
  /** The object that the target matched. */
  readonly object?: PlacedObject
  /** The clause that matched, or the reason why no set asks for the variant. */
  readonly reason: string
  /** The packages from the top of the chain to the package of the variant, if it is made from the package of another variant. */
  readonly way?: readonly WayStep[]
  readonly fields: readonly ExplainedField[]
}

export interface ExplainedField {
  readonly path: string
  readonly value: JsonValue
  /** The present value of the variant, if it differs. */
  readonly before?: JsonValue
  readonly source: FieldSource['type']
  /** The field that contains the value or its expression, and the field's `FILE:LINE`. */
  readonly from: string
  readonly place?: string
  /** The layer of the template that has the value, if the template has several, and the values of lower layers that it covers. */
  readonly layer?: string
  readonly covers?: readonly { readonly layer: string; readonly path: string; readonly place?: string }[]
  readonly expressions?: readonly {
    readonly text: string
    readonly value: string
    readonly reads: readonly { readonly variable: string; readonly value?: JsonValue; readonly place?: string }[]
  }[]
}

/** Explains what a set does with a variant. */
export function explainChange(change: VariantChange, plan: SetPlan, earlier?: Earlier): VariantExplanation {
  const { op, name, namespace, existing, why, after } = change
  const { set, draft, object } = plan
  const find = set && draft && why && sourceFinder(set, why, draft.context)
  const leaves = find === undefined ? [] : diffFields(undefined, after, ['spec'])
  const old = new Map(diffFields(change.before, after, ['spec']).map((field) => [formatFieldPath(field.path), field.before]))
  return {
    name,
    namespace,
    op,
    ...(op === 'rename' && existing !== undefined && { oldName: existing.name }),
    ...placed(existing?.object, []),
    set: describeObject(object),
    ...(why && describePlace(why.place, object)),
    reason: reasonOf(change, plan, earlier).text,
    fields: leaves.flatMap(({ path, after: value = null }) =>
      find === undefined ? [] : [explainField({ path, value, before: old.get(formatFieldPath(path)) }, find(path, value))],
    ),
  }
}

/** Explains a variant that no set asks for and none owns. */
export function explainByHand({ name, namespace, object }: FleetObject): VariantExplanation {
  const { text } = reasonByHand({ op: 'unchanged', name, namespace })
  return { name, namespace, op: 'by-hand', ...placed(object, []), reason: text, fields: [] }
}

function describePlace({ path, object, ring }: UnrolledTarget, set: KrmObject): Pick<VariantExplanation, 'target' | 'ring' | 'object'> {
  return {
    target: { path: formatFieldPath(path), ...placed(set, path) },
    ...(ring && { ring: { name: ring.name, path: formatFieldPath(ring.path), ...placed(set, ring.path) } }),
    ...(object !== undefined && { object: describeObject(object.object) }),
  }
}

/** Returns an object as explanations name it, with its place. */
export function describeObject(object: KrmObject): PlacedObject {
  const { kind = '', namespace, name = '' } = object
  return { kind, ...(namespace !== undefined && { namespace }), name, ...placed(object, []) }
}

interface Leaf {
  readonly path: FieldPath
  readonly value: JsonValue
  readonly before: JsonValue | undefined
}

function explainField(
  { path, value, before }: Leaf,
  { type, object, path: from, expressions, layer, covered = [] }: FieldSource,
): ExplainedField {
  return {
    path: formatFieldPath(path),
    value,
    ...(before !== undefined && { before }),
    source: type,
    from: formatFieldPath(from),
    ...placed(object, from),
    ...(layer !== undefined && { layer }),
    ...(covered.length > 0 && {
      covers: covered.map((each) => ({ layer: each.layer, path: formatFieldPath(each.path), ...placed(object, each.path) })),
    }),
    ...(expressions.length > 0 && { expressions: expressions.map((each) => explainExpression(each)) }),
  }
}

function explainExpression({ expression, value, reads }: ExplainedExpression) {
  return {
    text: expression.text,
    value,
    reads: reads.map(({ path, value: found, source }) => ({
      variable: formatFieldPath(path),
      ...(found !== undefined && { value: found }),
      ...(found !== undefined && source !== undefined && placed(source.object, source.path)),
    })),
  }
}
