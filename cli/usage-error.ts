import { existsSync, realpathSync } from 'node:fs'
import { posix } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { quoteText } from '../src/schema/describe-value.ts'
import { didYouMean } from '../src/schema/nearest-name.ts'
import { inLine, nameFirst } from '../src/wording.ts'
import type { Host } from './host.ts'

/** Something in the way that its message explains in one line: a folder that is not there, a revision that git does not know. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/**
 * Returns the error for a name that the fleet does not have: `no ring 'canry'; the rings are canary, all; did you mean 'canary'?`
 *
 * @param place  where the known names are, ` (FILE:LINE)`
 */
export function unknownName(
  what: string,
  name: string,
  known: readonly string[],
  { plural = `${what}s`, place = '' }: { readonly plural?: string; readonly place?: string } = {},
): UsageError {
  const there = known.length === 0 ? `there are no ${plural}` : `the ${plural} are ${nameFirst(known.map(inLine), NAMED)}`
  return new UsageError(`no ${what} ${quoteText(name)}; ${there}${place}${didYouMean(name, known)}`)
}

const NAMED = 10

/** Returns the text of the operating system for an error, `permission denied`; undefined for any other error. */
export function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error && 'errno' in error && typeof error.errno === 'number')) return undefined
  return getSystemErrorMap().get(error.errno)?.[1]
}

/** Runs an action that writes into a folder. @throws UsageError when the operating system refuses */
export function writingTo(dir: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    const fault = systemFault(error)
    throw fault === undefined ? error : new UsageError(`cannot write to the folder '${dir}': ${fault}`)
  }
}

/** Returns a path relative to the working directory, or the full path if it is outside. */
export function nameFile(place: string, host: Pick<Host, 'locate'>): string {
  const here = host.locate('.')
  const folders = existsSync(here) ? [here, realpathSync(here)] : [here]
  const paths = folders.map((folder) => posix.relative(folder, place))
  return paths.find((path) => !path.startsWith('../'))?.replace(/^$/, '.') ?? place
}
