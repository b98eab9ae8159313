/** The most bytes of input. kpt itself reads and writes about 1 MB/s (100 MB in 109 s) and stops a function after 5 minutes. */
export const MAX_INPUT_BYTES = 256 * 1024 * 1024

/** The most items of one list: twenty times the largest published fleet. */
export const MAX_ITEMS = 1_000_000
