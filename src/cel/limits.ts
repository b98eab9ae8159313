/** Code points of one expression (cel-go's own limit). */
export const MAX_CODE_POINTS = 100_000

/** Levels of nesting, and operators in one chain (cel-go's own limit). */
export const MAX_NESTING = 250

/** Nodes of one static type. Comprehensions can double a type at each step; real ones have fewer than ten. */
export const MAX_TYPE_SIZE = 1_000

/** Steps of all comprehensions of one evaluation. */
export const MAX_STEPS = 1_000_000

/** Characters (UTF-16 units) of one string, bytes of one byte string: 1 MB. */
export const MAX_TEXT = 1_000_000

/** Nodes evaluated in loops, characters and elements read or copied in one evaluation: what keeps it under a second. */
export const MAX_WORK = 8_000_000

/** Units of work of all evaluations of one run: as many as twenty of the dearest evaluations take. */
export const MAX_RUN_WORK = 20 * MAX_WORK

/** Instructions of one regular expression. Its automaton may hold thousands of states of this size. */
export const MAX_REGEX_SIZE = 2_000
