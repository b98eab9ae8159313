/** A text with the values of its variables, and the expressions that stay as they are. */
export interface FilledText {
  readonly text: string
  readonly left: readonly string[]
}

/** An expression `${…}` of a text: the place behind it, and its value; undefined for an expression that stays. */
interface Expression {
  readonly end: number
  readonly value: string | undefined
}

const NAME = /[\p{L}\p{Nd}_]+/uy
/** The operators before a default. Flux takes the default for an unset and for an empty variable, whichever operator is there. */
const DEFAULT = /:[-=?+]|=/y

/**
 * Writes the values of variables into a text, as kustomize-controller does (fluxcd/pkg/envsubst): for `${NAME}`, and for a default such as
 * `${NAME:-x}`, which may hold further expressions. `$$` is a `$`, `$NAME` is no variable. Expressions with other functions of the shell,
 * such as `${NAME^^}`, stay.
 *
 * @param hasOthers  true if there are variables whose values are not known: an expression that may need one stays. Otherwise a variable
 *   without a value is ''
 */
export function fillVariables(text: string, values: ReadonlyMap<string, string>, hasOthers: boolean): FilledText {
  const left: string[] = []
  let filled = ''
  let at = 0
  for (let next = text.indexOf('$'); next !== -1; next = text.indexOf('$', at)) {
    filled += text.slice(at, next)
    const follower = text[next + 1]
    const found = follower === '{' ? expressionAt(text, next, values, hasOthers) : { end: next + (follower === '$' ? 2 : 1), value: '$' }
    if (found.value === undefined) left.push(text.slice(next, found.end))
    filled += found.value ?? text.slice(next, found.end)
    at = found.end
  }
  return { text: filled + text.slice(at), left }
}

function expressionAt(text: string, start: number, values: ReadonlyMap<string, string>, hasOthers: boolean): Expression {
  const close = text.indexOf('}', start)
  const stays: Expression = { end: close === -1 ? text.length : close + 1, value: undefined }
  const name = matchAt(NAME, text, start + 2)
  const operatorAt = start + 2 + name.length
  const operator = matchAt(DEFAULT, text, operatorAt)
  if (name === '' || (operator === '' && text[operatorAt] !== '}')) return stays
  const other = operator === '' ? { end: operatorAt, value: '' } : defaultAt(text, operatorAt + operator.length, values, hasOthers)
  if (other === undefined) return stays
  const known = values.get(name)
  const isUnknown = known === undefined && hasOthers
  return { end: other.end + 1, value: isUnknown ? undefined : known || other.value }
}

/** Returns the default that begins at a place, up to its `}`; undefined for one without an end. */
function defaultAt(text: string, start: number, values: ReadonlyMap<string, string>, hasOthers: boolean): Expression | undefined {
  let value: string | undefined = ''
  let at = start
  while (text[at] !== '}') {
    if (at >= text.length) return undefined
    const isExpression = text.startsWith('${', at)
    const inner = isExpression ? expressionAt(text, at, values, hasOthers) : { end: at + 1, value: text[at] }
    value = value === undefined || inner.value === undefined ? undefined : value + inner.value
    at = inner.end
  }
  return { end: at, value }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
