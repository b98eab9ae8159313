import { UsageError } from './usage-error.ts'

/**
 * Returns the seconds that an option of the caller asks for: a whole number of seconds, or a duration as Go writes it, `5m` or `1h30m`.
 * Returns undefined for other texts, and for fewer than one second or more than `most`.
 */
export function readSeconds(text: string, most: number): number | undefined {
  const [, hours, minutes, seconds] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(/^\d+$/.test(text) ? `${text}s` : text) ?? []
  const total = [hours, minutes, seconds].reduce((sum, part) => sum * 60 + Number(part ?? 0), 0)
  return total >= 1 && total <= most ? total : undefined
}

/** Returns the seconds of `--function-timeout` for one run of a program. @throws UsageError for any other text */
export function programSeconds(text: string): number {
  const seconds = readSeconds(text, 86_400)
  if (seconds === undefined)
    throw new UsageError(`\`--function-timeout\` must be a number of seconds from 1 to 86400, or such as 90s, 5m, 1h30m, got '${text}'`)
  return seconds
}
