import { getSystemErrorMap } from 'node:util'

/** Returns the text of the operating system for an error, `permission denied`; undefined for any other error. */
export function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error && 'errno' in error && typeof error.errno === 'number')) return undefined
  return getSystemErrorMap().get(error.errno)?.[1]
}
