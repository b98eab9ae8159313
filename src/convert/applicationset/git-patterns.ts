/** Returns true if a folder matches a pattern of Go's path.Match, in which a star stays in its folder. */
export function matchesDirectory(pattern: string, folder: string): boolean {
  return expressionOf(pattern, { star: '[^/]*', deep: '[^/]*', any: '[^/]' })?.test(folder) === true
}

/**
 * Returns true if a pattern of `files` matches a file. Argo CD has two globs: that of git (`old`, the default), in which a star goes
 * through folders, and doublestar (`new`), in which only `**` does.
 */
export function isReachedBy(pattern: string, file: string, glob: 'old' | 'new'): boolean {
  if (glob === 'new') return expressionOf(pattern, { star: '[^/]*', deep: '(?:[^/]+/)*', any: '[^/]' })?.test(file) === true
  const whole = expressionOf(pattern, { star: '.*', deep: '.*/', any: '.' })
  // A pathspec of git that names a folder names its files.
  return whole?.test(file) === true || file.startsWith(`${pattern.replace(/\/+$/, '')}/`)
}

interface Stars {
  readonly star: string
  /** A star star with the slash that follows. */
  readonly deep: string
  readonly any: string
}

function expressionOf(pattern: string, { star, deep, any }: Stars): RegExp | undefined {
  const source = pattern.replaceAll(/\*\*\/|\*+|\?|\[[^\]]*\]|\\.|[.+^${}()|\\/[\]]/g, (part) => {
    if (part === '**/') return deep
    if (part.startsWith('*')) return part === '**' && deep.includes('+') ? '.*' : star
    if (part === '?') return any
    if (part.length > 1 && part.startsWith('[')) return `[${part.slice(1, -1).replaceAll('\\', '\\\\')}]`
    return part.startsWith('\\') ? `\\${part.slice(1)}` : `\\${part}`
  })
  try {
    return new RegExp(`^${source}$`)
  } catch {
    return undefined
  }
}

/**
 * Returns true if a file matches `include` or `exclude` of a directory of Argo CD: a glob, or several in braces. A star goes through
 * folders.
 */
export function matchesBraces(pattern: string, file: string): boolean {
  const inner = /^\{(.*)\}$/.exec(pattern)?.[1]
  return (inner === undefined ? [pattern] : inner.split(',')).some(
    (each) => expressionOf(each.trim(), { star: '.*', deep: '.*/', any: '.' })?.test(file) === true,
  )
}
