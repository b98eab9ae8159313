const NOT_IN_REFS = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|(^|\/)\.|\.lock(\/|$)|^\/|\/$|\.$|^-|^@$|^$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
const NOT_IN_REVISIONS = /[\0-\x1f\x7f]|^-|^$/

/** The rule for names of refs (git check-ref-format), for messages. */
export const REF_RULE = "without spaces, control characters, '..', '//', '@{' and any of ~^:?*[\\, and without '-', '.' or '/' at its ends"

/** Returns true for a possible name of a branch, tag or commit (git check-ref-format) that is neither an option nor an expression. */
export function isRefName(name: string): boolean {
  return !NOT_IN_REFS.test(name)
}

/** Returns true for a one-line revision expression, such as `HEAD~3` (gitrevisions), that is no option. */
export function isRevision(name: string): boolean {
  return !NOT_IN_REVISIONS.test(name)
}
