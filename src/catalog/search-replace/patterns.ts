import type { FieldPath } from '../../field-path.ts'

/**
 * Returns a matcher for field paths by the rules of `by-path`: keys with dots between them, `*` for one key, `**` for any number of keys,
 * `[0]` and `[*]` behind a key for entries of its list. A key with dots counts as several keys.
 *
 * @example `spec.**.image` matches `spec.template.spec.containers[0].image`
 */
export function pathMatcher(pattern: string): (path: FieldPath) => boolean {
  const wanted = pattern.split('.').filter((step, index, all) => step !== '**' || all[index - 1] !== '**')
  const least = wanted.filter((step) => step !== '**').length
  return (path) => {
    const steps = stepsOf(path)
    return least <= steps.length && matchesSteps(steps, wanted)
  }
}

/** Returns the keys of a path, each with the indexes behind it: `a`, `b[0]`. */
function stepsOf(path: FieldPath): readonly string[] {
  return path
    .reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`), '')
    .slice(1)
    .split('.')
}

/** Compares all keys with all parts of the pattern. `reached[i]` is true if the parts so far match the first i keys. */
function matchesSteps(steps: readonly string[], wanted: readonly string[]): boolean {
  let reached = [true, ...steps.map(() => false)]
  for (const part of wanted) {
    const next = [part === '**' && reached[0] === true]
    for (const [index, step] of steps.entries())
      next.push(part === '**' ? reached[index + 1] === true || next[index] === true : reached[index] === true && matchesStep(step, part))
    reached = next
  }
  return reached.at(-1) === true
}

function matchesStep(step: string, part: string): boolean {
  if (part === '*' || step === part) return true
  const [key, index] = step.split('[')
  const [wantedKey, wantedIndex] = part.split('[')
  if (index === undefined || wantedIndex === undefined) return false
  return (wantedKey === '*' || wantedKey === key) && (wantedIndex === '*]' || wantedIndex === index)
}

/** Returns true if a path names one field: neither `*` nor an empty key. */
export function isOneField(pattern: string): boolean {
  return pattern.split('.').every((step) => step !== '' && !step.includes('*') && !step.includes('['))
}

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
