import type { Command } from 'commander'

/** Adds `--color` and `--no-color`; without either, the terminal and the environment decide (`stylesFor`). */
export function addColorOptions(command: Command): Command {
  return command.option('--color', 'use colors, also when no terminal reads it').option('--no-color', 'use no colors, as with NO_COLOR')
}

/** Collects the values of an option that may be given again. */
export function repeated(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/**
 * Lets a command and those below it refuse an option of one value that is given twice: the last value would count without a word. The values
 * are not printed, since one may be an address with a password.
 */
export function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    if (!(option.required || option.optional) || option.variadic || option.parseArg === repeated) continue
    let isGiven = false
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' must be given once, got it twice`)
      isGiven = true
    })
  }
  for (const each of command.commands) refuseRepeats(each)
}
