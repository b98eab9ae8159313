import { posix } from 'node:path'
import type { Host } from './host.ts'

/** The file that an error of node:fs is about. */
export function faultyFile(error: unknown, host: Host): string {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return 'the input'
  return nameFile(error.path, host)
}

/** A file from the folder that the caller is in, or in full when it is outside of that. */
export function nameFile(place: string, host: Host): string {
  const path = posix.relative(host.locate('.'), place)
  return path.startsWith('../') ? place : path || '.'
}
