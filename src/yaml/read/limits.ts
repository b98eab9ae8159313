/** Nesting of maps and lists. Kubernetes objects stay below 40; deeper input is an attack on recursive readers. */
export const MAX_DEPTH = 100
