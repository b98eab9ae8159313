import type { KnownDifference } from '../adapter.ts'

/** Where an update means to differ from kpt's. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = []
