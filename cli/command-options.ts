import type { Command } from 'commander'

/** Adds `--color` and `--no-color`; without either, the terminal and the environment decide (`stylesFor`). */
export function addColorOptions(command: Command): Command {
  return command.option('--color', 'use colors, also when no terminal reads it').option('--no-color', 'use no colors, as with NO_COLOR')
}

/** Collects the values of an option that may be given again. */
export function repeated(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
