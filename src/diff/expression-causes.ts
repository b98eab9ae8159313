import type { Read } from '../cel/reads.ts'
import { formatFieldPath } from '../field-path.ts'
import type { ExplainedExpression, ExplainedRead, FieldSource } from '../fleet/templates/field-sources.ts'
import { equalJson, type JsonValue, memberOf } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { lineIn } from './object-places.ts'
import type { CauseInput, ChangeCause } from './report.ts'
import { shortChange } from './short-value.ts'

/** What the value of an expression does: TO has another one, or only one state has what the value names. */
export type ValueFate = 'changed' | 'gained' | 'lost'

/** A field that an expression of either state reads, and that differs. */
export interface ChangedRead {
  readonly path: Read['path']
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
  readonly source: ExplainedRead['source']
}

/** An expression in both states. */
export interface ExpressionChange {
  readonly fate: ValueFate
  readonly texts: { readonly before: string; readonly after: string }
  readonly reads: readonly ChangedRead[]
  /** The expression in the state whose target `reads` are taken back from, or brought into. */
  readonly expression: ExplainedExpression
  /** True if `expression` is that of TO. */
  readonly isAfter: boolean
}

/** What led to the new value of an expression. */
export interface ExpressionParts {
  readonly byText: boolean
  readonly reads: readonly ChangedRead[]
}

/**
 * Returns what led to the new value of an expression, of its text and of the fields that either text reads. Each counts if the change does
 * not happen without it, or happens with it alone. So an edit of a branch that is not evaluated for a target does not count.
 *
 * Example: `target.labels.region` becomes `target.labels.tier` while both labels change from a to b. The old text with the new labels
 * gives b, the new text with the old labels gives a: the label `tier` is needed, the label `region` is enough, the text is neither.
 */
export function partsOfChange({ fate, texts, reads, expression, isAfter }: ExpressionChange): ExpressionParts {
  const valueWith = (isTextNew: boolean, isNew: (read: ChangedRead) => boolean): string | undefined =>
    expression.valueOf(
      isTextNew ? texts.after : texts.before,
      reads.flatMap((read) => (isNew(read) === isAfter ? [] : [{ path: read.path, value: isAfter ? read.before : read.after }])),
    )
  const [from, to] = [valueWith(false, () => false), valueWith(true, () => true)]
  const hasBegun = (value: string | undefined) => (fate === 'gained' ? value === to : value !== from)
  const isComplete = (value: string | undefined) => (fate === 'lost' ? value !== from : value === to)
  const byText = texts.before !== texts.after && (hasBegun(valueWith(true, () => false)) || !isComplete(valueWith(false, () => true)))
  const found = reads.filter(
    (read) => hasBegun(valueWith(false, (each) => each === read)) || !isComplete(valueWith(true, (each) => each !== read)),
  )
  // Each of three together with any other: none is needed, none is enough.
  if (!byText && found.length === 0) return { byText: texts.before !== texts.after, reads }
  return { byText, reads: found }
}

/** Returns what led from the value of an expression in FROM to the one in TO; nothing for equal values. */
export function partsBetween(was: ExplainedExpression, is: ExplainedExpression, fate: ValueFate): ExpressionParts {
  if (was.value === is.value) return { byText: false, reads: [] }
  const texts = { before: was.expression.text, after: is.expression.text }
  return partsOfChange({ fate, texts, reads: changedReads(was, is), expression: is, isAfter: true })
}

/** Returns the fields that an expression of either state reads, and that differ between the states. */
function changedReads(was: ExplainedExpression, is: ExplainedExpression): readonly ChangedRead[] {
  const texts = [...new Set([is.expression.text, was.expression.text])]
  const [before, after] = [was, is].map((state) => new Map(texts.flatMap(state.readsOf).map((read) => [formatFieldPath(read.path), read])))
  return [...new Map([...(after ?? []), ...(before ?? [])])].flatMap(([name, { path }]) => {
    const [old, present] = [before?.get(name), after?.get(name)]
    if (equalJson(old?.value, present?.value)) return []
    const { source } = (present?.value === undefined ? old : present) ?? { source: undefined }
    return [{ path, before: old?.value, after: present?.value, source }]
  })
}

export function inputOf({ path, before, after, source }: ChangedRead): CauseInput {
  const text = `${formatFieldPath(path)}: ${shortChange(before, after)}`
  return { text, ...(source && lineIn(source.object, source.path)) }
}

/** Returns the cause of a value that expressions give: another expression, other inputs of the same one, or both. */
export function causeOfExpression(
  source: FieldSource,
  old: FieldSource | undefined,
  { prefix, fate = 'changed' }: { readonly prefix: string; readonly fate?: ValueFate },
): ChangeCause {
  const text = textOfExpressions(source)
  const isPaired = old !== undefined && old.expressions.length === source.expressions.length
  const parts = source.expressions.map((is, at): ExpressionParts => {
    const was = isPaired ? old.expressions[at] : undefined
    if (was === undefined) return { byText: old !== undefined, reads: old === undefined ? is.reads.map(asNew) : [] }
    return partsBetween(was, is, fate)
  })
  const inputs = parts.flatMap(({ reads }) => reads.map(inputOf))
  const isOther = parts.some(({ byText }) => byText) && old !== undefined
  const shown = isOther ? `${textOfExpressions(old)} → ${text}` : text
  const cause = {
    kind: 'expression',
    text: `${prefix}expression ${shown}`,
    expression: text,
    ...lineIn(source.object, source.path),
  } as const
  return isOther && inputs.length === 0 ? cause : { ...cause, inputs }
}

/** A set in the state that has a value, and in the other one. */
interface SetInBothStates {
  readonly own: KrmObject
  readonly other: KrmObject | undefined
  /** True if `own` is the set of FROM: the value is gone. */
  readonly isGone: boolean
}

/**
 * Returns the cause of a value that only one state has, if the key of its entry did it, `- key: replicas`; undefined if both states have an
 * entry with the key. An entry that got another key is named by the key.
 */
export function causeOfKey({ type, path }: FieldSource, { own, other, isGone }: SetInBothStates, prefix: string): ChangeCause | undefined {
  const [entry, list] = [path.slice(0, -1), path.slice(0, -2)]
  const key = own.get([...entry, 'key'])
  const others = other?.get(list)
  if (type !== 'expression' || typeof key !== 'string' || (Array.isArray(others) && others.some((each) => memberOf(each, 'key') === key)))
    return undefined
  const otherKey = other?.get([...entry, 'key'])
  const isRenamed = otherKey !== undefined && equalJson(own.get(path), other?.get(path))
  const text = isRenamed
    ? `key: ${isGone ? shortChange(key, otherKey) : shortChange(otherKey, key)}`
    : `key ${key} is ${isGone ? 'gone' : 'new'}`
  return { kind: 'expression', text: `${prefix}${text}`, ...lineIn(isRenamed && isGone && other ? other : own, [...entry, 'key']) }
}

function asNew({ path, value, source }: ExplainedRead): ChangedRead {
  return { path, before: undefined, after: value, source }
}

function textOfExpressions({ expressions }: FieldSource): string {
  return expressions.map(({ expression }) => expression.text).join(', ')
}
