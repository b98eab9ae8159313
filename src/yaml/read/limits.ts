/** The deepest nesting of maps and lists. Kubernetes objects stay below 40; deeper input is an attack on recursive readers. */
export const MAX_DEPTH = 100

/**
 * The most characters of one text for the full parser, which needs a second and a hundred megabytes for them. The fast reader reads the
 * layouts of kpt and of people, in texts of any size.
 */
export const MAX_UNUSUAL = 1_000_000
