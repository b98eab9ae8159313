import type { Styles } from './styles.ts'

/** The sign of each operation on a variant, package, file or object, and its style. */
const SIGNS = {
  create: ['+', 'added'],
  update: ['~', 'changed'],
  rename: ['→', 'renamed'],
  move: ['→', 'renamed'],
  orphan: ['○', 'changed'],
  remove: ['-', 'removed'],
  delete: ['-', 'removed'],
} as const satisfies Readonly<Record<string, readonly [string, keyof Styles]>>

type SignedOperation = keyof typeof SIGNS

/** Returns the sign of an operation: `+`. */
export function signOf(op: SignedOperation): string {
  return SIGNS[op][0]
}

/** Returns a text behind the sign of an operation, in the style of the operation: `+ edge/shop`. */
export function signed(op: SignedOperation, text: string, styles: Styles): string {
  const [sign, style] = SIGNS[op]
  return styles[style](`${sign} ${text}`)
}
