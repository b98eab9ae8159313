import { InvalidArgumentError, Option } from 'commander'
import { DEFAULT_SECONDS } from '../src/git/run-git.ts'
import { readSeconds } from './seconds.ts'

/** Returns the option of every command that calls git: how many seconds git may be silent. */
export function gitTimeoutOption(): Option {
  return new Option('--git-timeout <seconds>', `end a call of git that is silent so long, ${DEFAULT_SECONDS} by default`).argParser(
    parseSeconds,
  )
}

/** Timers of Node take no more than 2^31 milliseconds. */
const MOST_SECONDS = 2_000_000

function parseSeconds(text: string): number {
  const seconds = readSeconds(text, MOST_SECONDS)
  if (seconds === undefined)
    throw new InvalidArgumentError(`It must be a number of seconds from 1 to ${MOST_SECONDS}, or such as 90s, 5m, 1h30m.`)
  return seconds
}
