/**
 * Returns a regular expression of RE2 for the pattern of a file path, by the rules of Go's library doublestar: `*` and `?` match no
 * slash, `**` between slashes matches any folders, `[a-z]`, `[!a]`, `[^a]`, `{a,b}`, and `\` before a literal character. RE2, since a
 * pattern with many `*` must not cost more than its size.
 *
 * @example `a/**\/web.y?ml` → `^a/(?:.*\/)?web\.y[^/]ml$`
 * @returns undefined  for a malformed pattern, such as `[a`
 */
export function filePatternExpression(pattern: string): string | undefined {
  const parts: string[] = []
  let depth = 0
  for (let at = 0; at < pattern.length; ) {
    const folders = at === 0 || pattern[at - 1] === '/' ? matchAt(FOLDERS, pattern, at) : null
    const [token = ''] = folders ?? matchAt(TOKEN, pattern, at) ?? []
    if (token === '' || (token === '}' && depth === 0)) return undefined
    if (token === '{') depth++
    if (token === '}') depth--
    parts.push(expressionOf(token, { isFolders: folders !== null, inBraces: depth > 0 }))
    at += token.length
  }
  return depth > 0 ? undefined : `^(?:${parts.join('')})$`
}

/** Matches `**` as a whole part of the path, with the slash behind. */
const FOLDERS = /\*\*(?:\/|$)/y
const TOKEN = /\*+|\?|\[[!^]?(?:\\.|[^\]\\])+\]|[{},]|\\.|[^[\\]/suy

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}

const FIXED: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '?': '[^/]', '{': '(?:', '}': ')' }

function expressionOf(token: string, { isFolders, inBraces }: { readonly isFolders: boolean; readonly inBraces: boolean }): string {
  const fixed = FIXED[token]
  if (fixed !== undefined) return fixed
  if (token === ',' && inBraces) return '|'
  if (token.startsWith('*')) return isFolders ? '.*' : '[^/]*'
  if (!token.startsWith('[')) return quoted(token.startsWith('\\') ? token.slice(1) : token)
  const [, not, members = ''] = /^\[([!^]?)(.*)\]$/su.exec(token) ?? []
  const written = [...members.matchAll(/\\(.)|(.)/gsu)].map(([, escaped, plain = '']) => (plain === '-' ? '-' : quoted(escaped ?? plain)))
  return `[${not === '' ? '' : '^/'}${written.join('')}]`
}

/** Returns an expression for one character. */
function quoted(character: string): string {
  return /^[\w/]$/.test(character) ? character : `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
