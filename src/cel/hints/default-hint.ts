import type { Expression } from '../expression.ts'
import { advice, type Hint } from './hint.ts'
import { writtenAs } from './written-as.ts'

const NO_VALUE = "'none'"

/** Returns the way to write a default for a selection or an index that may be missing; undefined for any other node. */
export function defaultOfText(node: Expression | undefined, value = NO_VALUE): Hint | undefined {
  if (node?.kind === 'select' && !node.test) return choice(`has(${writtenAs(node)})`, writtenAs(node), value)
  if (node?.kind !== 'call' || node.name !== '_[_]') return undefined
  const [map, key] = node.args
  return choice(`${writtenAs(key)} in ${writtenAs(map)}`, writtenAs(node), value)
}

/** Returns the default for `operand.?field` and `operand[?key]` (then `field` is undefined), which Porch's environment does not have. */
export function defaultOf(operand: Expression, field: string | undefined): Hint {
  const map = writtenAs(operand)
  return field === undefined
    ? choice(`key in ${map}`, `${map}[key]`, NO_VALUE)
    : choice(`has(${map}.${field})`, `${map}.${field}`, NO_VALUE)
}

function choice(test: string, written: string, value: string): Hint {
  return advice(`where it may be missing: ${test} ? ${written} : ${value}`)
}
