import type { Host } from '../host.ts'

/** The styles of parts of a text: colours on a terminal, none elsewhere. */
export type Styles = Readonly<Record<keyof typeof CODES, Style>>

export type Style = (text: string) => string

const CODES = { added: 32, changed: 33, renamed: 35, removed: 31, faint: 2, strong: 1, error: 31, warning: 33 } as const

/** Returns the styles of findings on stderr. */
export function errorStylesFor({ environment, isErrorTerminal }: Host, asked: { readonly color?: boolean }): Styles {
  return stylesFor({ environment, isTerminal: isErrorTerminal }, asked)
}

/**
 * Colours when `--color` asks for them, or FORCE_COLOR (https://force-color.org; 0 and false ask for none), or on a terminal unless
 * NO_COLOR is set (https://no-color.org) or the terminal is a dumb one, which knows no colours (TERM=dumb). `--no-color` is the last word.
 */
export function stylesFor(
  { environment, isTerminal }: Pick<Host, 'environment' | 'isTerminal'>,
  { color }: { readonly color?: boolean },
): Styles {
  const isColored = color ?? forced(environment) ?? (isTerminal && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb')
  const style = (code: number): Style => (isColored ? (text) => `\u001B[${code}m${text}\u001B[0m` : (text) => text)
  return {
    added: style(CODES.added),
    changed: style(CODES.changed),
    renamed: style(CODES.renamed),
    removed: style(CODES.removed),
    faint: style(CODES.faint),
    strong: style(CODES.strong),
    error: style(CODES.error),
    warning: style(CODES.warning),
  }
}

function forced({ FORCE_COLOR = '' }: Host['environment']): boolean | undefined {
  return FORCE_COLOR === '' ? undefined : FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
}
