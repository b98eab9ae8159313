/**
 * A suggestion that may fix an expression, beside cel-go's message. The caller that reports the hint sorts `known` by nearness to the name.
 */
export type Hint =
  | { readonly kind: 'advice'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly known: readonly string[]; readonly otherwise: string | undefined }
  | { readonly kind: 'function'; readonly name: string; readonly known: readonly string[] }

export function advice(text: string): Hint {
  return { kind: 'advice', text }
}
