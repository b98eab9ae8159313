/** Bytes of input: ten times the largest package kpt itself gets through in its time limit (docs: 100 MB in 109 s). */
export const MAX_INPUT_BYTES = 256 * 1024 * 1024

/** Items of one list: twenty times the largest published fleet. */
export const MAX_ITEMS = 1_000_000
