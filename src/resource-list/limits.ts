/** The most bytes of input: more than twice the largest package that kpt finishes within its time limit (100 MB in 109 s). */
export const MAX_INPUT_BYTES = 256 * 1024 * 1024

/** The most items of one list: twenty times the largest published fleet. */
export const MAX_ITEMS = 1_000_000
