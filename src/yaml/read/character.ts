/** Codes of the characters that lay out YAML. */
export const LINE_FEED = 10
export const SPACE = 32
export const HASH = 35
export const DASH = 45
