const NOT_IN_REFS = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|(^|\/)\.|\.lock(\/|$)|^\/|\/$|\.$|^-|^@$|^$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
const NOT_IN_REVISIONS = /[\0-\x1f\x7f]|^-|^$/

/** Says what a name of a ref may be (git check-ref-format), for messages. */
export const REF_RULE = "without spaces, control characters, '..', '//', '@{' and any of ~^:?*[\\, and without '-', '.' or '/' at its ends"

/** Returns true for a name that a branch, a tag or a commit can have (git check-ref-format), and that is no option and no expression. */
export function isRefName(name: string): boolean {
  return !NOT_IN_REFS.test(name)
}

/** Returns true for an expression that can name a revision in one line, such as `HEAD~3` (gitrevisions), and that is no option. */
export function isRevision(name: string): boolean {
  return !NOT_IN_REVISIONS.test(name)
}
