/** Nesting of maps and lists. Kubernetes objects stay below 40; deeper input is an attack on recursive readers. */
export const MAX_DEPTH = 100

/**
 * Characters of one text that the full parser takes: it needs a second and a hundred megabytes for so many. What kpt and people write
 * the fast reader takes, of any size.
 */
export const MAX_UNUSUAL = 1_000_000
