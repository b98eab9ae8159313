import type { Hint } from '../cel/advisor.ts'
import type { Expression } from '../cel/expression.ts'

/** Returns a hint that is a text. */
export function advice(text: string): Hint {
  return { kind: 'advice', text }
}

/** A longer piece says no more than `…`. */
const LONGEST = 60

/** Returns a node as a person writes it, where that is short and simple: names, selections, indexes, literals, calls; else `…`. */
export function writtenAs(node: Expression | undefined): string {
  const text = node === undefined ? undefined : write(node, 0)
  return text === undefined || text.length > LONGEST ? '…' : text
}

function write(node: Expression, depth: number): string | undefined {
  if (depth > LONGEST) return undefined
  switch (node.kind) {
    case 'identifier':
      return node.name
    case 'constant':
      return writeConstant(node.value)
    case 'select':
      return node.test ? undefined : joined([write(node.operand, depth + 1), '.', node.field])
    case 'call':
      return /^\w/.test(node.name) || node.name === '_[_]' ? writeCall(node, depth + 1) : undefined
    default:
      return undefined
  }
}

function writeConstant(value: unknown): string | undefined {
  if (typeof value === 'string') return /^[^'\\\n\r]*$/.test(value) ? `'${value}'` : undefined
  return typeof value === 'bigint' || typeof value === 'boolean' || Number.isFinite(value) ? String(value) : undefined
}

function writeCall({ name, target, args }: Expression & { readonly kind: 'call' }, depth: number): string | undefined {
  const [first, ...others] = args.map((arg) => write(arg, depth))
  if (name === '_[_]') return joined([first, '[', others[0], ']'])
  if (name.startsWith('_')) return undefined
  const list = others.reduce((text, arg) => joined([text, ', ', arg]), args.length === 0 ? '' : first)
  return joined([target === undefined ? '' : joined([write(target, depth), '.']), name, '(', list, ')'])
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.some((part) => part === undefined) ? undefined : parts.join('')
}

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
