import type { Read } from '../../cel/reads.ts'
import { formatFieldPath } from '../../field-path.ts'
import type { ExplainedExpression, ExplainedRead, FieldSource } from '../../fleet/templates/field-sources.ts'
import { equalJson, type JsonValue, memberOf } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { CauseInput, ChangeCause } from '../report.ts'
import { shortChange } from '../short-value.ts'
import { lineIn } from './object-places.ts'

/** The change of the value of an expression: TO has another one, or only one state has what the value names. */
export type ValueFate = 'changed' | 'gained' | 'lost'

/** A field that an expression of either state reads, and that differs. */
export interface ChangedRead {
  readonly path: Read['path']
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
  readonly source: ExplainedRead['source']
}

/** A part of the text of an expression in both states; '' in a state that does not have the part. */
export interface TextPart {
  readonly before: string
  readonly after: string
}

/** The causes of the new value of an expression: parts of its text, and fields that it reads. */
export interface ExpressionParts<Part extends TextPart = TextPart> {
  readonly texts: readonly Part[]
  readonly reads: readonly ChangedRead[]
}

/**
 * Returns what led from the value of an expression in FROM to the one in TO, of the parts of its text and of the fields that either text
 * reads; nothing for equal values. Each counts if the change does not happen without it, or happens with it alone. So an edit of a branch
 * that is not evaluated for a target does not count.
 *
 * Example: `target.labels.region` becomes `target.labels.tier` while both labels change from a to b. The old text with the new labels
 * gives b, the new text with the old labels gives a: the label `tier` is needed, the label `region` is enough, the text is neither.
 *
 * @param written  the parts that give the text of the expression one after the other
 */
export function partsBetween<Part extends TextPart>(
  was: ExplainedExpression,
  is: ExplainedExpression,
  fate: ValueFate,
  written: readonly Part[],
): ExpressionParts<Part> {
  if (was.value === is.value) return { texts: [], reads: [] }
  const [texts, reads] = [written.filter(({ before, after }) => before !== after), changedReads(was, is)]
  const valueWith = (isNew: (input: TextPart | ChangedRead) => boolean): string | undefined =>
    is.valueOf(
      written.map((part) => (isNew(part) ? part.after : part.before)).join(''),
      reads.flatMap((read) => (isNew(read) ? [] : [{ path: read.path, value: read.before }])),
    )
  const [from, to] = [valueWith(() => false), valueWith(() => true)]
  const hasBegun = (value: string | undefined) => (fate === 'gained' ? value === to : value !== from)
  const isComplete = (value: string | undefined) => (fate === 'lost' ? value !== from : value === to)
  const counts = (input: TextPart | ChangedRead) =>
    hasBegun(valueWith((each) => each === input)) || !isComplete(valueWith((each) => each !== input))
  const found = { texts: texts.filter(counts), reads: reads.filter(counts) }
  // Each of three together with any other: none is needed, none is enough.
  return found.texts.length + found.reads.length > 0 ? found : { texts, reads }
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
export function causeOfExpression(source: FieldSource, old: FieldSource | undefined, prefix: string): ChangeCause {
  const text = textOfExpressions(source)
  const isPaired = old !== undefined && old.expressions.length === source.expressions.length
  const parts = source.expressions.map((is, at): ExpressionParts => {
    const was = isPaired ? old.expressions[at] : undefined
    const written = { before: was?.expression.text ?? '', after: is.expression.text }
    if (was === undefined)
      return old === undefined
        ? { texts: [], reads: is.reads.map(({ path, value, source }) => ({ path, before: undefined, after: value, source })) }
        : { texts: [written], reads: [] }
    return partsBetween(was, is, 'changed', [written])
  })
  const inputs = parts.flatMap(({ reads }) => reads.map(inputOf))
  const isOther = parts.some(({ texts }) => texts.length > 0) && old !== undefined
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

export function textOfExpressions({ expressions }: FieldSource): string {
  return expressions.map(({ expression }) => expression.text).join(', ')
}
