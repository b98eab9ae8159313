/** A regular expression of Go (RE2) outside of CEL: linear in time, with the groups that Go would find. */
export interface RegularExpression {
  /** Returns true if the expression matches a part of the text. Throws RegularExpressionError when the texts so far cost too much. */
  test(text: string): boolean
  /**
   * Returns the texts of the groups 1, 2, … of the first match, '' for a group that is not part of the match; undefined without a match.
   * Throws as `test`.
   */
  groups(text: string): readonly string[] | undefined
}

/** The error of an expression that RE2 refuses or that costs too much; the message is for the user. */
export class RegularExpressionError extends Error {}
