import { posix } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import type { Host } from './host.ts'

/** What the operating system refused, in its words: `permission denied`; undefined for any other error. */
export function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error && 'errno' in error && typeof error.errno === 'number')) return undefined
  return getSystemErrorMap().get(error.errno)?.[1]
}

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
