/**
 * What may mend an expression, beside cel-go's words. Whoever reports it knows how names are compared: it puts the nearest of
 * `known` first.
 */
export type Hint =
  | { readonly kind: 'advice'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly known: readonly string[]; readonly otherwise: string | undefined }
  | { readonly kind: 'function'; readonly name: string; readonly known: readonly string[] }

export function advice(text: string): Hint {
  return { kind: 'advice', text }
}
