/** Character codes of the indicators and white space of YAML. */
export const TAB = 9
export const LINE_FEED = 10
export const CARRIAGE_RETURN = 13
export const SPACE = 32
export const EXCLAMATION_MARK = 33
export const HASH = 35
export const AMPERSAND = 38
export const ASTERISK = 42
export const DASH = 45
export const DOUBLE_QUOTE = 34
export const SINGLE_QUOTE = 39
export const GREATER_THAN = 62
export const QUESTION_MARK = 63
export const OPENING_BRACKET = 91
export const OPENING_BRACE = 123
export const PIPE = 124
