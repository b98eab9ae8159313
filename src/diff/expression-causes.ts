import { formatFieldPath } from '../field-path.ts'
import type { ExplainedExpression, FieldSource } from '../fleet/templates/field-sources.ts'
import { equalJson } from '../json.ts'
import { lineIn } from './object-places.ts'
import type { CauseInput, ChangeCause } from './report.ts'
import { shortValue } from './short-value.ts'

/**
 * Returns true if the text of an expression is a cause of its new value, and if its inputs are: what changes nothing when it alone changes,
 * and is not needed beside the other, is no cause. So an edit of a branch that is not evaluated for a target is none.
 */
function partsOfChange(was: ExplainedExpression, is: ExplainedExpression): { readonly byText: boolean; readonly byInputs: boolean } {
  const [oldText, newText] = [was.expression.text, is.expression.text]
  if (oldText === newText) return { byText: false, byInputs: true }
  const [newOfOld, oldOfNew] = [was.valueOf(newText), is.valueOf(oldText)]
  const byText = newOfOld !== was.value || oldOfNew !== is.value
  const byInputs = oldOfNew !== was.value || newOfOld !== is.value
  return byText || byInputs ? { byText, byInputs } : { byText: true, byInputs: false }
}

/** Returns the cause of a value that expressions give: another expression, other inputs of the same one, or both. */
export function causeOfExpression(source: FieldSource, old: FieldSource | undefined, prefix: string): ChangeCause {
  const text = textOfExpressions(source)
  const place = lineIn(source.object, source.path)
  const isPaired = old !== undefined && old.expressions.length === source.expressions.length
  const parts = isPaired
    ? source.expressions.flatMap((is, at) => {
        const was = old.expressions[at]
        return was === undefined ? [] : [partsOfChange(was, is)]
      })
    : [{ byText: old !== undefined, byInputs: old === undefined }]
  const shown = parts.some(({ byText }) => byText) && old !== undefined ? `${textOfExpressions(old)} → ${text}` : text
  if (!parts.some(({ byInputs }) => byInputs))
    return { kind: 'expression', text: `${prefix}expression ${shown}`, expression: text, ...place }
  const before = new Map(old?.expressions.flatMap(({ reads }) => reads.map((read) => [formatFieldPath(read.path), read.value] as const)))
  const inputs = source.expressions.flatMap(({ reads }, at) =>
    reads.flatMap((read): readonly CauseInput[] => {
      const name = formatFieldPath(read.path)
      // What only the new expression reads had a value for the old one too.
      const former = before.has(name) ? before.get(name) : old?.expressions[at]?.valueOf(name)
      if (old !== undefined && ((former === undefined && !before.has(name)) || equalJson(former, read.value))) return []
      const place = read.source === undefined ? {} : lineIn(read.source.object, read.source.path)
      return [{ text: `${name}: ${shortValue(former)} → ${shortValue(read.value)}`, ...place }]
    }),
  )
  return { kind: 'expression', text: `${prefix}expression ${shown}`, expression: text, ...place, inputs }
}

function textOfExpressions({ expressions }: FieldSource): string {
  return expressions.map(({ expression }) => expression.text).join(', ')
}
